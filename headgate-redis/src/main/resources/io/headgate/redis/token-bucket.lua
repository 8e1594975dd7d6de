-- token-bucket: a bucket of burst tokens that refills continuously, n per w. The twin of TokenBucket.java.
--
-- KEYS   a string: "t1"; at, in 7 bytes; fraction, used, born, returned and the n it flows off under, in 4 bytes each; that w,
--        in 6; the name of the limit
-- ARGV   n, w in microseconds, burst
-- reply  as plan.lua says; a refund needs at, fraction, used, born, returned
-- TTL    until the bucket is full, and a second more

--# head
't1'

--# read
--@ level.read

--# fresh
--@ level.fresh

--# judge
local excess = used_i + cost - burst_i
if excess > 0 then
  local full, rest = divide(excess, w_i, fraction_i, n_i)
  if rest > 0 then
    full = full + 1
  end
  wait_i = at_i + full - now
  if wait_i < 0 then
    wait_i = 0
  end
end

--# reserves
--@ level.reserves

--# take
--@ level.lost
--@ level.settle
used_i = used_i + cost
remaining_i = burst_i - used_i
if remaining_i < 0 then
  remaining_i = 0
end
--@ level.full

--# stand
--@ level.lost
remaining_i = burst_i - used_i + lost
if remaining_i < 0 then
  remaining_i = 0
end
--@ level.full

--# more
if remaining_i < burst_i then
  local full, rest = divide(used_i + remaining_i + 1 - burst_i, w_i, fraction_i, n_i)
  if rest > 0 then
    full = full + 1
  end
  wait_i = now - at_i - full
end

--# refund
-- While others wait for slots they reserved behind a charge, only the last charge itself can be taken back.
--@ level.charge
if found_i then
  --@ level.lost
  --@ level.last
  if last or used_i - lost <= burst_i then
    --@ level.giveback
  end
end

--# write
--@ level.write

--# stamp
--@ level.stamp
