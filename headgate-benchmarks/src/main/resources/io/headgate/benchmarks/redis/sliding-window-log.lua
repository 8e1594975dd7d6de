-- KEYS[1] the log; ARGV: permits, width in microseconds, a member that nobody else has.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local permits, width = tonumber(ARGV[1]), tonumber(ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - width)
local count = redis.call('ZCARD', KEYS[1])
if count >= permits then
  local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
  return {0, 0, math.ceil((oldest[2] + width - now) / 1000)}
end
redis.call('ZADD', KEYS[1], now, ARGV[3])
redis.call('PEXPIRE', KEYS[1], math.ceil(width / 1000))
return {1, permits - count - 1, 0}
