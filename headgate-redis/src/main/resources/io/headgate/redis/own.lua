-- own: an algorithm of the user's. Java computes its state, for one operation; this script compares the state and sets it.
--
-- KEYS   a string: "u1"; the length of the limit's id, in 2 bytes, and the id; the length and the text of the limit likewise; the
--        numbers of the state, in 8 bytes each
-- ARGV   n, burst. And five separate arguments: the string that the state was computed from, or an empty one if there was none;
--        the start of all strings of this limit; as doubles the wait, the time until the slot that can be reserved or -1, what
--        remains, the time to a full budget, the time until more remains and the time until the state may be forgotten if the cost
--        is taken, and the same four if it is not; the string after a take or a refund, or an empty one; the string that a denial
--        leaves, or an empty one if it leaves all as it is
-- reply  told, as plan.lua explains; or "raced:" if the string has changed since
-- TTL    until the algorithm says that the state may be forgotten, and a second more

--# numbers
n_i, burst_i

--# read
local value_i, remaining_i, more_i, kept_i = ARGV[arg_i + 5], 0, 0, 0
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
local ahead = struct.unpack('>d', ARGV[arg_i + 3], 9)
reserves, slot = reserves and ahead >= 0, math.max(slot, ahead)

--# take
value_i = ARGV[arg_i + 4]
remaining_i, reset_i, more_i, kept_i = struct.unpack('>dddd', ARGV[arg_i + 3], 17)

--# stand
remaining_i, reset_i, more_i, kept_i = struct.unpack('>dddd', ARGV[arg_i + 3], 49)

--# more
wait_i = -more_i

--# full
reset_i = kept_i

--# refund
if found_i and ARGV[arg_i + 4] ~= '' then
  value_i, dirty_i = ARGV[arg_i + 4], true
end

--# write
redis.call('SET', KEYS[i], value_i, 'PX', ttl)
