-- What the two buckets share, the twin of Level.java: used permits were in the bucket at the time at + fraction / n microseconds,
-- and one drains every w / n microseconds. Born is when the bucket was last empty, modulo 2^32, and tells its fillings apart;
-- returned counts the permits that were given back out of the middle since then. Gaps are permits that were given back while slots
-- behind them were reserved: the bounds of each range of them in turn, counted from the outlet. They are still counted as used.
--
-- KEYS   a string, as token-bucket.lua and leaky-bucket.lua say. If there are gaps, the second byte is "2", and before the name come
--        their number and the bounds of each, in 4 bytes each
-- ARGV   n, w in microseconds, burst; for a refund at, fraction, used, born, returned
-- reply  the string
-- TTL    until nothing is used, and a second more

--# numbers
n_i, w_i, burst_i

--# read
local at_i, fraction_i, used_i, born_i, returned_i, gaps_i = now, 0, 0, now % 4294967296, 0, nil
found_i = redis.pcall('GET', KEYS[i])
if found_i then
  local size, gapped = 35, string.sub(head_i, 1, 1) .. '2'
  if #found_i >= 39 + #name_i and string.sub(found_i, 1, 2) == gapped then
    size = 39 + 8 * struct.unpack('>I4', found_i, 36)
  end
  if #found_i ~= size + #name_i or name_i ~= '' and string.sub(found_i, size + 1) ~= name_i then
    strange = strange or i
  else
    local head, n, w
    head, at_i, fraction_i, used_i, born_i, returned_i, n, w = struct.unpack('>c2I7I4I4I4I4I4I6', found_i)
    state_i = found_i
    if head ~= (size == 35 and head_i or gapped) or used_i > 2147483647 or fraction_i > 2147483647 then
      strange, state_i = strange or i, '-'
    elseif n_i > 0 and (at_i > now or n ~= n_i or w ~= w_i) then
      -- The level is ahead of now, or of another rate: what is left drains from now on at the current rate. The share of the next
      -- permit that has drained already still counts. What is left counts as another filling.
      local since = 0
      if now > at_i then
        local lost, share = divide(now - at_i, n, -fraction_i, w)
        used_i = used_i - math.min(used_i, lost)
        if used_i > 0 then
          since = divide(share, w_i, 0, w)
          since = (since - since % n_i) / n_i
        end
      end
      at_i, fraction_i, born_i, returned_i, mended_i = now - since, 0, (born_i + 1) % 4294967296, 0, true
      --@ packed
      state_i = value
    else
      if size > 35 then
        gaps_i = {}
        for k = 1, (size - 39) / 4 do
          gaps_i[k] = struct.unpack('>I4', found_i, 36 + 4 * k)
        end
      end
      if n_i > 0 and now - at_i >= 2251799813685248 then
        -- So old that a wait, which is cut at 2^52, could be over too early.
        --@ lost
        --@ settle
        mended_i = true
        --@ packed
        state_i = value
      end
    end
  end
end

--# fresh
at_i, fraction_i, used_i, born_i, returned_i, gaps_i = now, 0, 0, now % 4294967296, 0, nil

--# reserves
reserves = reserves and used_i + cost <= 2147483647

--# lost
local lost = 0
if now > at_i then
  lost = divide(now - at_i, n_i, -fraction_i, w_i)
  if lost > used_i then
    lost = used_i
  end
end

--# settle
if lost == used_i then
  at_i, fraction_i, used_i, born_i, returned_i, gaps_i = now, 0, 0, now % 4294967296, 0, nil
