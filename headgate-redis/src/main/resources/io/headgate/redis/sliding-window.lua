-- sliding-window: never more than n in any w. The window is cut into 10 parts; the current part and the 10 before it count in full.
-- The twin of SlidingWindow.java.
--
-- KEYS   a string: "p1"; the number of the newest part since the epoch and the width of a part, in 6 bytes each; born, in 4
--        bytes; what was spent in each part p, in 4 bytes, at place p modulo 11; the name of the limit
-- ARGV   n, the width of a part in microseconds: a tenth of w, rounded up; for a refund newest, width, born
-- reply  the string
-- TTL    until no part counts, and a second more

--# numbers
n_i, w_i

--# read
local burst_i, part_i = n_i, (now - now % w_i) / w_i
local newest_i, born_i, parts_i, total_i = part_i, now % 4294967296, nil, 0
found_i = redis.pcall('GET', KEYS[i])
if found_i then
  if #found_i ~= 62 + #name_i or name_i ~= '' and string.sub(found_i, 63) ~= name_i then
    strange = strange or i
  else
    local head, width
    head, newest_i, width, born_i = struct.unpack('>c2I6I6I4', found_i)
    parts_i = {struct.unpack('>I4I4I4I4I4I4I4I4I4I4I4', found_i, 19)}
    if head ~= 'p1' then
      strange = strange or i
    else
      state_i = found_i
      local oldest = newest_i
      if oldest > (now - now % width) / width then
        oldest = oldest - 10
      else
        oldest = (now - now % width) / width - 10
      end
      for part = oldest, newest_i do
        total_i = total_i + parts_i[part % 11 + 1]
      end
      if total_i > 2147483647 then
        strange, state_i = strange or i, '-'
      elseif width ~= w_i or newest_i > part_i then
        -- The newest part is ahead of now, or of another width: all that still counts moves to the current part, and charges are
        -- no longer told apart.
        newest_i, born_i, mended_i = part_i, (born_i + 1) % 4294967296, true
        parts_i = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
        parts_i[part_i % 11 + 1] = total_i
        --@ packed
        state_i = value
      end
    end
  end
end

--# fresh
newest_i, born_i, parts_i, total_i = part_i, now % 4294967296, nil, 0

--# judge
local excess = total_i + cost - n_i
if excess > 0 then
  local part = part_i - 10
  local left = parts_i[part % 11 + 1]
  while left < excess do
    part = part + 1
    left = left + parts_i[part % 11 + 1]
  end
  wait_i = (part + 11) * w_i - now
end

--# reserves
reserves = false

--# take
parts_i = parts_i or {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
if total_i == 0 then
  born_i = now % 4294967296
end
if newest_i < part_i then
  for part = math.max(newest_i + 1, part_i - 10), part_i do
    parts_i[part % 11 + 1] = 0
  end
end
newest_i, total_i = part_i, total_i + cost
parts_i[part_i % 11 + 1] = parts_i[part_i % 11 + 1] + cost

--# full
reset_i = 0
if total_i > 0 then
  local part = newest_i
  while parts_i[part % 11 + 1] == 0 do
    part = part - 1
  end
  reset_i = (part + 11) * w_i - now
end

--# refund
local newest, width, born
newest, width, born, from = struct.unpack('>ddd', input, from)
if found_i and born == born_i and width == w_i and newest >= part_i - 10 and newest <= newest_i then
  local back = math.min(cost, parts_i[newest % 11 + 1])
  parts_i[newest % 11 + 1], total_i, dirty_i = parts_i[newest % 11 + 1] - back, total_i - back, true
end

--# packed
local value =
  struct.pack('>c2I6I6I4I4I4I4I4I4I4I4I4I4I4I4', 'p1', newest_i, w_i, born_i, unpack(parts_i, 1, 11)) .. name_i

--# write
--@ packed
redis.call('SET', KEYS[i], value, 'PX', ttl)
