-- KEYS[1] the counter; ARGV: permits, width in ms. Returns {allowed, remaining, wait in ms}.
local count = redis.call('INCR', KEYS[1])
if count == 1 then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
local permits = tonumber(ARGV[1])
if count <= permits then
  return {1, permits - count, 0}
end
return {0, 0, redis.call('PTTL', KEYS[1])}
