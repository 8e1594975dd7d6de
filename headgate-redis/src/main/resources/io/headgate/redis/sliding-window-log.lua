-- sliding-window-log: never more than n in any w, exactly; every permit is remembered until it is w old. The twin of
-- SlidingWindowLog.java.
--
-- If w becomes shorter, permits are remembered for the longest w so far, since that may return; but never more of them than most, the
-- largest n so far, rounded up to a power of two. Of the older ones it is remembered how many they were, and they count as spent when
-- the newest of them was. born is when the first of the permits that count was spent, and tells charges from those of an earlier log.
--
-- key     a sorted set. One member for each permit: its score is when it was spent, its name the same (7 bytes) and a number that tells it
--         from others of that microsecond (4). And one member before them, its head, with the score -1: "s7"; the longest w (6); most,
--         born and how many older permits are only counted (4 each); when the newest of those was spent (7)
-- charge  born (4) and the name of its first permit, whose number the others follow
-- TTL     until the newest permit is as old as the longest w

-- When the permit of that rank was spent, and its number.
local function permit(s, rank)
  return struct.unpack('>I7I4', redis.call('ZRANGE', s.key, rank, rank)[1])
end

-- Looks up how many permits count, and when the first, the oldest that counts and the newest were spent. Takes the first three members
-- of the set. Returns whether it can be read.
local function look(s, first)
  local older = s.older_at > now - s.w and s.older or 0
  s.spent, s.first, s.oldest, s.newest, s.number = older, nil, now, s.older_at, 0
  if not first[2] then
    return s.older > 0
  end
  local last = redis.call('ZRANGE', s.key, '-1', '-1')[1]
  if #first[2] ~= 11 or #last ~= 11 then
    return false
  end
  local newest, number = struct.unpack('>I7I4', last)
  local oldest = struct.unpack('>I7', first[2])
  local count = redis.call('ZCARD', s.key) - 1
  s.first, s.oldest, s.newest = oldest, oldest, newest
  if s.first <= now - s.w then
    -- Often only the first is too old.
    count, s.oldest = count - 1, first[3] and struct.unpack('>I7', first[3]) or now
    if s.oldest <= now - s.w then
      count = redis.call('ZCOUNT', s.key, now - s.w + 1, '+inf')
      s.oldest = count > 0 and permit(s, -count) or now
    end
  end
  s.spent = older + count
  if newest == now then
    s.number = number + 1
  elseif newest > now then
    s.ahead = redis.call('ZCOUNT', s.key, now + 1, '+inf')
    local before, last = permit(s, -1 - s.ahead)
    s.number = before == now and last + 1 or 0
  end
  return true
end

