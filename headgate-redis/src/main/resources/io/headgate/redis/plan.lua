-- One call for one key under one plan: a batch of operations, applied in order at one time. Every limit is read and judged
-- before any is written, and a refusal writes nothing but repairs: a TTL, and a state that lies ahead of now or is of other numbers.
--
-- KEYS   the state of each limit, in the plan's order;
--        the home of the first one, where its state is kept while another limit is first;
--        where to move the state that was in the way, if the answer to this call was "moved:".
--        Only the state, for a plan of one limit in a slot that moves to another node: a call with keys that are not there is
--        refused then. The name of the home is the last argument instead, and is looked at only if there is no state.
-- ARGV   the numbers of each limit, as the file of its algorithm says, and its name if it has one;
--        then up to 64 operations: a bare number takes so many permits now or not at all. Otherwise a letter, a cost and a wait
--        in microseconds, as doubles: "w" takes, reserving a slot if that is no further ahead; "p" asks; "x" forgets
--        what was spent and "r" takes a charge back, followed by what the reply said of it, and both then ask.
-- reply  doubles, for every operation: the delay of a grant or -1 for a refusal; for every limit what remains, the wait for
--        the cost, or less than 0 if there is none: how long until more remains, and the time to a full budget; for every limit
--        the numbers a refund needs, as the file of its algorithm says.
--        Or "moved:" and the id of the limit whose state is in the way; or "time:" and the time, if no window contains it.
-- TTL    the time to a full budget and a second more, after every write. A call that does not write mends a TTL that is gone
--        or would end before the budget is full.
--
-- Between "each" and "end" are lines for every limit; "_i" stands for its place in the plan.

--@ time
--@ wide
local home, last = KEYS[$limits + 1], #ARGV
if not home then
  home, last = ARGV[last], last - 1
end
if #KEYS > $limits + 1 then
  --@ identify
  if id and KEYS[$limits + 2] == '{' .. KEYS[1] .. '}:' .. id then
    redis.call('RENAME', KEYS[1], KEYS[$limits + 2])
    kind = 'none'
  end
  if kind == 'none' and redis.call('EXISTS', home) == 1 then
    redis.call('RENAME', home, KEYS[1])
  end
end

local strange
--@ each
local found_i, mended_i, dirty_i, wait_i, remaining_i, reset_i = false, false, false, 0, 0, 0
--@ read
--@ end

if strange or not found_1 and redis.call('EXISTS', home) == 1 then
  --@ identify
  if not strange or strange == 1 and id and home ~= '{' .. KEYS[1] .. '}:' .. id then
    return 'moved:' .. (id or '')
  elseif string.sub(ARGV[$operations], 1, 1) ~= 'x' then
    return redis.error_reply('HEADGATE cannot read the state at ' .. KEYS[strange])
  end
end

-- A limit of 0 leaves what was spent before as it is: the next one may be another.
--@ each
if n_i == 0 then
  found_i, mended_i = false, false
end
--@ end

-- One operation, as most calls have, needs no table for its reply.
local writes, reply, replies = false, nil, last > $operations and {} or nil
for place = $operations, last do
  local operation = ARGV[place]
  local take, cost, most = true, tonumber(operation), 0
  if not cost then
    local letter
    letter, cost, most = struct.unpack('>c1dd', operation)
    take = letter == 'w'
    if letter == 'r' then
      writes = true
      local from = 18
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

  local delay, reserves = 0, most > 0
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
  --@ reserves
  --@ end
  if delay > 0 and (delay > most or not reserves) then
    delay = -1
  end

  if take then
    writes = true
  end
  if take and delay >= 0 then
    --@ each
    do
      --@ take
      wait_i = 0
      --@ more
      found_i, dirty_i = true, true
    end
    --@ end
  else
    --@ each
    if n_i == 0 then
      remaining_i, reset_i = 0, 0
    else
      --@ stand
      if wait_i == 0 then
        --@ more
      end
    end
    --@ end
  end
  reply = struct.pack($format, delay, $numbers)
  if replies then
    replies[place] = reply
  end
end

--@ each
do
  local ttl = (reset_i - reset_i % 1000) / 1000 + margin
  if dirty_i or writes and mended_i then
    --@ write
  elseif found_i and redis.call('PTTL', KEYS[i]) * 1000 < reset_i then
    redis.call('PEXPIRE', KEYS[i], ttl)
  end
end
--@ end
return replies and table.concat(replies, '', $operations, last) or reply
