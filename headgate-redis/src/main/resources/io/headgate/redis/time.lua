-- The time of every script, in microseconds since the epoch: what Redis says. Nothing outside can set it. And how much longer
-- than its budget needs a key is kept, in milliseconds: a second, and what rounding down has lost.
--
-- KEYS   none
-- ARGV   none
-- reply  none
-- TTL    nothing is written

local time = redis.call('TIME')
local now, margin = time[1] * 1000000 + time[2], 1001
