-- KEYS[1] a hash: window and count; ARGV: permits, width in microseconds. Returns {allowed, remaining, wait in ms}.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local permits, width = tonumber(ARGV[1]), tonumber(ARGV[2])
local window = now - now % width
local left = math.ceil((window + width - now) / 1000)
local found = redis.call('HMGET', KEYS[1], 'window', 'count')
local count = tonumber(found[1]) == window and tonumber(found[2]) or 0
if count >= permits then
  return {0, 0, left}
end
if count == 0 then
  redis.call('HSET', KEYS[1], 'window', window, 'count', 1)
  redis.call('PEXPIRE', KEYS[1], left)
else
  redis.call('HINCRBY', KEYS[1], 'count', 1)
end
return {1, permits - count - 1, 0}
