-- The time of every script and what all algorithms share. The first file of every script.
--
-- now is the time of Redis in microseconds since the epoch, which no caller can set. A key is kept margin milliseconds longer than its
-- budget needs to be full: a second, and what rounding down loses.
local time = redis.call('TIME')
local now, margin = time[1] * 1000000 + time[2], 1001