elseif lost > 0 then
  local passed
  passed, fraction_i = divide(lost, w_i, fraction_i, n_i)
  at_i, used_i = at_i + passed, used_i - lost
  if gaps_i then
    local left = {}
    for k = 1, #gaps_i, 2 do
      if gaps_i[k + 1] > lost then
        left[#left + 1], left[#left + 2] = math.max(0, gaps_i[k] - lost), gaps_i[k + 1] - lost
      end
    end
    gaps_i = left[1] and left
  end
end

--# delay
-- A gap at the end, if the slot would otherwise begin earlier than after the delay, which is that of another limit. When the slot
-- begins, as many permits as room says may still be in the bucket.
if delay > 0 then
  local lost = 1
  if now + delay - at_i > 1 then
    lost = lost + divide(now + delay - at_i - 1, n_i, -fraction_i, w_i)
  end
  local ends = lost + room
  if ends > used_i and ends + cost <= 2147483647 then
    gaps_i = gaps_i or {}
    if gaps_i[#gaps_i] == used_i then
      gaps_i[#gaps_i] = ends
    else
      gaps_i[#gaps_i + 1], gaps_i[#gaps_i + 2] = used_i, ends
    end
    used_i = ends
  end
end

--# full
-- Until so many permits have drained as held says.
local full, rest = divide(held, w_i, fraction_i, n_i)
if rest > 0 then
  full = full + 1
end
reset_i = at_i + full - now
if reset_i < 0 then
  reset_i = 0
end

--# charge
local at, fraction, used, born, returned
at, fraction, used, born, returned, from = struct.unpack('>ddddd', input, from)

--# last
-- Whether the charge is in this filling, and whether only time has changed the level since, apart from later charges taken back.
local flowed = now > at and math.min(used, (divide(now - at, n_i, -fraction, w_i))) or 0
local last, here = lost == used_i and flowed == used, false
if lost < used_i and flowed < used then
  local passed, since, rest, left = 0, 0, fraction_i, fraction
  if lost > 0 then
    passed, rest = divide(lost, w_i, fraction_i, n_i)
  end
  if flowed > 0 then
    since, left = divide(flowed, w_i, fraction, n_i)
  end
  here = at_i + passed == at + since and rest == left and born_i == born
  last = here and used_i - lost == used - flowed and returned_i == returned
end

--# gap
-- Makes a gap of the charge, and takes back what nobody holds any more at the end. If permits were given back out of the middle since
-- the charge, it counts as nearer to the outlet.
if here then
  local shift = (returned_i - returned + 2147483648) % 4294967296 - 2147483648
  local to = math.min(used_i - lost, used - flowed - math.max(0, shift))
  local start = math.max(0, to - cost)
  if to > start then
    --@ settle
    local all, k, old = {}, 1, gaps_i or {}
    while old[k] and old[k] <= to do
      if old[k + 1] < start then
        all[#all + 1], all[#all + 2] = old[k], old[k + 1]
      else
        start, to = math.min(start, old[k]), math.max(to, old[k + 1])
      end
      k = k + 2
    end
    if to == used_i then
      used_i = start
    else
      all[#all + 1], all[#all + 2] = start, to
    end
    while old[k] do
      all[#all + 1], k = old[k], k + 1
    end
    gaps_i, dirty_i = all[1] and all, true
  end
end

--# giveback
-- Permits drain in the order in which they came, so those of the charge are the last of what was in the bucket right after it.
-- Permits given back since then count as ahead of the charge, once anything has drained. The last charge of all has nothing behind
-- it, so taking it back does not count as returned.
if born == (lost == used_i and now % 4294967296 or born_i) then
  local ahead = flowed
  if ahead > 0 then
    ahead = ahead + (returned_i - returned + 2147483648) % 4294967296 - 2147483648
  end
  local noted = returned_i
  born = born_i
  --@ settle
  local left = math.max(0, math.min(cost, used_i, used - ahead))
  used_i, born_i, returned_i, dirty_i = used_i - left, born, noted, true
  if not last then
    returned_i = (noted + left) % 4294967296
  end
end

--# packed
local value =
  struct.pack('>c2I7I4I4I4I4I4I6', head_i, at_i, fraction_i, used_i, born_i, returned_i, n_i, w_i) .. name_i
if gaps_i then
  local bounds = {}
  for k = 1, #gaps_i do
    bounds[k] = struct.pack('>I4', gaps_i[k])
  end
  value = string.sub(head_i, 1, 1) .. '2' .. string.sub(value, 3, 35) .. struct.pack('>I4', #gaps_i / 2)
    .. table.concat(bounds) .. name_i
end

--# write
--@ packed
redis.call('SET', KEYS[i], value, 'PX', ttl)
