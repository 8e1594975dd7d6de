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
local spent_i, born_i, stored_i = 0, now % 4294967296, nil
do
  local hash = redis.pcall('HMGET', KEYS[i], 'v', 'n', 'e', 'b')
  if hash[1] == 'f1' .. name_i then
    found_i = true
    local spent, ends, born = tonumber(hash[2]), tonumber(hash[3]), tonumber(hash[4])
    if not spent or not ends or not born then
      strange = strange or i
    elseif ends > now then
      -- Spent in a window that goes on; if that was another, because the clock stepped back or w has changed, then from now on
      -- in this one.
      spent_i, born_i, mended_i = spent, born, ends ~= end_i
      if not mended_i then
        stored_i = spent
      end
    end
  elseif hash[1] ~= false then
    strange = strange or i
  end
end

--# fresh
spent_i, born_i, stored_i = 0, now % 4294967296, nil

--# judge
if spent_i + cost > n_i then
  wait_i = end_i - now
end

--# reserves
reserves = false

--# take
if spent_i == 0 then
  born_i, stored_i = now % 4294967296, nil
end
spent_i = spent_i + cost
remaining_i, reset_i = n_i - spent_i, end_i - now

--# stand
remaining_i, reset_i = n_i - spent_i, 0
if remaining_i < 0 then
  remaining_i = 0
end
if spent_i > 0 then
  reset_i = end_i - now
end

--# more
wait_i = -reset_i

--# refund
local ends, born
ends, born, from = struct.unpack('>dd', operation, from)
if found_i and born == born_i and ends > start_i then
  spent_i, dirty_i = math.max(0, spent_i - cost), true
end

--# write
if stored_i then
  redis.call('HINCRBY', KEYS[i], 'n', spent_i - stored_i)
else
  redis.call('HSET', KEYS[i], 'v', 'f1' .. name_i, 'n', spent_i, 'e', end_i, 'b', born_i)
end
redis.call('PEXPIRE', KEYS[i], ttl)

--# stamp
end_i, born_i
