-- own: an algorithm of the user's. It is computed in Java, for one operation; here its state is compared, and set.
--
-- KEYS   a string: "u1"; the length of the limit's id, in 2 bytes, and the id; the same of its text; the numbers of the state, in
--        8 bytes each
-- ARGV   n, burst. And arguments of their own: the string that was computed from, or nothing if there was none; what it starts with in
--        any case; as doubles the wait, whether a slot can be reserved, what remains, the time to a full budget and until more
--        remains once the cost is taken, and the same if it is not; the string after a take or a refund, and the one that a
--        refusal leaves, or nothing
-- reply  told, or "raced:" if the string is another by now
-- TTL    until the algorithm says that the budget is full, and a second more

--# numbers
n_i, burst_i

--# read
local value_i, remaining_i, more_i = ARGV[arg_i + 5], 0, 0
mended_i = value_i ~= ''
found_i = redis.pcall('GET', KEYS[i])
if found_i and (type(found_i) == 'table' or string.sub(found_i, 1, #ARGV[arg_i + 2]) ~= ARGV[arg_i + 2]) then
  strange = strange or i
elseif (found_i or '') ~= ARGV[arg_i + 1]
  and (found_i or i > 1 or redis.call('EXISTS', KEYS[$limits + 1] or ARGV[$arguments + 1]) == 0) then
  return 'raced:'
end

--# fresh
value_i = ''

--# judge
wait_i = struct.unpack('>d', ARGV[arg_i + 3])

--# reserves
reserves = reserves and struct.unpack('>d', ARGV[arg_i + 3], 9) == 1

--# take
value_i = ARGV[arg_i + 4]
remaining_i, reset_i, more_i = struct.unpack('>ddd', ARGV[arg_i + 3], 17)

--# stand
remaining_i, reset_i, more_i = struct.unpack('>ddd', ARGV[arg_i + 3], 41)

--# more
wait_i = -more_i

--# full

--# refund
if found_i and ARGV[arg_i + 4] ~= '' then
  value_i, dirty_i = ARGV[arg_i + 4], true
end

--# write
redis.call('SET', KEYS[i], value_i, 'PX', ttl)
