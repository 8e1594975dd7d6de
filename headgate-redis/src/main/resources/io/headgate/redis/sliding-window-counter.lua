-- sliding-window-counter: what was spent in the current window, and the share of the previous window that still counts. The twin of
-- SlidingWindowCounter.java.
--
-- KEYS   a string: "c1"; the start of the current window, in 7 bytes; its width, in 6; what was spent in the previous and in the
--        current window, and born, in 4 bytes each; the name of the limit
-- ARGV   n, w in microseconds; for a refund start, born
-- reply  the string
-- TTL    until neither window counts, and a second more

--# numbers
n_i, w_i

--# read
local burst_i, start_i = n_i, now - now % w_i
local previous_i, current_i, born_i = 0, 0, now % 4294967296
found_i = redis.pcall('GET', KEYS[i])
if found_i then
  if #found_i ~= 27 + #name_i or name_i ~= '' and string.sub(found_i, 28) ~= name_i then
    strange = strange or i
  else
    local head, start, width, previous, current
    head, start, width, previous, current, born_i = struct.unpack('>c2I7I6I4I4I4', found_i)
    state_i = found_i
    if head ~= 'c1' or previous > 2147483647 or current > 2147483647 then
      strange, state_i = strange or i, '-'
    elseif start == start_i and width == w_i then
      previous_i, current_i = previous, current
    elseif start <= now and width == w_i then
      if start == start_i - w_i then
        previous_i = current
      end
    else
      -- The window is ahead of now, or of another width: all that still counts moves to the current window, and charges are no
      -- longer told apart. For a window ahead of now it is unknown which share of the previous one counted, but together they never
      -- counted more than n.
      mended_i, born_i = true, (born_i + 1) % 4294967296
      if start > now then
        current_i = math.min(current + previous, math.max(current, n_i))
      else
        local begins = now - now % width
        if start == begins then
          current_i = current
        else
          previous = start == begins - width and current or 0
        end
        local share, rest = divide(previous, begins + width - now, 0, width)
        current_i = math.min(2147483647, current_i + share + (rest > 0 and 1 or 0))
      end
      --@ packed
      state_i = value
    end
  end
end

--# fresh
previous_i, current_i, born_i = 0, 0, now % 4294967296

--# judge
local spent = current_i
if previous_i > 0 then
  local share, rest = divide(previous_i, start_i + w_i - now, 0, w_i)
  if rest > 0 then
    share = share + 1
  end
  spent = spent + share
end
if spent + cost > n_i then
  local room = n_i - cost
  if current_i <= room then
    wait_i = start_i + w_i - divide(room - current_i, w_i, 0, previous_i) - now
  else
    wait_i = start_i + w_i + w_i - divide(room, w_i, 0, current_i) - now
  end
end

--# reserves
reserves = false

--# take
if previous_i == 0 and current_i == 0 then
  born_i = now % 4294967296
end
current_i = current_i + cost

--# full
if current_i > 0 then
  reset_i = start_i + w_i + w_i - now
elseif previous_i > 0 then
  reset_i = start_i + w_i - now
else
  reset_i = 0
end

--# refund
local start, born
start, born, from = struct.unpack('>dd', input, from)
if found_i and born == born_i then
  if start == start_i then
    current_i, dirty_i = math.max(0, current_i - cost), true
  elseif start == start_i - w_i then
    previous_i, dirty_i = math.max(0, previous_i - cost), true
  end
end

--# packed
local value = struct.pack('>c2I7I6I4I4I4', 'c1', start_i, w_i, previous_i, current_i, born_i) .. name_i

--# write
--@ packed
redis.call('SET', KEYS[i], value, 'PX', ttl)
