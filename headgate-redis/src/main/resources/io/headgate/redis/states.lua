-- Returns the states that the user's algorithms are computed from.
--
-- KEYS   the keys of these states
-- ARGV   nothing
-- reply  the time; for every key its string, or nil if it has none
-- TTL    nothing is written
local reply = {now}
for i = 1, #KEYS do
  local value = redis.pcall('GET', KEYS[i])
  reply[i + 1] = type(value) == 'string' and value
end
return reply
