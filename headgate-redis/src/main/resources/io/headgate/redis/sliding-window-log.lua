-- sliding-window-log: never more than n in any w, exactly; every permit is remembered until it is w old. If w becomes shorter, it is
-- remembered for the longest w so far, since that may return; but never more permits than the largest n so far, rounded up to a
-- power of two. The twin of SlidingWindowLog.java.
--
-- KEYS   a list: one element for each permit, in the order of time: "s5"; when it was spent, in 7 bytes; and a summary of the log at
--        that time: how much earlier the oldest permit that is remembered was spent, in 6; how many are remembered, in 3; in 1 byte
--        the power of two, and in its lower 3 bits how many permits before those are forgotten but still in the list; born, in 4;
--        the longest w, in 6; the name of the limit. Of all elements but the newest only the time is read.
--        Born is when the log began, modulo 2^32, and tells its charges from those of an earlier log. A log begins when a permit is
--        spent and no other counts; a log whose permits were moved to another time counts as born anew.
-- ARGV   n, w in microseconds; for a refund born and the time of the charge
-- reply  the newest element, or one like it that is about the permits that count under w; if that is too old, no permit counts. After all states doubles: for every operation that
--        has to wait for a permit other than the oldest, when that permit was spent; and after every refund how many permits count,
--        and when the oldest and the newest were spent
-- TTL    until the newest permit is as old as the longest w, and a second more

--# numbers
n_i, w_i

--# read
local burst_i, born_i, added_i = n_i, now % 4294967296, 0
-- How many permits count, how many before them are only remembered, and how many before those are forgotten; when the oldest that
-- counts and the newest were spent; how many were forgotten since the last write; whether some were spent ahead of now.
local used_i, kept_i, gone_i, oldest_i, newest_i, late_i, ahead_i = 0, 0, 0, 0, 0, 0, false
-- The longest w, and which power of two is the most that is remembered.
local longest_i, power_i = w_i, 0
do
  local last = redis.pcall('LINDEX', KEYS[i], '-1')
  if last then
    local head, w, age
    if #last == 29 + #name_i and (name_i == '' or string.sub(last, 30) == name_i) then
      head, newest_i, age, used_i, gone_i, born_i, w = struct.unpack('>c2I7I6I3I1I4I6', last)
    end
    if head ~= 's5' then
      strange = strange or i
    else
      found_i, state_i, oldest_i = true, last, newest_i - age
      power_i, gone_i = math.floor(gone_i / 8), gone_i % 8
      if w ~= w_i or newest_i > now or oldest_i <= now - w_i then
        longest_i = math.max(w, w_i)
        if newest_i + w <= now then
          used_i, gone_i, oldest_i, late_i = 0, gone_i + used_i, newest_i, used_i
        else
          mended_i = w < w_i
          if newest_i > now then
            newest_i, born_i, mended_i, ahead_i = now, (born_i + 1) % 4294967296, true, true
            if redis.call('LLEN', KEYS[i]) ~= gone_i + used_i then
              strange = strange or i
            end
          end
          if oldest_i <= now - longest_i then
            -- The newest permit is not too old. Usually only one or a few are, so the search starts with short steps.
            local high, step = used_i - 1, 0
            late_i, oldest_i = 1, newest_i
            while late_i < high and not strange do
              local at = late_i + math.min(step, math.floor((high - late_i) / 2))
              -- A rank of one digit is made a string here: Redis is slow to convert a number.
              local rank = gone_i + at < 10 and string.char(48 + gone_i + at) or gone_i + at
              local permit = redis.call('LINDEX', KEYS[i], rank)
              if not permit or #permit ~= #last then
                strange = i
              else
                local spent = struct.unpack('>I7', permit, 3)
                if spent > now - longest_i then
                  high, oldest_i = at, spent
                elseif step == 0 and redis.call('LLEN', KEYS[i]) ~= gone_i + used_i then
                  strange = i
                else
                  late_i, step = at + 1, 2 * step + 1
                end
              end
            end
            used_i, gone_i = used_i - late_i, gone_i + late_i
          end
          oldest_i = math.min(oldest_i, newest_i)
          if oldest_i <= now - w_i and not strange then
            if redis.call('LLEN', KEYS[i]) ~= gone_i + used_i then
              strange = i
            else
              local time = now - w_i
              --@ until
              kept_i, used_i = before, used_i - before
              if used_i > 0 then
                --@ oldest
              end
            end
          end
        end
        if used_i > 0 or w < w_i then
          state_i = struct.pack('>c2I7I6I3I1I4I6', 's5', newest_i, newest_i - oldest_i, used_i, 0, born_i, w_i) .. name_i
        end
      end
    end
  end
end

