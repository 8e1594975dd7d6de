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

--# full
--@ level.full

--# refund
-- While requests wait for slots that they reserved behind a charge, only the last charge can be taken back.
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
