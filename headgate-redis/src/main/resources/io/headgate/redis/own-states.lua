-- What the user's algorithms are computed from.
--
-- KEYS   where their states are kept; for the first limit of a plan also its home, after it, unless its slot moves to another node
-- ARGV   nothing
-- reply  the time, as a double; for every key the length of its string, in 4 bytes, and the string; or -1 if there is none
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
