-- KEYS[1] a hash of window number, its count and the count before; ARGV: permits, width in microseconds.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local permits, width = tonumber(ARGV[1]), tonumber(ARGV[2])
local number = math.floor(now / width)
local held = redis.call('HMGET', KEYS[1], 'n', 'c', 'p')
local count, before = 0, 0
if tonumber(held[1]) == number then
  count, before = tonumber(held[2]), tonumber(held[3])
elseif tonumber(held[1]) == number - 1 then
  before = tonumber(held[2])
end
local used = before * (1 - (now % width) / width) + count
if used + 1 > permits then
  return {0, 0, math.ceil((width - now % width) / 1000)}
end
redis.call('HSET', KEYS[1], 'n', number, 'c', count + 1, 'p', before)
redis.call('PEXPIRE', KEYS[1], math.ceil(2 * width / 1000))
return {1, math.floor(permits - used - 1), 0}
