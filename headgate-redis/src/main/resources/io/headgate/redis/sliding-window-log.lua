-- sliding-window-log: never more than n in any w, exactly; every permit is remembered until it is w old. The twin of
-- SlidingWindowLog.java.
--
-- KEYS   a sorted set: one member for each permit, its number in 7 bytes, with the time it was spent as the score. Numbers go up by
--        one, so the last tells the next, and the first and the last how many there are. And one member more, which comes
--        first: "s2"; born, in 4 bytes; w, in 6; the name of the limit; with the score -1 - floor, where numbers below the floor are
--        used up and may be missing, since permits were taken back. Born, the time at which the numbers began, modulo 2^32,
--        tells them from those of a set before; permits moved to another time count as born anew.
-- ARGV   n, w in microseconds; for a refund born and the number after the last one of the charge
-- reply  told; a refund needs born and the number after the last one of the charge
-- TTL    until the newest permit is w old, and a second more

--# numbers
n_i, w_i

--# read
local burst_i, remaining_i, born_i, floor_i, next_i, added_i = n_i, 0, now % 4294967296, 0, 0, 0
-- How many permits are in the set, how many of them, up to a time, are too old to count, and when the first that counts, if that
-- is known, and the newest were spent; the first member, and whether it can stay.
local card_i, gone_i, until_i, first_i, newest_i, seal_i, stays_i = 0, 0, now - w_i, nil, 0, nil, false
do
  local first = redis.pcall('ZRANGE', KEYS[i], '0', '2', 'WITHSCORES')
  if first[1] then
    found_i = true
    if #first[1] < 12 or string.sub(first[1], 13) ~= name_i or string.sub(first[1], 1, 2) ~= 's2' then
      strange = strange or i
    else
      local w
      seal_i, floor_i = first[1], -1 - first[2]
      next_i, born_i, w = floor_i, struct.unpack('>I4I6', seal_i, 3)
      stays_i = w == w_i
      if first[3] then
        local last = redis.call('ZRANGE', KEYS[i], '-1', '-1', 'WITHSCORES')
        local from = 0
        if #first[3] ~= 7 or #last[1] ~= 7 then
          strange = strange or i
        else
          from, next_i = struct.unpack('>I7', first[3]), struct.unpack('>I7', last[1]) + 1
        end
        if from >= floor_i then
          card_i = next_i - from
        else
          card_i, next_i = redis.call('ZCARD', KEYS[i]) - 1, math.max(floor_i, next_i)
        end
        first_i, newest_i = first[4] + 0, last[2] + 0
        if w ~= w_i and newest_i + w <= now then
          -- Everything had come back before w changed.
          gone_i, until_i = card_i, newest_i
        else
          if newest_i > now then
            newest_i, born_i, mended_i, stays_i = now, (born_i + 1) % 4294967296, true, false
          end
          if first_i <= until_i then
            first_i = first[6] and first[6] + 0
            if first_i and first_i > until_i then
              gone_i = 1
            else
              gone_i, first_i = redis.call('ZCOUNT', KEYS[i], '0', until_i), nil
            end
          end
          mended_i = mended_i or w ~= w_i
        end
      end
    end
  elseif first.err then
    strange = strange or i
  end
end

--# fresh
born_i, floor_i, next_i, added_i, card_i, gone_i, until_i = now % 4294967296, 0, 0, 0, 0, 0, 0
first_i, newest_i, seal_i, stays_i = nil, 0, nil, false

--# judge
local excess = card_i - gone_i + added_i + cost - n_i
if excess > 0 then
  --@ spent
  wait_i = spent + w_i - now
end

--# spent
-- When so many of those that count had been spent.
local spent = now
if excess <= card_i - gone_i then
  spent = excess == 1 and first_i
    or redis.call('ZRANGE', KEYS[i], gone_i + excess, gone_i + excess, 'WITHSCORES')[2] + 0
  if excess == 1 then
    first_i = spent
  end
  if spent > now then
    spent = now
  end
end

--# reserves
reserves = false

--# take
next_i, added_i, newest_i = next_i + cost, added_i + cost, now
remaining_i, reset_i = n_i - (card_i - gone_i + added_i), w_i

--# stand
remaining_i, reset_i = n_i - (card_i - gone_i + added_i), newest_i + w_i - now
if remaining_i < 0 then
  remaining_i = 0
end
if card_i - gone_i + added_i == 0 then
  reset_i = 0
end

--# more
if remaining_i < n_i then
  local excess = card_i - gone_i + added_i + remaining_i + 1 - n_i
  --@ spent
  wait_i = now - spent - w_i
end

--# full

--# refund
local born, last
born, last, from = struct.unpack('>dd', input, from)
local spent = found_i and born == born_i and redis.call('ZSCORE', KEYS[i], struct.pack('>I7', last - 1))
if spent and spent + 0 > until_i then
  first_i, floor_i, stays_i = nil, next_i, false
  local numbers = {}
  for number = last - cost, last - 1 do
    numbers[#numbers + 1] = struct.pack('>I7', number)
    if #numbers == 1000 or number == last - 1 then
      card_i = card_i - redis.call('ZREM', KEYS[i], unpack(numbers))
      numbers = {}
    end
  end
  if card_i > gone_i and added_i == 0 then
    newest_i = math.min(now, redis.call('ZRANGE', KEYS[i], '-1', '-1', 'WITHSCORES')[2] + 0)
  end
  dirty_i = true
end

--# write
if gone_i > 0 and added_i > 0 then
  redis.call('ZREMRANGEBYRANK', KEYS[i], '1', gone_i)
end
if mended_i then
  for _, number in ipairs(redis.call('ZRANGEBYSCORE', KEYS[i], string.format('(%.0f', now), '+inf')) do
    redis.call('ZADD', KEYS[i], now, number)
  end
end
if not stays_i then
  local seal = 's2' .. struct.pack('>I4I6', born_i, w_i) .. name_i
  if seal_i and seal_i ~= seal then
    redis.call('ZREM', KEYS[i], seal_i)
  end
  redis.call('ZADD', KEYS[i], -1 - floor_i, seal)
end
if added_i == 1 then
  redis.call('ZADD', KEYS[i], now, struct.pack('>I7', next_i - 1))
elseif added_i > 0 then
  local members = {}
  for number = next_i - added_i, next_i - 1 do
    members[#members + 1] = now
    members[#members + 1] = struct.pack('>I7', number)
    if #members == 1000 or number == next_i - 1 then
      redis.call('ZADD', KEYS[i], unpack(members))
      members = {}
    end
  end
end
redis.call('PEXPIRE', KEYS[i], ttl)

--# stamp
born_i, next_i
