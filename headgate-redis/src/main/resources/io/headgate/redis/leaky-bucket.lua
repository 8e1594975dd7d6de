-- leaky-bucket: one permit every w / n, evenly spaced. The twin of LeakyBucket.java.
--
-- KEYS   a string: "l1"; at, in 7 bytes; fraction, used, born, returned and the n that the bucket drains by, in 4 bytes each; the w
--        that it drains by, in 6; the name of the limit. See level.lua
-- ARGV   n, w in microseconds, n; for a refund at, fraction, used, born, returned
-- reply  the string
-- TTL    until the bucket is idle, and a second more

--# head
'l1'

--# numbers
--@ level.numbers

--# read
--@ level.read

--# fresh
--@ level.fresh

--# judge
--@ full
wait_i = reset_i

--# reserves
--@ level.reserves

--# take
--@ level.lost
--@ level.settle
local room = 0
--@ level.delay
used_i = used_i + cost

--# full
local held = used_i
--@ level.full

--# refund
-- A slot with others behind it becomes a gap: it cannot be given away without crowding those.
--@ level.charge
if found_i then
  --@ level.lost
  --@ level.last
  --@ level.gap
end

--# write
--@ level.write