-- Writes everything but the TTL.
local function flush(s)
  if s.forgotten and s.added > 0 then
    redis.call('DEL', s.key)
    s.found, s.forgotten = nil, false
  end
  if s.ahead > 0 then
    redis.call('ZREMRANGEBYSCORE', s.key, now + 1, '+inf')
    s.ahead = 0
  end
  if s.changed and s.added > 0 and s.first then
    if s.first <= now - s.longest then
      redis.call('ZREMRANGEBYSCORE', s.key, '0', now - s.longest)
    end
    -- Under the longest w, those that count are all there are, and they are never too many.
    local excess = s.longest > s.w and redis.call('ZCARD', s.key) - 1 + s.added - s.most or 0
    if excess > 0 then
      s.older_at, s.older, s.head = permit(s, excess), math.min(2147483647, s.older + excess), nil
      redis.call('ZREMRANGEBYRANK', s.key, 1, excess)
    end
  end
  local members = {}
  if not s.head then
    if s.found then
      redis.call('ZREM', s.key, s.found)
    end
    s.head = struct.pack('>c2I6I4I4I4I7', 's7', s.longest, s.most, s.born, s.older, s.older_at)
    members, s.found = {'-1', s.head}, s.head
  end
  for number = s.number, s.number + s.added - 1 do
    members[#members + 1], members[#members + 2] = now, struct.pack('>I7I4', now, number)
    if #members >= 2000 then
      redis.call('ZADD', s.key, unpack(members))
      members = {}
    end
  end
  if members[1] then
    redis.call('ZADD', s.key, unpack(members))
  end
  if s.added > 0 then
    s.first, s.number, s.added = s.first or now, s.number + s.added, 0
  end
end

algorithms['sliding-window-log'] = {
  read = function(key, n, w)
    local first = redis.pcall('ZRANGE', key, '0', '2')
    if first.err then
      return
    end
    w = w + 0
    -- spent counts all permits. first, oldest and newest are when the first in the set, the oldest that counts and the newest were spent.
    -- ahead of those in the set were spent ahead of now. added are spent but not in the set, under the names of now from that number on.
    -- head is what the first member has to be, nil if that is not known yet, and found what it is.
    local s = {
      key = key, n = n, w = w,
      longest = w, most = 0, born = nil, older = 0, older_at = 0,
      spent = 0, first = nil, oldest = now, newest = 0, ahead = 0, added = 0, number = 0,
      found = first[1], head = nil, changed = false, mended = false, forgotten = false,
    }
    if not first[1] then
      return s
    end
    if #first[1] ~= 27 or string.sub(first[1], 1, 2) ~= 's7' then
      return
    end
    s.head, s.longest, s.most, s.born, s.older, s.older_at = first[1], struct.unpack('>I6I4I4I4I7', first[1], 3)
    if s.longest < 1000 or not look(s, first) then
      return
    end
    if s.newest + s.longest <= now then
      -- Nothing of it would count any more, even under the longest w.
      s.head, s.longest, s.most, s.born, s.older, s.older_at = nil, w, 0, nil, 0, 0
      s.spent, s.first, s.oldest, s.newest, s.forgotten = 0, nil, now, 0, true
      return s
    end
    if s.longest < w then
      s.head, s.longest, s.mended = nil, w, true
    end
    if s.newest > now then
      -- What was spent ahead of now counts as spent now. Charges are no longer told apart.
      s.added, s.oldest, s.newest, s.older_at = s.ahead, math.min(s.oldest, now), now, math.min(s.older_at, now)
      s.head, s.born, s.mended = nil, (s.born + 1) % 4294967296, true
    end
    return s
  end,

  wait = function(s, cost)
    local excess = s.spent + cost - s.n
    if excess <= 0 then
      return 0
    end
    local since, older = s.oldest, s.older_at > now - s.w and s.older or 0
    if excess <= older then
      since = s.older_at
    elseif excess > older + 1 then
      local from_newest = s.spent - s.added - excess
      since = from_newest >= 0 and permit(s, -1 - from_newest - s.ahead) or now
    end
    return since + s.w - now
  end,

  take = function(s, cost)
    if s.spent == 0 then
      s.head, s.born = nil, now % 4294967296
      if s.newest + s.longest <= now then
        -- An operation before has taken back all there was.
        s.longest, s.most, s.older, s.older_at = s.w, 0, 0, 0
      end
    end
    if s.most < s.n then
      s.head, s.most = nil, 2 ^ select(2, math.frexp(s.n - 1))
    end
    local charge = struct.pack('>I4I7I4', s.born, now, s.number + s.added)
    s.spent, s.added, s.newest, s.changed = s.spent + cost, s.added + cost, now, true
    return charge
  end,

  refund = function(s, cost, charge)
    local born, time, number = struct.unpack('>I4I7I4', charge)
    if born ~= s.born or time <= now - s.w or s.older > 0 and time <= s.older_at then
      return
    end
    flush(s)
    local back = 0
    for from = number, number + cost - 1, 1000 do
      local names = {}
      for i = from, math.min(number + cost, from + 1000) - 1 do
        names[#names + 1] = struct.pack('>I7I4', time, i)
      end
      back = back + redis.call('ZREM', s.key, unpack(names))
    end
    if back > 0 then
      s.changed = true
      look(s, redis.call('ZRANGE', s.key, '0', '2'))
    end
  end,

  standing = function(s)
    local age = now - s.newest
    return s.spent < s.n and s.n - s.spent or 0, age < s.w and s.w - age or 0, nil, age < s.longest and s.longest - age or 0
  end,

  write = function(s, ttl)
    flush(s)
    if s.first or s.older > 0 then
      redis.call('PEXPIRE', s.key, ttl)
    else
      redis.call('DEL', s.key)
      s.found = nil
    end
  end,
}
