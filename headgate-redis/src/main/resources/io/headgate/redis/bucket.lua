-- What the two buckets share: the twin of Level.java, TokenBucket.java and LeakyBucket.java.
--
-- used permits were in the bucket at the time at + fraction / n, and one drains every w / n microseconds. born is when the bucket was
-- last empty and tells its fillings apart; returned counts the permits that were given back out of the middle since then. gaps are
-- permits that were given back while slots behind them were reserved: the bounds of each range of them in turn, counted from the
-- outlet. They still count as used. gone is how many of the used permits have drained by now.
--
-- key     a string: "t1" or "l1"; at (7 bytes); fraction, used, born, returned and the n that the bucket drains by (4 each); the w that it
--         drains by (6). If there are gaps: the burst and the bounds of each gap (4 each)
-- charge  that string, as it was right after the charge
-- TTL     until nothing is used

-- How long until so many permits have drained.
local function drains(s, count)
  if count > 0 and count <= s.gone then
    return 0
  end
  local time, rest = divide(count, s.w, s.fraction, s.n)
  time = s.at + time - now + (rest > 0 and 1 or 0)
  return time > 0 and time or 0
end

-- Brings the level up to now.
local function settle(s)
  local gone = s.gone
  if gone == s.used then
    s.at, s.fraction, s.used, s.born, s.returned, s.gaps, s.gone = now, 0, 0, now % 4294967296, 0, nil, 0
  elseif gone > 0 then
    local passed
    passed, s.fraction = divide(gone, s.w, s.fraction, s.n)
    s.at, s.used, s.gone = s.at + passed, s.used - gone, 0
    if s.gaps then
      local gaps, left = s.gaps, {}
      for k = 1, #gaps, 2 do
        if gaps[k + 1] > gone then
          left[#left + 1], left[#left + 2] = math.max(0, gaps[k] - gone), gaps[k + 1] - gone
        end
      end
      s.gaps = left[1] and left or nil
    end
  end
end

-- The permits of gaps that are free from when the last reserved slot begins.
local function free(gaps, used, burst)
  local sum = 0
  for k = 1, #gaps, 2 do
    sum = sum + math.max(0, gaps[k + 1] - math.max(gaps[k], used - burst))
  end
  return sum
end

local function packed(s)
  local value = struct.pack('>c2I7I4I4I4I4I4I6', s.leaky and 'l1' or 't1', s.at, s.fraction, s.used, s.born, s.returned, s.n, s.w)
  if s.gaps then
    value = value .. struct.pack('>I4', s.burst)
    for k = 1, #s.gaps do
      value = value .. struct.pack('>I4', s.gaps[k])
    end
  end
  return value
end

local bucket = {

  read = function(key, n, w, burst, id)
    local leaky, found = id == 'leaky-bucket', redis.pcall('GET', key)
    w = w + 0
    local at, fraction, used, born, returned, gaps, gone = now, 0, 0, now % 4294967296, 0, nil, 0
    local mended, closed = false, false
    if found then
      if type(found) ~= 'string' or #found ~= 35 and (#found < 47 or #found % 8 ~= 7) then
        return
      end
      local head, rate, period
      head, at, fraction, used, born, returned, rate, period = struct.unpack('>c2I7I4I4I4I4I4I6', found)
      if head ~= (leaky and 'l1' or 't1') or used > 2147483647 or fraction > 2147483647 or rate < 1 or rate > 2147483647
        or period < 1000 then
        return
      end
      for k = 1, (#found - 39) / 4 do
        gaps = gaps or {}
        gaps[k] = struct.unpack('>I4', found, 36 + 4 * k)
        if gaps[k] > used or k > 1 and gaps[k] <= gaps[k - 1] then
          return
        end
      end

      -- How many permits have drained by now.
      local share = 0
      if now > at then
        gone, share = divide(now - at, rate, -fraction, period)
      end
      mended = at > now or rate ~= n or period ~= w
      if gaps and not leaky and at <= now then
        -- Gaps are free once all reserved slots have begun, from when the last one began, even if nobody came by then. Under other
        -- numbers this counts only if nothing is left then: the budget was full before they changed.
        local capacity = mended and struct.unpack('>I4', found, 36) or burst
        local all = used - gone <= capacity and free(gaps, used, capacity)
        if all and (not mended or all >= used - gone) then
          used, returned, gaps, closed = used - all, (returned + all) % 4294967296, nil, true
        end
      end
      if gone > used then
        gone = used
      end
      if mended then
        -- The level is ahead of now, or of another rate: what is left drains from now on at the current rate. The share of the next
        -- permit that has drained already still counts. What is left counts as another filling.
        local since = used > gone and divide(share, w, 0, period) or 0
        since = (since - since % n) / n
        at, fraction, used, born, returned, gaps, gone = now - since, 0, used - gone, (born + 1) % 4294967296, 0, nil, 0
      end
    end
    local s = {
      n = n, w = w, burst = burst, leaky = leaky, found = found, at = at, fraction = fraction, used = used, born = born,
      returned = returned, gone = gone,
    }
    if gaps then
      s.gaps = gaps
    end
    if now - at >= 2251799813685248 then
      -- So old that a wait, which is cut at 2^52, could be over too early.
      settle(s)
      mended = true
    end
    if mended or closed then
      s.mended, s.found = true, packed(s)
    end
    return s
  end,

  wait = function(s, cost)
    if s.leaky then
      return drains(s, s.used)
    end
    local excess = s.used + cost - s.burst
    if s.gaps and excess > 0 then
      excess = excess - math.min(cost, free(s.gaps, s.used, s.burst))
    end
    return excess > 0 and drains(s, excess) or 0
  end,

  -- A cost that is not reserved may fit in where others have left; a slot is behind all that is reserved.
  slot = function(s, cost)
    if s.used + cost > 2147483647 then
      return nil
    end
    local excess = s.leaky and s.used or s.used + cost - s.burst
    return excess > 0 and drains(s, excess) or 0
  end,

  take = function(s, cost, delay)
    settle(s)
    if delay > 0 then
      -- A gap at the end, if the slot would otherwise begin before the delay is over, which is that of another limit: as many permits
      -- as this may still be in the bucket when the slot begins.
      local room = s.leaky and 0 or s.burst - cost
      local ends = 1 + room
      if now + delay - s.at > 1 then
        ends = ends + divide(now + delay - s.at - 1, s.n, -s.fraction, s.w)
      end
      if ends > s.used and ends + cost <= 2147483647 then
        local gaps = s.gaps or {}
        if gaps[#gaps] == s.used then
          gaps[#gaps] = ends
        else
          gaps[#gaps + 1], gaps[#gaps + 2] = s.used, ends
        end
        s.used, s.gaps = ends, gaps
      end
    end
    s.used, s.changed = s.used + cost, true
    s.found = packed(s)
    return s.found
  end,

  refund = function(s, cost, charge)
    local _, at_then, fraction_then, used_then, born_then, returned_then, rate, period = struct.unpack('>c2I7I4I4I4I4I4I6', charge)
    local n, w, gone = s.n, s.w, s.gone
    if not s.found or rate ~= n or period ~= w then
      return
    end
    -- How many of the permits that were in the bucket right after the charge have drained, and whether it is still that filling;
    -- whether only time has changed the level since, apart from later charges that were taken back.
    local gone_then = 0
    if now > at_then then
      gone_then = math.min(used_then, (divide(now - at_then, n, -fraction_then, w)))
    end
    local here, last = false, gone == s.used and gone_then == used_then
    if gone < s.used and gone_then < used_then then
      local passed, rest = divide(gone, w, s.fraction, n)
      local passed_then, rest_then = divide(gone_then, w, fraction_then, n)
      here = s.at + passed == at_then + passed_then and rest == rest_then and s.born == born_then
      last = here and s.used - gone == used_then - gone_then and s.returned == returned_then
    end
    -- How many more permits were given back out of the middle since the charge.
    local since = (s.returned - returned_then + 2147483648) % 4294967296 - 2147483648

    if not s.leaky and s.used - gone <= s.burst then
      -- Permits drain in the order in which they came, so those of the charge are the last of what was in the bucket right after it.
      -- Permits given back since then count as ahead of the charge, once anything has drained. The last charge of all has nothing
      -- behind it, so taking it back does not count as returned.
      if born_then == (gone == s.used and now % 4294967296 or s.born) then
        local filling, count = s.born, s.returned
        settle(s)
        local ahead = gone_then > 0 and gone_then + since or 0
        local left = math.max(0, math.min(cost, s.used, used_then - ahead))
        s.used, s.born, s.returned, s.changed = s.used - left, filling, last and count or (count + left) % 4294967296, true
      end
    elseif here then
      -- Requests wait for slots that they reserved behind the charge, so it becomes a gap; what nobody holds any more at the end is
      -- taken back. If permits were given back out of the middle since the charge, it counts as nearer to the outlet.
      local ends = math.min(s.used - gone, used_then - gone_then - math.max(0, since))
      local starts = math.max(0, ends - cost)
      if ends > starts then
        settle(s)
        local all, old, k = {}, s.gaps or {}, 1
        while old[k] and old[k] <= ends do
          if old[k + 1] < starts then
            all[#all + 1], all[#all + 2] = old[k], old[k + 1]
          else
            starts, ends = math.min(starts, old[k]), math.max(ends, old[k + 1])
          end
          k = k + 2
        end
        if ends == s.used then
          s.used = starts
        else
          all[#all + 1], all[#all + 2] = starts, ends
        end
        while old[k] do
          all[#all + 1], k = old[k], k + 1
        end
        -- If that was the last reserved slot, the gaps are free.
        if all[1] and not s.leaky and s.used <= s.burst then
          local back = free(all, s.used, s.burst)
          s.used, s.returned, all = s.used - back, (s.returned + back) % 4294967296, {}
        end
        s.gaps, s.changed = all[1] and all or nil, true
      end
    end
    s.found = s.changed and packed(s) or s.found
  end,

  standing = function(s)
    if s.leaky then
      local busy = drains(s, s.used)
      return busy == 0 and s.n or 0, busy, busy
    end
    local full = drains(s, s.gaps and s.used - free(s.gaps, s.used, s.burst) or s.used)
    local remaining, more = s.burst - s.used + s.gone, nil
    if remaining < 0 then
      remaining = 0
    end
    if s.used == s.gone + 1 and not s.gaps then
      more = full
    end
    return remaining, full, more
  end,
}
