-- One call for one subject under one plan: operations, applied in order at one time. Every limit is read and judged before any is
-- written; a denial writes only repairs, of a TTL and of a state that these numbers could not have written by now. The last file of
-- every script of a plan.
--
-- KEYS   the key of each limit
-- ARGV   four for each limit: the id of its algorithm, its permits, its period in microseconds, its burst; for the windows of a calendar
--        the period is where the previous, the current and the next window start and where that ends, with slashes between them.
--        Then up to 64 operations:
--          take <cost>             takes permits from all limits, or from none
--          reserve <cost> <wait>   the same, but may take a slot in the future, if that begins within so many microseconds
--          peek <cost>             asks what take would answer
--          refund <cost> <charge of each limit>   takes back a charge; an empty one is not taken back. Answered like peek 1
--          reset                   forgets what was spent. Answered like peek 1
-- reply  for every operation how many microseconds to wait before going ahead, or -1 for a denial; for each limit what remains, the wait
--        for the cost (-1 if it is more than the burst), how long until the budget is full, how long until more remains; and
--        after a grant of take or reserve, the charge of each limit.
--        Or "changed", if a state of a user's algorithm is not the one that was computed from; or "time" and the time, if it is in none
--        of the windows of a calendar. Then nothing was written.
-- TTL    until the budget is full, and a second more. If a limit is 0, its state stays as it is, and only a missing TTL is repaired, with
--        732 days, two of the longest windows.
local KEYS, ARGV, count = KEYS, ARGV, #KEYS
local place = 4 * count + 1
-- The state of each limit.
local states
-- The reply begins with room for the usual one, since a table is slow to grow.
local reply, size, repairs = {0, 0, 0, 0, 0, 0}, 0, false
while ARGV[place] do
  local operation, cost, longest = ARGV[place], 1, 0
  if operation == 'reset' then
    redis.call('DEL', unpack(KEYS))
    states, place = nil, place + 1
  else
    cost, place = ARGV[place + 1] + 0, place + 2
  end

  if not states then
    states = {}
    for i = 1, count do
      local id, permits, burst = ARGV[4 * i - 3], ARGV[4 * i - 2] + 0, ARGV[4 * i] + 0
      local algorithm, state, problem = algorithms[id], nil, nil
      if permits > 0 then
        state, problem = algorithm.read(KEYS[i], permits, ARGV[4 * i - 1], burst, id)
        if not state then
          return problem or redis.error_reply('HEADGATE cannot read the state at ' .. KEYS[i])
        end
        state.algorithm = algorithm
      else
        state = {}
        if redis.call('PTTL', KEYS[i]) == -1 then
          redis.call('PEXPIRE', KEYS[i], '63244800000')
        end
      end
      states[i], state.burst = state, burst
    end
  end

  if operation == 'reserve' then
    longest, place = ARGV[place] + 0, place + 1
  elseif operation == 'refund' then
    for i = 1, count do
      if states[i].algorithm and ARGV[place] ~= '' then
        states[i].algorithm.refund(states[i], cost, ARGV[place])
      end
      place = place + 1
    end
    cost = 1
  end
  local takes = operation == 'take' or operation == 'reserve'
  repairs = repairs or takes or operation == 'refund'

  local longest_wait = 0
  for i = 1, count do
    local state = states[i]
    local wait = cost > state.burst and math.huge or state.algorithm.wait(state, cost)
    if wait > longest_wait then
      longest_wait = wait
    end
  end
  local delay = longest_wait
  if delay > 0 and delay <= longest then
    for i = 1, count do
      local slot = states[i].algorithm.slot
      delay = math.max(delay, slot and slot(states[i], cost) or math.huge)
    end
  end
  local granted = delay <= longest
  takes = takes and granted

  size = size + 1
  reply[size] = granted and delay or -1
  local charges = size + 4 * count
  for i = 1, count do
    local state = states[i]
    local algorithm, burst = state.algorithm, state.burst
    local remaining, wait, full, more, lasts = 0, -1, 0, 0, nil
    if takes then
      reply[charges + i], wait = algorithm.take(state, cost, delay), 0
    elseif cost <= burst then
      wait = count == 1 and longest_wait or algorithm.wait(state, cost)
    end
    if algorithm then
      remaining, full, more, lasts = algorithm.standing(state)
      more = more or remaining < burst and algorithm.wait(state, remaining + 1) or 0
      state.lasts = lasts or full
    end
    reply[size + 1], reply[size + 2], reply[size + 3], reply[size + 4] = remaining, wait, full, more
    size = size + 4
  end
  size = takes and charges + count or charges
end

for i = 1, count do
  local state = states[i]
  local algorithm, time = state.algorithm, state.lasts
  if algorithm then
    local ttl = (time - time % 1000) / 1000 + margin
    if state.changed or repairs and state.mended then
      if algorithm.write then
        algorithm.write(state, ttl)
      else
        redis.call('SET', KEYS[i], state.found, 'PX', ttl)
      end
    elseif state.found and redis.call('PTTL', KEYS[i]) * 1000 < time then
      redis.call('PEXPIRE', KEYS[i], ttl)
    end
  end
end
for i = size + 1, 6 do
  reply[i] = nil
end
return reply
