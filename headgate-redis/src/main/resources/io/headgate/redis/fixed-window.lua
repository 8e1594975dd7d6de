-- fixed-window: n per window, aligned to the epoch or to a calendar. The twin of FixedWindow.java.
--
-- KEYS   a hash: n, what was spent; w, the window that it was spent in: "f1"; when it ends, in 7 bytes; when the first of it was
--        spent, modulo 2^32, in 4; the name of the limit
-- ARGV   n; w in microseconds, or as four doubles where the previous, the current and the next window of a calendar
--        begin and the last of them ends
-- reply  as plan.lua says; a refund needs when the window ends, and when the first of it was spent
-- TTL    until the window ends, and a second more; a second once nothing is spent. Set by the first write of a window, and by
--        others only if it is gone or too short

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
  local hash = redis.pcall('HMGET', KEYS[i], 'w', 'n')
  local window, spent = hash[1], tonumber(hash[2])
  if window ~= false or hash[2] ~= false then
    found_i = true
    local head, ends, born
    if spent and window and #window >= 13 and string.sub(window, 14) == name_i then
      head, ends, born = struct.unpack('>c2I7I4', window)
    end
    if head ~= 'f1' then
      strange = strange or i
    elseif ends > now then
      -- Spent in a window that goes on; if that was another, because the clock stepped back or w has changed, then from now on
      -- in this one.
      spent_i, born_i, mended_i = spent, born, ends ~= end_i
      if not mended_i then
        stored_i = spent
      end
    end
  elseif redis.call('EXISTS', KEYS[i]) == 1 then
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
  redis.call('HSET', KEYS[i], 'w', struct.pack('>c2I7I4', 'f1', end_i, born_i) .. name_i, 'n', spent_i)
end
-- The first write of a window has set the TTL for the others, so a replica is told no more than one command for each.
if not stored_i or spent_i == 0 or redis.call('PTTL', KEYS[i]) * 1000 < reset_i then
  redis.call('PEXPIRE', KEYS[i], ttl)
end

--# stamp
end_i, born_i
