-- sliding-window-log: never more than n in any w, exactly; every permit is remembered until it is w old. The twin of
-- SlidingWindowLog.java.
--
-- KEYS   a sorted set: one member for each permit, with the time it was spent as the score: that time, in 7 bytes, and a number that
--        tells it from others of that time, in 3; and how the log stood then: how much earlier the oldest permit that counts was
--        spent, in 6, how many count, in 3, and how many before them are too old and still there, in 1. Only the newest is asked.
--        And one member more, the seal, with the score +inf: "s3"; born, in 4 bytes; w, in 6; the name of the limit. Born, the
--        time at which the log began, modulo 2^32, tells charges from those of a log before; one with permits that were moved to another
--        time counts as born anew.
-- ARGV   n, w in microseconds; for a refund born and the time of the charge
-- reply  the newest member, or 20 bytes like it, and the seal; if that permit is too old, none counts. After all states doubles: for
--        every operation that has to wait for another permit than the oldest, when that was spent; and after every refund how many
--        count, and when the oldest and the newest were spent
-- TTL    until the newest permit is w old, and a second more

--# numbers
n_i, w_i

--# read
local burst_i, born_i, added_i = n_i, now % 4294967296, 0
-- How many permits count, and how many before them do not any more; when the oldest that counts and the newest were spent, and the
-- number of that one; how many have become too old since, and when the oldest of those was spent; the seal, and whether it can stay.
local used_i, gone_i, oldest_i, newest_i, number_i, late_i, first_i, seal_i, stays_i = 0, 0, 0, 0, -1, 0, 0, nil, false
do
  local last = redis.pcall('ZRANGE', KEYS[i], '-2', '-1')
  if last[1] then
    found_i, seal_i = true, last[2] or last[1]
    local head, w, both, age = nil, nil, nil, 0
    if #seal_i == 12 + #name_i and (name_i == '' or string.sub(seal_i, 13) == name_i) then
      if not last[2] then
        head, born_i, w = struct.unpack('>c2I4I6', seal_i)
      elseif #last[1] == 20 then
        both = last[1] .. seal_i
        newest_i, number_i, age, used_i, gone_i, head, born_i, w = struct.unpack('>I7I3I6I3I1c2I4I6', both)
      end
    end
    if head ~= 's3' then
      strange = strange or i
    else
      local seal = seal_i
      oldest_i, stays_i = newest_i - age, w == w_i
      if stays_i and newest_i <= now and oldest_i > now - w_i then
        state_i = both
      else
        if newest_i <= now - w_i or newest_i + w <= now then
          -- Everything has come back, or had before w changed. What w was changed to counts from now on.
          mended_i = newest_i + w > now
          used_i, gone_i, oldest_i, late_i, first_i = 0, gone_i + used_i, newest_i, used_i, oldest_i
        else
          mended_i = not stays_i
          if newest_i > now then
            newest_i, born_i, mended_i, stays_i = now, (born_i + 1) % 4294967296, true, false
            seal = 's3' .. struct.pack('>I4I6', born_i, w_i) .. name_i
          end
          if oldest_i <= now - w_i then
            late_i, first_i = 1, oldest_i
            -- The digit of its rank: Redis takes long to write out a number.
            local rank = gone_i < 9 and string.char(49 + gone_i) or gone_i + 1
            local next = used_i == 2 and last[1] or redis.call('ZRANGE', KEYS[i], rank, rank)[1]
            if next and #next == 20 then
              oldest_i = struct.unpack('>I7', next)
            else
              strange = strange or i
            end
            if oldest_i <= now - w_i and not strange then
              late_i = redis.call('ZCOUNT', KEYS[i], '-inf', now - w_i) - gone_i
              if redis.call('ZCARD', KEYS[i]) == gone_i + used_i + 1 then
                oldest_i = struct.unpack('>I7', redis.call('ZRANGE', KEYS[i], gone_i + late_i, gone_i + late_i)[1])
              else
                strange = strange or i
              end
            end
            used_i, gone_i = used_i - late_i, gone_i + late_i
          end
          oldest_i = math.min(oldest_i, newest_i)
        end
        if both and stays_i and used_i == 0 then
          state_i = both
        else
          state_i = struct.pack('>I7I3I6I3I1', newest_i, 0, newest_i - oldest_i, used_i, 0) .. seal
        end
      end
    end
  elseif last.err then
    strange = strange or i
  end
end

--# fresh
born_i, added_i, used_i, gone_i, newest_i, number_i, late_i = now % 4294967296, 0, 0, 0, 0, -1, 0
seal_i, stays_i = nil, false

