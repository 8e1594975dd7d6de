-- token-bucket: a bucket of burst tokens that refills continuously, n per w. The twin of TokenBucket.java.
--
-- KEYS   a string: "t1"; at, in 7 bytes; fraction, used, born, returned and the n that the bucket drains by, in 4 bytes each; the w
--        that it drains by, in 6; the name of the limit. See level.lua
-- ARGV   n, w in microseconds, burst; for a refund at, fraction, used, born, returned
-- reply  the string
-- TTL    until the bucket is full, and a second more

--# head
't1'

--# numbers
--@ level.numbers

--# read
--@ level.read
if gaps_i and n_i > 0 then
  --@ close
  if not gaps_i then
    mended_i = true
    --@ level.packed
    state_i = value
  end
end

--# fresh
--@ level.fresh

--# judge
local excess = used_i + cost - burst_i
if gaps_i then
  --@ free
  excess = excess - math.min(cost, free)
end
--@ wait
wait_i = wait

--# wait
local wait = 0
if excess > 0 then
  local full, rest = divide(excess, w_i, fraction_i, n_i)
  if rest > 0 then
    full = full + 1
  end
  wait = at_i + full - now
  if wait < 0 then
    wait = 0
  end
end

--# reserves
--@ level.reserves
-- A cost that is not reserved may fit in where others have left; a slot is behind all that is reserved.
if gaps_i and reserves and n_i > 0 then
  local excess = used_i + cost - burst_i
  --@ wait
  slot = math.max(slot, wait)
end

--# take
--@ level.lost
--@ level.settle
local room = burst_i - cost
--@ level.delay
used_i = used_i + cost

--# full
local held = used_i
if gaps_i then
  --@ free
  held = held - free
end
--@ level.full

--# free
-- The permits of gaps that are free from when the last reserved slot begins.
local free = 0
for k = 1, #gaps_i, 2 do
  free = free + math.max(0, gaps_i[k + 1] - math.max(gaps_i[k], used_i - burst_i))
end

--# close
-- The gaps are free once all reserved slots have begun, from when the last one began, even if nobody came by then.
if gaps_i then
  --@ level.lost
  if used_i - lost <= burst_i then
    --@ free
    used_i, returned_i, gaps_i = used_i - free, (returned_i + free) % 4294967296, nil
  end
end

--# refund
-- While requests wait for slots that they reserved behind a charge, it becomes a gap.
--@ level.charge
if found_i then
  --@ level.lost
  --@ level.last
  if used_i - lost <= burst_i then
    --@ level.giveback
  else
    --@ level.gap
    --@ close
  end
end

--# write
--@ level.write
