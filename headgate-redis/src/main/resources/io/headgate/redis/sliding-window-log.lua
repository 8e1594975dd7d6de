-- sliding-window-log: never more than n in any w, exactly; every permit is remembered until it is w old. The twin of
-- SlidingWindowLog.java.
--
-- If w becomes shorter, permits are remembered for the longest w so far, since that may return; but never more of them than most, the
-- largest n so far, rounded up to a power of two. Of the older ones it is remembered how many they were, and they count as spent when
-- the newest of them was. born is when the first of the permits that count was spent, and tells charges from those of an earlier log.
--
-- key     a sorted set. One member for each permit: its score is when it was spent, its name the same, followed by a dash and a number if
--         several were spent in that microsecond. And one member before them, with the longest w as a negative score: "s6:", most, born,
--         how many older permits are only counted, and when the newest of those was spent, with colons between them
-- charge  born, the time of the charge and the number of its first permit in that microsecond, with blanks between them
-- TTL     until the newest permit is as old as the longest w
-- When the permit of that rank was spent.
local function spent_at(s, rank)
  return tonumber(redis.call('ZRANGE', s.key, rank, rank, 'WITHSCORES')[2])
end

-- Looks up the newest permit.
local function look_back(s)
  local last = redis.call('ZREVRANGE', s.key, '0', '0', 'WITHSCORES')
  s.newest, s.number = tonumber(last[2]), 0
  if s.newest == now then
    s.number = (string.match(last[1], '%-(%d+)$') or 0) + 1
  end
end

-- Finds out which permits count.
local function look(s)
  s.old, s.number, s.newest = 0, 0, s.older > 0 and s.older_at or 0
  if s.size > 0 then
    look_back(s)
  end
  if s.size > 0 and s.oldest <= now - s.w then
    if s.second and s.second + 0 > now - s.w then
      s.old, s.oldest = 1, s.second + 0
    else
      s.old = redis.call('ZCOUNT', s.key, 0, now - s.w)
      s.oldest = s.old < s.size and spent_at(s, s.old + 1) or s.newest
    end
  end
  s.second = nil
end

-- How many permits count: of those without a member, and of all.
local function count_older(s)
  return s.older_at > now - s.w and s.older or 0
end

local function count(s)
  return count_older(s) + s.size - s.old + s.added
end

-- Moves what was spent ahead of now to now.
local function move(s)
  if s.ahead > 0 then
    local moved = redis.call('ZREMRANGEBYSCORE', s.key, '(' .. s.text, '+inf')
    look_back(s)
    s.size, s.ahead, s.added, s.newest = s.size - moved, 0, s.added + moved, now
  end
end