--# judge
local excess = used_i + added_i + cost - n_i
if excess > 0 then
  local spent = now
  if excess == 1 and used_i > 0 then
    spent = oldest_i
  elseif excess <= used_i then
    --@ whole
    spent = struct.unpack('>I7', redis.call('ZRANGE', KEYS[i], gone_i + excess - 1, gone_i + excess - 1)[1])
    told = told .. struct.pack('>d', spent)
  end
  wait_i = math.min(spent, now) + w_i - now
end

--# whole
-- Before anything else is looked up: nobody has taken members out, or put in others.
if redis.call('ZCARD', KEYS[i]) ~= gone_i + used_i + 1 then
  return redis.error_reply('HEADGATE cannot read the state at ' .. KEYS[i])
end

--# reserves
reserves = false

--# take
if newest_i ~= now then
  number_i = -1
end
added_i, newest_i = added_i + cost, now

--# full
reset_i = used_i + added_i > 0 and newest_i + w_i - now or 0

--# refund
local born, time
born, time, from = struct.unpack('>dd', input, from)
if found_i and born == born_i then
  --@ whole
  local permits = redis.call('ZRANGEBYSCORE', KEYS[i], time, time)
  local count = math.min(cost, #permits)
  if count > 0 and redis.call('ZRANK', KEYS[i], permits[1]) >= gone_i then
    for at = 1, count, 1000 do
      redis.call('ZREM', KEYS[i], unpack(permits, at, math.min(at + 999, count)))
    end
    used_i, dirty_i = used_i - count, true
    if used_i > 0 then
      oldest_i = struct.unpack('>I7', redis.call('ZRANGE', KEYS[i], gone_i, gone_i)[1])
    end
    if used_i + late_i > 0 and added_i == 0 then
      newest_i, number_i = struct.unpack('>I7I3', redis.call('ZRANGE', KEYS[i], '-2', '-2')[1])
    end
  end
end
told = told .. struct.pack('>ddd', used_i, oldest_i, newest_i)

--# write
-- What is too old is given up once another permit is spent. It goes when there are eight of it, when nothing else is left, and
-- before it could be moved to another time.
if added_i == 0 and late_i > 0 then
  used_i, gone_i, oldest_i = used_i + late_i, gone_i - late_i, first_i
end
if gone_i >= 8 or gone_i > 0 and (mended_i or used_i + added_i == 0) then
  redis.call('ZREMRANGEBYRANK', KEYS[i], '0', gone_i - 1)
  gone_i = 0
end
local score = added_i == 1 and now or string.format('%.0f', now)
if mended_i then
  local here = redis.call('ZRANGEBYSCORE', KEYS[i], now, now)
  local ahead = redis.call('ZRANGEBYSCORE', KEYS[i], string.format('(%.0f', now), '(+inf')
  number_i = here[1] and struct.unpack('>I3', here[#here], 8) or -1
  for from = 1, #ahead, 500 do
    local to, members = math.min(from + 499, #ahead), {}
    for at = from, to do
      number_i = number_i + 1
      members[#members + 1] = score
      members[#members + 1] = struct.pack('>I7I3', now, number_i) .. string.sub(ahead[at], 11)
    end
    redis.call('ZREM', KEYS[i], unpack(ahead, from, to))
    redis.call('ZADD', KEYS[i], unpack(members))
  end
end
local age = used_i > 0 and newest_i - oldest_i or 0
if added_i == 1 and stays_i then
  redis.call('ZADD', KEYS[i], now, struct.pack('>I7I3I6I3I1', now, number_i + 1, age, used_i + 1, gone_i))
else
  local members = {}
  if not stays_i then
    if seal_i then
      redis.call('ZREM', KEYS[i], seal_i)
    end
    members = { '+inf', 's3' .. struct.pack('>I4I6', born_i, w_i) .. name_i }
  end
  local standing = struct.pack('>I6I3I1', age, used_i + added_i, gone_i)
  if added_i == 0 and used_i > 0 then
    local rank = stays_i and '-2' or '-1'
    local newest = redis.call('ZRANGE', KEYS[i], rank, rank)[1]
    redis.call('ZREM', KEYS[i], newest)
    members[#members + 1] = newest_i
    members[#members + 1] = string.sub(newest, 1, 10) .. standing
  end
  for number = number_i + 1, number_i + added_i do
    members[#members + 1] = score
    members[#members + 1] = struct.pack('>I7I3', now, number) .. standing
    if #members >= 1000 then
      redis.call('ZADD', KEYS[i], unpack(members))
      members = {}
    end
  end
  if members[1] then
    redis.call('ZADD', KEYS[i], unpack(members))
  end
end
redis.call('PEXPIRE', KEYS[i], ttl)
