-- fixed-window: n per window, aligned to the epoch or to a calendar. The twin of FixedWindow.java.
--
-- KEYS   a hash: v, "f1" and the name of the limit; n, what was spent; e, when the window ends that it was spent in; b, when the
--        first of it was spent, modulo 2^32
-- ARGV   n; w in microseconds, or as four doubles where the previous, the current and the next window of a calendar
--        begin and the last of them ends
-- reply  as plan.lua says; a refund needs e, b
-- TTL    until the window ends, and a second more

--# read
local n_i, start_i, end_i = ARGV[arg_i + 1] + 0, nil, tonumber(ARGV[arg_i + 2])
local burst_i = n_i
if end_i then
  start_i = now - now % end_i
  end_i = start_i + end_i
else
  local first, second, third, fourth = struct.unpack('>dddd', ARGV[arg_i + 2])
  if now < first or now >= fourth then
    return 'time:' .. string.format('%.0f', now)
  elseif now < second then
    start_i, end_i = first, second
  elseif now < third then
    start_i, end_i = second, third
  else
    start_i, end_i = third, fourth
  end
end
local ends_i, all_i, born_i, stored_i = end_i, 0, now % 4294967296, nil
do
  local hash = redis.pcall('HMGET', KEYS[i], 'v', 'n', 'e', 'b')
  if hash[1] == 'f1' .. name_i then
    found_i = true
    all_i, ends_i, born_i = tonumber(hash[2]), tonumber(hash[3]), tonumber(hash[4])
    stored_i = all_i
    if not all_i or not ends_i or not born_i then
      strange = strange or i
    elseif ends_i > end_i then
      ends_i, stored_i, mended_i = end_i, nil, true
    end
  elseif hash[1] ~= false then
    strange = strange or i
  end
end

--# fresh
ends_i, all_i, born_i, stored_i = end_i, 0, now % 4294967296, nil

--# spent
-- What was spent counts in every window that starts before the end of its own.
local spent = ends_i > start_i and all_i or 0

--# judge
--@ spent
if spent + cost > n_i then
  wait_i = end_i - now
end

--# reserves
reserves = false

--# take
--@ spent
if spent == 0 then
  born_i, stored_i = now % 4294967296, nil
end
if ends_i ~= end_i then
  ends_i, stored_i = end_i, nil
end
all_i = spent + cost
remaining_i, reset_i = n_i - all_i, end_i - now

--# stand
--@ spent
remaining_i, reset_i = n_i - spent, 0
if remaining_i < 0 then
  remaining_i = 0
end
if spent > 0 then
  reset_i = end_i - now
end

--# refund
local ends, born
ends, born, from = struct.unpack('>dd', operation, from)
if found_i and born == born_i and ends > start_i then
  all_i, dirty_i = math.max(0, all_i - cost), true
end

--# write
if stored_i then
  redis.call('HINCRBY', KEYS[i], 'n', all_i - stored_i)
else
  redis.call('HSET', KEYS[i], 'v', 'f1' .. name_i, 'n', all_i, 'e', ends_i, 'b', born_i)
end
redis.call('PEXPIRE', KEYS[i], ttl)

--# stamp
ends_i, born_i
