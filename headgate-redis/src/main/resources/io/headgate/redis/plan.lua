-- One call for one key under one plan: a batch of operations, applied in order at one time. Every limit is read and judged before
-- any is written, and a denial writes only repairs: of a TTL, and of a state that is ahead of now or was written under other numbers.
--
-- KEYS   the state of each limit, in the plan's order;
--        the home of the first limit: the key of its state while another limit is first;
--        if this call repeats one that was answered by "moved:", the key to which the state that is in the way is to be moved.
--        A plan of one limit may pass its state only. Either because that is believed to exist; or because its slot is moving to
--        another node, and calls with keys that are not here are rejected: then the name of the home is the last argument, and is
--        read only if there is no state.
-- ARGV   doubles: the numbers of each limit, as the file of its algorithm says; then up to 64 operations. A number above 0 takes that
--        many permits now or not at all. A 0 is followed by a letter, a cost and a wait in microseconds: "w" takes permits, and
--        reserves a slot if that is no further ahead than the wait; "p" peeks; "x" resets; "r" refunds a charge, and is followed by
--        the numbers of the charge that the file of each algorithm lists. "x" and "r" then peek;
--        for each limit the further arguments that its file lists, and its name if it has one.
-- reply  doubles: the time, and a hash of which operations took permits: it starts as 0, and each of them multiplies it by 31 and
--        adds its place, modulo 2^32;
--        the state of each limit as it was found, mended if necessary, or "-" if there is none or it no longer counts: applying the
--        operations to these states yields the same answers.
--        A limit is "told" if the file of its algorithm says so, because its state is not understood here. It has no state in the
--        reply. Instead there are, for every operation, doubles: the delay of a grant or -1 for a denial; and for every told limit
--        what remains, the wait for the cost (if there is none, the time until more remains, negated), and the time to a full budget.
--        Or "home:", if there is no state and no name of the home; "moved:" and the id of the limit whose state is in the way;
--        "time:" and the time, if no window contains it; or "raced:", if a state has changed since the new one was computed from it.
-- TTL    the time to a full budget and a second more, after every write. A call that does not write repairs a TTL that is missing
--        or would end before the budget is full. If the limit that wrote the state is not known, or is 0 now, only a missing TTL is
--        repaired, with 732 days: two of the longest windows.
--
-- The lines between "each" and "end" are repeated for every limit, those between "told" and "end" for every told limit; "_i" stands
-- for the limit's place in the plan.

--@ time
--@ wide
local input = ARGV[1]
local $numbers, cost, from = struct.unpack($given, input)
if KEYS[$limits + 2] then
  --@ identify
  if id and KEYS[$limits + 2] == '{' .. KEYS[1] .. '}:' .. id then
    redis.call('RENAME', KEYS[1], KEYS[$limits + 2])
    if redis.call('PTTL', KEYS[$limits + 2]) < 0 then
      redis.call('PEXPIRE', KEYS[$limits + 2], '63244800000')
    end
    kind = 'none'
  end
  if kind == 'none' and redis.call('EXISTS', KEYS[$limits + 1]) == 1 then
    redis.call('RENAME', KEYS[$limits + 1], KEYS[1])
  end
end

local strange
--@ each
local found_i, mended_i, dirty_i, wait_i, reset_i, state_i = false, false, false, 0, 0, '-'
--@ read
--@ end

if strange or not found_1 then
  local home = KEYS[$limits + 1] or ARGV[$arguments + 1]
  if not home then
    return 'home:'
  elseif strange or redis.call('EXISTS', home) == 1 then
    --@ identify
    if not strange or strange == 1 and id and home ~= '{' .. KEYS[1] .. '}:' .. id then
      return 'moved:' .. (id or '')
    elseif cost > 0 or string.sub(input, from, from) ~= 'x' then
      return redis.error_reply('HEADGATE cannot read the state at ' .. KEYS[strange])
    end
  end
end

-- A limit of 0 keeps the stored state unchanged: the plan may change again to a limit above 0.
--@ each
if n_i == 0 then
  if found_i and redis.call('PTTL', KEYS[i]) < 0 then
    redis.call('PEXPIRE', KEYS[i], '63244800000')
  end
  found_i, mended_i = false, false
end
--@ end

local writes, place, grants, told = false, 0, 0, ''
while true do
  local take, most = true, 0
  place = place + 1
  if cost == 0 then
    local letter
    letter, cost, most, from = struct.unpack('>c1dd', input, from)
    take = letter == 'w'
    if letter == 'r' then
      writes = true
      --@ each
      do
        --@ refund
      end
      --@ end
      cost = 1
    elseif letter == 'x' then
      redis.call('DEL', unpack(KEYS, 1, math.min(#KEYS, $limits + 1)))
      --@ each
      found_i, mended_i, dirty_i = false, false, false
      --@ fresh
      --@ end
    end
  end

  local delay, reserves, slot = 0, most > 0, 0
  --@ each
  wait_i = 0
  if cost > burst_i then
    delay = math.huge
  else
    --@ judge
    if wait_i > delay then
      delay = wait_i
    end
  end
  do
    --@ reserves
  end
  --@ end
  if delay > 0 then
    delay = math.max(delay, slot)
    if delay > most or not reserves then
      delay = -1
    end
  end

  if take then
    writes = true
  end
  if take and delay >= 0 then
    grants = (grants * 31 + place) % 4294967296
    --@ each
    do
      --@ take
    end
    found_i, dirty_i = true, true
    --@ end
  end
  --@ told
  if take and delay >= 0 then
    wait_i = 0
    --@ more
  elseif n_i == 0 then
    remaining_i, reset_i = 0, 0
  else
    --@ stand
    if wait_i == 0 then
      --@ more
    end
  end
  --@ end
  $tell
  if from > #input then
    break
  end
  cost, from = struct.unpack('>d', input, from)
end

--@ each
if dirty_i or found_i then
  --@ full
  local ttl = (reset_i - reset_i % 1000) / 1000 + margin
  if dirty_i or writes and mended_i then
    --@ write
  elseif redis.call('PTTL', KEYS[i]) * 1000 < reset_i then
    redis.call('PEXPIRE', KEYS[i], ttl)
  end
end
--@ end
return struct.pack('>dd', now, grants) .. $states