-- Writes everything but the TTL.
local function flush(s)
  move(s)
  if s.forgotten and s.added > 0 then
    redis.call('DEL', s.key)
    s.forgotten, s.found, s.size, s.old = false, nil, 0, 0
  end
  if s.changed and s.added > 0 and s.found then
    -- What is too old goes, and so do the oldest if there are too many.
    if s.old > 0 then
      local gone = redis.call('ZREMRANGEBYSCORE', s.key, 0, now - s.longest)
      s.size, s.old = s.size - gone, s.old - gone
    end
    local excess = s.size + s.added - s.most
    if excess > 0 then
      s.older_at = spent_at(s, excess)
      redis.call('ZREMRANGEBYRANK', s.key, 1, excess)
      s.size, s.old, s.older, s.renamed = s.size - excess, s.old - excess, math.min(2147483647, s.older + excess), true
    end
  end
  local arguments = {}
  if not s.found or s.renamed or s.mended then
    if s.found then
      redis.call('ZREM', s.key, s.found)
    end
    s.found = string.format('s6:%d:%.0f:%d:%.0f', s.most, s.born, s.older, s.older_at)
    arguments, s.renamed, s.mended = {-s.longest, s.found}, false, false
  end
  if s.size == s.old then
    s.oldest = now
  end
  for i = s.number, s.number + s.added - 1 do
    arguments[#arguments + 1] = s.text
    arguments[#arguments + 1] = i == 0 and s.text or string.format('%s-%07d', s.text, i)
    if #arguments >= 2000 then
      redis.call('ZADD', s.key, unpack(arguments))
      arguments = {}
    end
  end
  if arguments[1] then
    redis.call('ZADD', s.key, unpack(arguments))
  end
  s.size, s.number, s.added = s.size + s.added, s.number + s.added, 0
  if s.size + s.older == 0 then
    redis.call('DEL', s.key)
    s.found = nil
  end
end

algorithms['sliding-window-log'] = {
  read = function(key, n, w)
    local first = redis.pcall('ZRANGE', key, '0', '2', 'WITHSCORES')
    if first.err then
      return
    end
    w = w + 0
    local s = {
      key = key, n = n, w = w, text = string.format('%.0f', now),
      longest = w, most = 0, born = now % 4294967296, older = 0, older_at = 0,
      -- How many permits are in the set, how many of them are too old to count, how many were spent ahead of now; when the oldest
      -- that counts, perhaps the one after it, and the newest were spent.
      size = 0, old = 0, ahead = 0, oldest = 0, second = nil, newest = 0,
      -- How many permits this call has spent, and the number of the next one in this microsecond.
      added = 0, number = 0,
      -- The first member as it was found.
      found = nil, changed = false, mended = false, renamed = false, forgotten = false,
    }
    if first[1] then
      local most_then, born_then, older_then, older_at_then = string.match(first[1], '^s6:(%d+):(%d+):(%d+):(%d+)$')
      s.size, s.oldest, s.second = redis.call('ZCARD', s.key) - 1, tonumber(first[4] or 0), first[6]
      if not most_then or tonumber(first[2]) > -1000 or s.oldest < 0 or s.size == 0 and older_then == '0' then
        return
      end
      s.found, s.longest, s.most, s.born = first[1], -first[2], most_then + 0, born_then + 0
      s.older, s.older_at = older_then + 0, older_at_then + 0
      look(s)
      if s.newest + s.longest <= now then
        s.forgotten, s.old, s.older, s.newest, s.born, s.longest, s.most = true, s.size, 0, 0, now % 4294967296, s.w, 0
      else
        if s.longest < s.w then
          s.longest, s.mended = s.w, true
        end
        if s.newest > now then
          -- What was spent ahead of now counts as spent now. Charges are no longer told apart.
          s.ahead = redis.call('ZCOUNT', s.key, '(' .. s.text, '+inf')
          s.older_at, s.oldest, s.newest = math.min(s.older_at, now), math.min(s.oldest, now), now
          s.born, s.mended = (s.born + 1) % 4294967296, true
        end
      end
    end
    return s
  end,

  wait = function(s, cost)
    local excess = count(s) + cost - s.n
    if excess <= 0 then
      return 0
    end
    local spent = now
    if excess <= count_older(s) then
      spent = s.older_at
    else
      excess = excess - count_older(s)
      if excess == 1 and s.size > s.old then
        spent = s.oldest
      elseif excess <= s.size - s.old then
        spent = math.min(now, spent_at(s, s.old + excess))
      end
    end
    return spent + s.w - now
  end,

  take = function(s, cost)
    move(s)
    if count(s) == 0 then
      s.born, s.renamed = now % 4294967296, true
    end
    if s.most < s.n then
      s.most, s.renamed = 2 ^ select(2, math.frexp(s.n - 1)), true
    end
    local charge = string.format('%.0f %s %d', s.born, s.text, s.number + s.added)
    s.added, s.newest, s.changed = s.added + cost, now, true
    return charge
  end,

  refund = function(s, cost, charge)
    local born_then, time_then, first_then = string.match(charge, '^(%d+) (%d+) (%d+)$')
    time_then = tonumber(time_then)
    if not s.found and s.added == 0 or tonumber(born_then) ~= s.born or time_then <= now - s.w
      or s.older > 0 and time_then <= s.older_at then
      return
    end
    flush(s)
    local back, text_then = 0, string.format('%.0f', time_then)
    for from = 0, cost - 1, 1000 do
      local names = {}
      for i = first_then + from, first_then + math.min(cost, from + 1000) - 1 do
        names[#names + 1] = i == 0 and text_then or string.format('%s-%07d', text_then, i)
      end
      back = back + redis.call('ZREM', s.key, unpack(names))
    end
    if back > 0 then
      s.size, s.changed = s.size - back, true
      s.oldest = s.size > 0 and spent_at(s, 1) or 0
      look(s)
    end
  end,

  standing = function(s)
    local remaining, time = s.n - count(s), s.newest - now
    return remaining > 0 and remaining or 0, time + s.w > 0 and time + s.w or 0, nil, time + s.longest > 0 and time + s.longest or 0
  end,

  write = function(s, ttl)
    flush(s)
    if s.found then
      redis.call('PEXPIRE', s.key, ttl)
    end
  end,
}
