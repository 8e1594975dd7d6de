-- sliding-window-log: never more than n in any w, exactly; every permit is remembered until it is w old. The twin of
-- SlidingWindowLog.java.
--
-- If w becomes shorter, permits are remembered for the longest w so far, since that may return; but never more of them than most, the
-- largest n so far, rounded up to a power of two. Of the older ones it is remembered how many they were, and they count as spent when
-- the newest of them was. born is when the first of the permits that count was spent, and tells charges from those of an earlier log.
--
-- key     a sorted set. One member for each permit: its score is when it was spent, its name the same, followed by a dash and a number of
--         seven digits if several were spent in that microsecond. And one member before them, its head, with the score -1: "s7", the
--         longest w, most, born, how many older permits are only counted, and when the newest of those was spent, with colons between them
-- charge  born, the time of the charge and the number of its first permit in that microsecond, with blanks between them
-- TTL     until the newest permit is as old as the longest w

-- The permit of that rank, or name: when it was spent, and its number in that microsecond; nil if that is not the name of a permit.
local function permit(s, rank, name)
  name = name or redis.call('ZRANGE', s.key, rank, rank)[1]
  local time = tonumber(name)
  if time then
    return time, 0
  end
  return tonumber(string.sub(name, 1, -9)), tonumber(string.sub(name, -7))
end

-- Looks up how many permits count, and when the first, the oldest that counts and the newest were spent. Takes the first two members of
-- the set. Returns whether it can be read.
local function look(s, first)
  local older = s.older_at > now - s.w and s.older or 0
  s.spent, s.first, s.oldest, s.newest, s.number = older, nil, now, s.older_at, 0
  if not first[2] then
    return s.older > 0
  end
  local newest, number = permit(s, '-1')
  s.first = permit(s, nil, first[2])
  if not newest or not s.first then
    return false
  end
  local count = redis.call('ZCARD', s.key) - 1
  s.oldest, s.newest = s.first, newest
  if s.first <= now - s.w then
    count = redis.call('ZCOUNT', s.key, now - s.w + 1, '+inf')
    s.oldest = count > 0 and permit(s, -count) or now
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
    s.head = string.format('s7:%.0f:%d:%s:%d:%.0f', s.longest, s.most, s.born, s.older, s.older_at)
    members, s.found = {'-1', s.head}, s.head
  end
  for number = s.number, s.number + s.added - 1 do
    members[#members + 1] = s.text
    members[#members + 1] = number == 0 and s.text or string.format('%s-%07d', s.text, number)
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
    local first = redis.pcall('ZRANGE', key, '0', '1')
    if first.err then
      return
    end
    w = w + 0
    -- spent counts all permits. first, oldest and newest are when the first in the set, the oldest that counts and the newest were spent.
    -- ahead of those in the set were spent ahead of now. added are spent but not in the set, under the names of now from that number on.
    -- head is what the first member has to be, nil if that is not known yet, and found what it is.
    local s = {
      key = key, n = n, w = w, text = string.format('%.0f', now),
      longest = w, most = 0, born = '', older = 0, older_at = 0,
      spent = 0, first = nil, oldest = now, newest = 0, ahead = 0, added = 0, number = 0,
      found = first[1], head = nil, changed = false, mended = false, forgotten = false,
    }
    if not first[1] then
      return s
    end
    local longest, most, born, older, older_at = string.match(first[1], '^s7:(%d+):(%d+):(%d+):(%d+):(%d+)$')
    if not longest or longest + 0 < 1000 then
      return
    end
    s.head, s.longest, s.most, s.born, s.older, s.older_at = first[1], longest + 0, most + 0, born, older + 0, older_at + 0
    if not look(s, first) then
      return
    end
    if s.newest + s.longest <= now then
      -- Nothing of it would count any more, even under the longest w.
      s.head, s.longest, s.most, s.born, s.older, s.older_at = nil, w, 0, '', 0, 0
      s.spent, s.first, s.oldest, s.newest, s.forgotten = 0, nil, now, 0, true
      return s
    end
    if s.longest < w then
      s.head, s.longest, s.mended = nil, w, true
    end
    if s.newest > now then
      -- What was spent ahead of now counts as spent now. Charges are no longer told apart.
      s.added, s.oldest, s.newest, s.older_at = s.ahead, math.min(s.oldest, now), now, math.min(s.older_at, now)
      s.head, s.born, s.mended = nil, string.format('%.0f', (born + 1) % 4294967296), true
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
      s.head, s.born = nil, string.format('%.0f', now % 4294967296)
    end
    if s.most < s.n then
      s.head, s.most = nil, 2 ^ select(2, math.frexp(s.n - 1))
    end
    local charge = s.born .. ' ' .. s.text .. ' ' .. s.number + s.added
    s.spent, s.added, s.newest, s.changed = s.spent + cost, s.added + cost, now, true
    return charge
  end,

  refund = function(s, cost, charge)
    local born, text, number = string.match(charge, '^(%d+) (%d+) (%d+)$')
    if born ~= s.born or text + 0 <= now - s.w or s.older > 0 and text + 0 <= s.older_at then
      return
    end
    flush(s)
    local back = 0
    for from = number, number + cost - 1, 1000 do
      local names = {}
      for i = from, math.min(number + cost, from + 1000) - 1 do
        names[#names + 1] = i == 0 and text or string.format('%s-%07d', text, i)
      end
      back = back + redis.call('ZREM', s.key, unpack(names))
    end
    if back > 0 then
      s.changed = true
      look(s, redis.call('ZRANGE', s.key, '0', '1'))
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
