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
algorithms['sliding-window-log'] = function(key, n, w)
  w = w + 0
  local longest, most, born, older, older_at = w, 0, now % CYCLE, 0, 0
  -- How many permits are in the set, how many of them are too old to count, how many were spent ahead of now; when the oldest that
  -- counts, perhaps the one after it, and the newest were spent.
  local size, old, ahead, oldest, second, newest = 0, 0, 0, 0, nil, 0
  -- How many permits this call has spent, and the number of the next one in this microsecond.
  local added, number = 0, 0
  local changed, mended, renamed, forgotten, header = false, false, false, false, nil
  local text = string.format('%.0f', now)

  -- When the permit of that rank was spent.
  local function time(rank)
    return tonumber(redis.call('ZRANGE', key, rank, rank, 'WITHSCORES')[2])
  end

  -- Looks up the newest permit.
  local function look_back()
    local last = redis.call('ZREVRANGE', key, 0, 0, 'WITHSCORES')
    newest, number = tonumber(last[2]), 0
    if newest == now then
      number = (string.match(last[1], '%-(%d+)$') or 0) + 1
    end
  end

  -- Finds out which permits count.
  local function look()
    old, number, newest = 0, 0, older > 0 and older_at or 0
    if size > 0 then
      look_back()
    end
    if size > 0 and oldest <= now - w then
      if second and second > now - w then
        old, oldest = 1, second
      else
        old = redis.call('ZCOUNT', key, 0, now - w)
        oldest = old < size and time(old + 1) or newest
      end
    end
    second = nil
  end

  local first = redis.pcall('ZRANGE', key, 0, 2, 'WITHSCORES')
  if first.err then
    return
  elseif first[1] then
    local most_then, born_then, older_then, older_at_then = string.match(first[1], '^s6:(%d+):(%d+):(%d+):(%d+)$')
    size, oldest, second = redis.call('ZCARD', key) - 1, tonumber(first[4] or 0), first[6] and first[6] + 0
    if not most_then or tonumber(first[2]) > -1000 or oldest < 0 or size == 0 and older_then == '0' then
      return
    end
    header, longest, most, born = first[1], -first[2], most_then + 0, born_then + 0
    older, older_at = older_then + 0, older_at_then + 0
    look()
    if newest + longest <= now then
      forgotten, old, older, newest, born, longest, most = true, size, 0, 0, now % CYCLE, w, 0
    else
      if longest < w then
        longest, mended = w, true
      end
      if newest > now then
        -- What was spent ahead of now counts as spent now. Charges are no longer told apart.
        ahead = redis.call('ZCOUNT', key, '(' .. text, '+inf')
        older_at, oldest, newest = math.min(older_at, now), math.min(oldest, now), now
        born, mended = (born + 1) % CYCLE, true
      end
    end
  end

  -- How many permits count: of those without a member, and of all.
  local function count_older()
    return older_at > now - w and older or 0
  end

  local function count()
    return count_older() + size - old + added
  end

  -- Moves what was spent ahead of now to now.
  local function move()
    if ahead > 0 then
      local moved = redis.call('ZREMRANGEBYSCORE', key, '(' .. text, '+inf')
      look_back()
      size, ahead, added, newest = size - moved, 0, added + moved, now
    end
  end

  -- Writes everything but the TTL.
  local function flush()
    move()
    if forgotten and added > 0 then
      redis.call('DEL', key)
      forgotten, header, size, old = false, nil, 0, 0
    end
    if changed and added > 0 and header then
      -- What is too old goes, and so do the oldest if there are too many.
      if old > 0 then
        local gone = redis.call('ZREMRANGEBYSCORE', key, 0, now - longest)
        size, old = size - gone, old - gone
      end
      local excess = size + added - most
      if excess > 0 then
        older_at = time(excess)
        redis.call('ZREMRANGEBYRANK', key, 1, excess)
        size, old, older, renamed = size - excess, old - excess, math.min(MOST, older + excess), true
      end
    end
    local arguments = {}
    if not header or renamed or mended then
      if header then
        redis.call('ZREM', key, header)
      end
      header = string.format('s6:%d:%.0f:%d:%.0f', most, born, older, older_at)
      arguments, renamed, mended = {-longest, header}, false, false
    end
    if size == old then
      oldest = now
    end
    for i = number, number + added - 1 do
      arguments[#arguments + 1] = text
      arguments[#arguments + 1] = i == 0 and text or string.format('%s-%07d', text, i)
      if #arguments >= 2000 then
        redis.call('ZADD', key, unpack(arguments))
        arguments = {}
      end
    end
    if arguments[1] then
      redis.call('ZADD', key, unpack(arguments))
    end
    size, number, added = size + added, number + added, 0
    if size + older == 0 then
      redis.call('DEL', key)
      header = nil
    end
  end

  local function wait(cost)
    local excess = count() + cost - n
    if excess <= 0 then
      return 0
    end
    local spent = now
    if excess <= count_older() then
      spent = older_at
    else
      excess = excess - count_older()
      if excess == 1 and size > old then
        spent = oldest
      elseif excess <= size - old then
        spent = math.min(now, time(old + excess))
      end
    end
    return spent + w - now
  end

  local function slot()
    return nil
  end

  local function take(cost)
    move()
    if count() == 0 then
      born, renamed = now % CYCLE, true
    end
    if most < n then
      most, renamed = 2 ^ select(2, math.frexp(n - 1)), true
    end
    local charge = string.format('%.0f %s %d', born, text, number + added)
    added, newest, changed = added + cost, now, true
    return charge
  end

  local function refund(cost, charge)
    local born_then, time_then, first_then = string.match(charge, '^(%d+) (%d+) (%d+)$')
    time_then = tonumber(time_then)
    if not header and added == 0 or tonumber(born_then) ~= born or time_then <= now - w
      or older > 0 and time_then <= older_at then
      return
    end
    flush()
    local back, text_then = 0, string.format('%.0f', time_then)
    for from = 0, cost - 1, 1000 do
      local names = {}
      for i = first_then + from, first_then + math.min(cost, from + 1000) - 1 do
        names[#names + 1] = i == 0 and text_then or string.format('%s-%07d', text_then, i)
      end
      back = back + redis.call('ZREM', key, unpack(names))
    end
    if back > 0 then
      size, changed = size - back, true
      oldest = size > 0 and time(1) or 0
      look()
    end
  end

  local function standing()
    return math.max(0, n - count()), math.max(0, newest + w - now)
  end

  local function write(repairs)
    if changed or repairs and mended then
      flush()
      if header then
        redis.call('PEXPIRE', key, ttl(math.max(0, newest + longest - now)))
      end
    elseif header then
      keep(key, math.max(0, newest + longest - now))
    end
  end

  return wait, slot, take, refund, standing, write
end
