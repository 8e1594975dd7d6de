-- What the two buckets share, the twin of Level.java: used permits were in the bucket at the time at + fraction / n microseconds,
-- and one drains every w / n microseconds. Born is when the bucket was last empty, modulo 2^32, and tells its fillings apart;
-- returned counts the permits that were given back out of the middle since then.
--
-- KEYS   a string, as token-bucket.lua and leaky-bucket.lua say
-- ARGV   n, w in microseconds, burst; for a refund at, fraction, used, born, returned
-- reply  the string
-- TTL    until nothing is used, and a second more

--# numbers
n_i, w_i, burst_i

--# read
local at_i, fraction_i, used_i, born_i, returned_i = now, 0, 0, now % 4294967296, 0
found_i = redis.pcall('GET', KEYS[i])
if found_i then
  if #found_i ~= 35 + #name_i or name_i ~= '' and string.sub(found_i, 36) ~= name_i then
    strange = strange or i
  else
    local head, n, w
    head, at_i, fraction_i, used_i, born_i, returned_i, n, w = struct.unpack('>c2I7I4I4I4I4I4I6', found_i)
    state_i = found_i
    if head ~= head_i or used_i > 2147483647 or fraction_i > 2147483647 then
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
    end
  end
end

--# fresh
at_i, fraction_i, used_i, born_i, returned_i = now, 0, 0, now % 4294967296, 0

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
  at_i, fraction_i, used_i, born_i, returned_i = now, 0, 0, now % 4294967296, 0
elseif lost > 0 then
  local passed
  passed, fraction_i = divide(lost, w_i, fraction_i, n_i)
  at_i, used_i = at_i + passed, used_i - lost
end

--# full
local full, rest = divide(used_i, w_i, fraction_i, n_i)
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
-- Whether only time has changed the level since the charge, apart from later charges that were taken back.
local flowed = now > at and math.min(used, (divide(now - at, n_i, -fraction, w_i))) or 0
local last = lost == used_i and flowed == used
if lost < used_i and flowed < used then
  local here, there, rest, left = 0, 0, fraction_i, fraction
  if lost > 0 then
    here, rest = divide(lost, w_i, fraction_i, n_i)
  end
  if flowed > 0 then
    there, left = divide(flowed, w_i, fraction, n_i)
  end
  last = at_i + here == at + there and rest == left and used_i - lost == used - flowed
    and born_i == born and returned_i == returned
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

--# write
--@ packed
redis.call('SET', KEYS[i], value, 'PX', ttl)
