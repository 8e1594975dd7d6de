-- Sets now, the time of every script in microseconds since the epoch: that of Redis, which no caller can set. And margin, how many
-- milliseconds longer than its budget needs a key is kept: a second, and what rounding down loses.
--
-- KEYS   none
-- ARGV   none
-- reply  none
-- TTL    nothing is written

local time = redis.call('TIME')
local now, margin = time[1] * 1000000 + time[2], 1001
