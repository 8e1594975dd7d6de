-- fixed-window: n per window, aligned to the epoch. The twin of FixedWindow.java.
--
-- KEYS   a hash. Its field n: how many permits were spent. Its field w, the window they were spent in: "f1"; the end of the window,
--        in 7 bytes; when its first permit was spent, modulo 2^32, in 4; the name of the limit
-- ARGV   n, w in microseconds; for a refund the end of the window, and when its first permit was spent
-- reply  the field w; the field n and a blank
-- TTL    until the window ends, and a second more; a second once nothing is spent. Set by the first write of a window, and by later
--        writes only if it is missing or too short

--# numbers
n_i, w_i

--# window
start_i = now - now % w_i
end_i = start_i + w_i

--# read
local burst_i, spent_i, born_i, stored_i, start_i, end_i = n_i, 0, now % 4294967296, nil, nil, nil
--@ window
do
  local hash = redis.pcall('HMGET', KEYS[i], 'w', 'n')
  local window, spent = hash[1], hash[2]
  if window or spent then
    found_i = true
    local head, ends, born, count
    if window and #window == 13 + #name_i and (name_i == '' or string.sub(window, 14) == name_i)
      and spent and spent ~= '' and not string.find(spent, '%D') then
      head, ends, born = struct.unpack('>c2I7I4', window)
      count = spent + 0
    end
    if head ~= 'f1' or count > 2147483647 then
      strange = strange or i
    elseif ends > now then
      -- The stored window has not ended. If it is not the current one, because the clock stepped back or w has changed, what was
      -- spent in it counts in the current one from now on.
      spent_i, born_i = count, born
      if ends == end_i then
        stored_i = count
      else
        mended_i, window = true, struct.pack('>c2I7I4', 'f1', end_i, born_i) .. name_i
      end
      state_i = window .. spent .. ' '
    end
  elseif hash.err or redis.call('EXISTS', KEYS[i]) == 1 then
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

--# full
reset_i = spent_i > 0 and end_i - now or 0

--# refund
local ends, born
ends, born, from = struct.unpack('>dd', input, from)
if found_i and born == born_i and ends > start_i then
  spent_i, dirty_i = math.max(0, spent_i - cost), true
end

--# write
if stored_i then
  -- Redis is slow to convert a number to a string.
  local more = spent_i - stored_i
  redis.call('HINCRBY', KEYS[i], 'n', more == 1 and '1' or more)
else
  redis.call('HSET', KEYS[i], 'w', struct.pack('>c2I7I4', 'f1', end_i, born_i) .. name_i, 'n', spent_i)
end
-- The first write of a window sets the TTL for the later ones, so that each of those is one command for a replica.
if not stored_i or spent_i == 0 or redis.call('PTTL', KEYS[i]) * 1000 < reset_i then
  redis.call('PEXPIRE', KEYS[i], ttl)
end