--# fresh
born_i, added_i, used_i, kept_i, gone_i, newest_i, late_i, ahead_i = now % 4294967296, 0, 0, 0, 0, 0, 0, false
longest_i, power_i = w_i, 0

--# judge
local excess = used_i + added_i + cost - n_i
if excess > 0 then
  local spent = now
  if excess == 1 and used_i > 0 then
    spent = oldest_i
  elseif excess <= used_i then
    --@ whole
    spent = struct.unpack('>I7', redis.call('LINDEX', KEYS[i], gone_i + kept_i + excess - 1), 3)
    told = told .. struct.pack('>d', spent)
  end
  wait_i = math.min(spent, now) + w_i - now
end

--# whole
-- Before other elements are looked up, checks that none were removed or added from outside.
if redis.call('LLEN', KEYS[i]) ~= gone_i + kept_i + used_i then
  return redis.error_reply('HEADGATE cannot read the state at ' .. KEYS[i])
end

--# reserves
reserves = false

--# take
if used_i + added_i == 0 then
  born_i = now % 4294967296
  if kept_i == 0 then
    longest_i, power_i = w_i, 0
  end
end
added_i, newest_i = added_i + cost, now

--# full
reset_i = used_i + kept_i + added_i > 0 and newest_i + longest_i - now or 0

--# oldest
oldest_i = math.min(struct.unpack('>I7', redis.call('LINDEX', KEYS[i], gone_i + kept_i), 3), now)

--# until
-- How many of the permits that count were spent no later than time, which is usually recent.
local before, after, step = 0, used_i, 0
while before < after do
  local at = after - 1 - math.min(step, math.floor((after - before) / 2))
  if struct.unpack('>I7', redis.call('LINDEX', KEYS[i], gone_i + kept_i + at), 3) > time then
    after, step = at, 2 * step + 1
  else
    before = at + 1
  end
end

--# refund
local born, time
born, time, from = struct.unpack('>dd', input, from)
if found_i and born == born_i then
  --@ whole
  --@ until
  -- Permits of one charge are the same to the byte. If several charges have that time, it does not matter which one is removed.
  local count = 0
  while count < cost and before > count do
    local permit = redis.call('LINDEX', KEYS[i], gone_i + kept_i + before - count - 1)
    if struct.unpack('>I7', permit, 3) ~= time then
      break
    end
    count = count + redis.call('LREM', KEYS[i], count - cost, permit)
  end
  if count > 0 then
    used_i, dirty_i = used_i - count, true
    if used_i > 0 then
      --@ oldest
    end
    if used_i + kept_i + late_i > 0 and added_i == 0 then
      newest_i = math.min(struct.unpack('>I7', redis.call('LINDEX', KEYS[i], '-1'), 3), now)
    end
  end
end
told = told .. struct.pack('>ddd', used_i, oldest_i, newest_i)

--# write
-- Permits are forgotten once another permit is spent: those that are too old, and the oldest if there are too many. They are removed
-- from the list when there are eight of them, when nothing else is left, and before others are moved to another time.
if added_i == 0 then
  kept_i, gone_i = kept_i + late_i, gone_i - late_i
else
  power_i = math.max(power_i, select(2, math.frexp(n_i - 1)))
  local excess = math.min(kept_i, math.max(0, kept_i + used_i + added_i - 2 ^ power_i))
  kept_i, gone_i = kept_i - excess, gone_i + excess
end
if gone_i >= 8 or gone_i > 0 and (mended_i or kept_i + used_i + added_i == 0) then
  redis.call('LTRIM', KEYS[i], gone_i, '-1')
  gone_i = 0
end
local copies = added_i
if ahead_i then
  local time = now
  --@ until
  redis.call('LTRIM', KEYS[i], '0', before - used_i - 1)
  copies = copies + used_i - before
end
local count = kept_i + used_i
if kept_i > 0 then
  oldest_i = struct.unpack('>I7', redis.call('LINDEX', KEYS[i], gone_i), 3)
end
local age = count > 0 and newest_i - oldest_i or 0
local few = power_i * 8 + gone_i
local permit = struct.pack('>c2I7I6I3I1I4I6', 's5', newest_i, age, count + added_i, few, born_i, longest_i) .. name_i
if copies == 1 then
  redis.call('RPUSH', KEYS[i], permit)
elseif copies > 0 then
  for from = 1, copies, 1000 do
    local some = {}
    for at = 1, math.min(1000, copies - from + 1) do
      some[at] = permit
    end
    redis.call('RPUSH', KEYS[i], unpack(some))
  end
elseif count > 0 then
  redis.call('LSET', KEYS[i], '-1', permit)
end
redis.call('PEXPIRE', KEYS[i], ttl)
