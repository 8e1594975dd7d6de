-- Returns the states that the user's algorithms are computed from.
--
-- KEYS   the keys of these states; after that of a plan's first limit also its home, unless its slot is moving to another node
-- ARGV   nothing
-- reply  the time, as a double; for every key the length of its string, in 4 bytes, and the string; or a length of -1 if there is none
-- TTL    nothing is written

--@ time
local reply = struct.pack('>d', now)
for place = 1, #KEYS do
  local value = redis.pcall('GET', KEYS[place])
  if type(value) == 'string' then
    reply = reply .. struct.pack('>i4', #value) .. value
  else
    reply = reply .. struct.pack('>i4', -1)
  end
end
return reply
