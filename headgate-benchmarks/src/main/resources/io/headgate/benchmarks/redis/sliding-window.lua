-- KEYS[1] a hash: what was taken in each tenth of the width, under its number; ARGV: permits, width in microseconds.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local permits, part = tonumber(ARGV[1]), tonumber(ARGV[2]) / 10
local number = math.floor(now / part)
local held = redis.call('HGETALL', KEYS[1])
local used, oldest = 0, number
for i = 1, #held, 2 do
  if tonumber(held[i]) < number - 10 then
    redis.call('HDEL', KEYS[1], held[i])
  else
    used, oldest = used + held[i + 1], math.min(oldest, tonumber(held[i]))
  end
end
if used >= permits then
  return {0, 0, math.ceil(((oldest + 11) * part - now) / 1000)}
end
redis.call('HINCRBY', KEYS[1], number, 1)
redis.call('PEXPIRE', KEYS[1], math.ceil(11 * part / 1000))
return {1, permits - used - 1, 0}
