-- What the two buckets share: the twin of Level.java, TokenBucket.java and LeakyBucket.java.
--
-- used permits were in the bucket at the time at + fraction / n, and one drains every w / n microseconds. born is when the bucket was
-- last empty and tells its fillings apart; returned counts the permits that were given back out of the middle since then. gaps are
-- permits that were given back while slots behind them were reserved: the bounds of each range of them in turn, counted from the
-- outlet. They still count as used.
--
-- key     a string: "t1" or "l1"; at (7 bytes); fraction, used, born, returned and the n that the bucket drains by (4 each); the w that it
--         drains by (6). If there are gaps: "t2" or "l2", and at the end the number of gaps and the bounds of each (4 each)
-- charge  that string, as it was right after the charge
-- TTL     until nothing is used
local STATE = '>c2I7I4I4I4I4I4I6'

local function bucket(kind, key, n, w, burst)
  local at, fraction, used, born, returned, gaps = now, 0, 0, now % CYCLE, 0, nil
  local leaky, changed, mended = kind == 'l', false, false

  -- How many permits have drained by now.
  local function lost()
    if now <= at then
      return 0
    end
    local count = divide(now - at, n, -fraction, w)
    return count < used and count or used
  end

  -- How long until so many permits have drained.
  local function drains(count)
    local time, rest = divide(count, w, fraction, n)
    time = at + time - now + (rest > 0 and 1 or 0)
    return time > 0 and time or 0
  end

  -- Brings the level up to now.
  local function settle()
    local gone = lost()
    if gone == used then
      at, fraction, used, born, returned, gaps = now, 0, 0, now % CYCLE, 0, nil
    elseif gone > 0 then
      local passed
      passed, fraction = divide(gone, w, fraction, n)
      at, used = at + passed, used - gone
      local left = {}
      for k = 1, gaps and #gaps or 0, 2 do
        if gaps[k + 1] > gone then
          left[#left + 1], left[#left + 2] = math.max(0, gaps[k] - gone), gaps[k + 1] - gone
        end
      end
      gaps = left[1] and left
    end
  end

  -- The permits of gaps that are free from when the last reserved slot begins.
  local function free()
    local sum = 0
    for k = 1, gaps and not leaky and #gaps or 0, 2 do
      sum = sum + math.max(0, gaps[k + 1] - math.max(gaps[k], used - burst))
    end
    return sum
  end

  -- The gaps of a token bucket are free once all reserved slots have begun, from when the last one began, even if nobody came by then.
  local function close()
    if gaps and not leaky and used - lost() <= burst then
      local all = free()
      used, returned, gaps = used - all, (returned + all) % CYCLE, nil
      return true
    end
  end

  local found = redis.pcall('GET', key)
  if found then
    if type(found) ~= 'string' or #found < 35 then
      return
    end
    local head, rate, period
    head, at, fraction, used, born, returned, rate, period = struct.unpack(STATE, found)
    if head == kind .. '2' and #found >= 39 and #found == 39 + 8 * struct.unpack('>I4', found, 36) then
      gaps = {}
      for k = 1, (#found - 39) / 4 do
        gaps[k] = struct.unpack('>I4', found, 36 + 4 * k)
        if gaps[k] > used or k > 1 and gaps[k] <= gaps[k - 1] then
          return
        end
      end
    elseif head ~= kind .. '1' or #found ~= 35 then
      return
    end
    if used > MOST or fraction > MOST or rate < 1 or rate > MOST or period < 1000 then
      return
    end
    if at > now or rate ~= n or period ~= w then
      -- The level is ahead of now, or of another rate: what is left drains from now on at the current rate. The share of the next
      -- permit that has drained already still counts. What is left counts as another filling.
      local since = 0
      if now > at then
        local gone, share = divide(now - at, rate, -fraction, period)
        used = used - math.min(used, gone)
        if used > 0 then
          since = divide(share, w, 0, period)
          since = (since - since % n) / n
        end
      end
      at, fraction, born, returned, gaps, mended = now - since, 0, (born + 1) % CYCLE, 0, nil, true
    elseif now - at >= 2251799813685248 then
      -- So old that a wait, which is cut at 2^52, could be over too early.
      settle()
      mended = true
    end
    mended = close() or mended
  end

  local function packed()
    if not gaps then
      return struct.pack(STATE, kind .. '1', at, fraction, used, born, returned, n, w)
    end
    local bounds = {}
    for k = 1, #gaps do
      bounds[k] = struct.pack('>I4', gaps[k])
    end
    return struct.pack(STATE .. 'I4', kind .. '2', at, fraction, used, born, returned, n, w, #gaps / 2)
      .. table.concat(bounds)
  end

  local function wait(cost)
    if leaky then
      return drains(used)
    end
    local excess = used + cost - burst
    if gaps and excess > 0 then
      excess = excess - math.min(cost, free())
    end
    return excess > 0 and drains(excess) or 0
  end

  -- A cost that is not reserved may fit in where others have left; a slot is behind all that is reserved.
  local function slot(cost)
    if used + cost > MOST then
      return nil
    end
    local excess = leaky and used or used + cost - burst
    return excess > 0 and drains(excess) or 0
  end

  local function take(cost, delay)
    settle()
    if delay > 0 then
      -- A gap at the end, if the slot would otherwise begin before the delay is over, which is that of another limit: as many permits
      -- as this may still be in the bucket when the slot begins.
      local room = leaky and 0 or burst - cost
      local ends = 1 + room
      if now + delay - at > 1 then
        ends = ends + divide(now + delay - at - 1, n, -fraction, w)
      end
      if ends > used and ends + cost <= MOST then
        gaps = gaps or {}
        if gaps[#gaps] == used then
          gaps[#gaps] = ends
        else
          gaps[#gaps + 1], gaps[#gaps + 2] = used, ends
        end
        used = ends
      end
    end
    used, changed = used + cost, true
    found = packed()
    return found
  end

  local function refund(cost, charge)
    local _, at_then, fraction_then, used_then, born_then, returned_then, rate, period = struct.unpack(STATE, charge)
    if not found or rate ~= n or period ~= w then
      return
    end
    -- How many of the permits that were in the bucket right after the charge have drained, and whether it is still that filling;
    -- whether only time has changed the level since, apart from later charges that were taken back.
    local gone, gone_then = lost(), 0
    if now > at_then then
      gone_then = math.min(used_then, (divide(now - at_then, n, -fraction_then, w)))
    end
    local here, last = false, gone == used and gone_then == used_then
    if gone < used and gone_then < used_then then
      local passed, rest = divide(gone, w, fraction, n)
      local passed_then, rest_then = divide(gone_then, w, fraction_then, n)
      here = at + passed == at_then + passed_then and rest == rest_then and born == born_then
      last = here and used - gone == used_then - gone_then and returned == returned_then
    end
    -- How many more permits were given back out of the middle since the charge.
    local since = (returned - returned_then + CYCLE / 2) % CYCLE - CYCLE / 2

    if not leaky and used - gone <= burst then
      -- Permits drain in the order in which they came, so those of the charge are the last of what was in the bucket right after it.
      -- Permits given back since then count as ahead of the charge, once anything has drained. The last charge of all has nothing
      -- behind it, so taking it back does not count as returned.
      if born_then == (gone == used and now % CYCLE or born) then
        local filling, count = born, returned
        settle()
        local ahead = gone_then > 0 and gone_then + since or 0
        local left = math.max(0, math.min(cost, used, used_then - ahead))
        used, born, returned, changed = used - left, filling, last and count or (count + left) % CYCLE, true
      end
    elseif here then
      -- Requests wait for slots that they reserved behind the charge, so it becomes a gap; what nobody holds any more at the end is
      -- taken back. If permits were given back out of the middle since the charge, it counts as nearer to the outlet.
      local ends = math.min(used - gone, used_then - gone_then - math.max(0, since))
      local starts = math.max(0, ends - cost)
      if ends > starts then
        settle()
        local all, old, k = {}, gaps or {}, 1
        while old[k] and old[k] <= ends do
          if old[k + 1] < starts then
            all[#all + 1], all[#all + 2] = old[k], old[k + 1]
          else
            starts, ends = math.min(starts, old[k]), math.max(ends, old[k + 1])
          end
          k = k + 2
        end
        if ends == used then
          used = starts
        else
          all[#all + 1], all[#all + 2] = starts, ends
        end
        while old[k] do
          all[#all + 1], k = old[k], k + 1
        end
        gaps, changed = all[1] and all, true
      end
      close()
    end
    found = changed and packed() or found
  end

  local function full()
    return drains(gaps and used - free() or used)
  end

  local function standing()
    if leaky then
      local busy = drains(used)
      return busy == 0 and n or 0, busy
    end
    local remaining = burst - used + lost()
    return remaining > 0 and remaining or 0, full()
  end

  local function write(repairs)
    if changed or repairs and mended then
      redis.call('SET', key, changed and found or packed(), 'PX', ttl(full()))
    elseif found then
      keep(key, full())
    end
  end

  return wait, slot, take, refund, standing, write
end
