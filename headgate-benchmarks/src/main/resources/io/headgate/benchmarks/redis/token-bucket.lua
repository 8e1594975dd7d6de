-- GCRA. KEYS[1] the moment at which the bucket is full; ARGV: microseconds per permit, burst.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local each, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local full = math.max(tonumber(redis.call('GET', KEYS[1]) or 0), now) + each
local wait = full - burst * each - now
if wait > 0 then
  return {0, 0, math.ceil(wait / 1000)}
end
redis.call('SET', KEYS[1], string.format('%.0f', full), 'PX', math.ceil((full - now) / 1000))
return {1, math.floor(-wait / each), 0}
