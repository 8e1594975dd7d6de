-- KEYS[1] the moment from which on the bucket is idle; ARGV: microseconds per permit.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local each = tonumber(ARGV[1])
local idle = tonumber(redis.call('GET', KEYS[1]) or 0)
if idle > now then
  return {0, 0, math.ceil((idle - now) / 1000)}
end
redis.call('SET', KEYS[1], string.format('%.0f', now + each), 'PX', math.ceil(each / 1000))
return {1, 0, 0}
