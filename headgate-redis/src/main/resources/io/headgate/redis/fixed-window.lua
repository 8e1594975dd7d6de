-- fixed-window: n per window. Windows are aligned to the epoch, or are those of a calendar: then the caller sends where the previous,
-- the current and the next one start and where that ends, and the one that contains the time of Redis counts. The twin of
-- FixedWindow.java.
--
-- key     a hash. Its field n: how many permits were spent. Its field w, the window they were spent in: "f1"; the end of the window (7
--         bytes); born, when its first permit was spent (4)
-- charge  the field w
-- TTL     until the window ends; set by the first write of a window, so that each of the later ones is one command for a replica
algorithms['fixed-window'] = {
  read = function(key, n, w)
    local width, starts, ends = tonumber(w), nil, nil
    if width then
      starts = now - now % width
      ends = starts + width
    else
      for bound in string.gmatch(w, '%d+') do
        bound = tonumber(bound)
        if bound <= now then
          starts = bound
        else
          ends = ends or bound
        end
      end
      if not starts or not ends then
        return nil, {'time', string.format('%.0f', now)}
      end
    end

    -- stored is the count under n, if the window under w is the current one.
    local spent, born, stored, mended = 0, now % 4294967296, nil, false
    local found = redis.pcall('HMGET', key, 'w', 'n')
    local window, count = found[1], found[2]
    if window or count then
      if not window or #window ~= 13 or not count or not string.find(count, '^%d+$') then
        return
      end
      local head, stored_ends, stored_born = struct.unpack('>c2I7I4', window)
      count = count + 0
      if head ~= 'f1' or count > 2147483647 then
        return
      end
      if stored_ends > now then
        -- If the window is not the current one, because the clock stepped back or w has changed, what was spent in it counts in the
        -- current one from now on.
        spent, born = count, stored_born
        if stored_ends == ends then
          stored = count
        else
          mended = true
        end
      end
    elseif found.err or redis.call('EXISTS', key) == 1 then
      return
    end
    return {
      key = key, n = n, starts = starts, ends = ends, spent = spent, born = born, stored = stored, window = window,
      found = window, changed = false, mended = mended,
    }
  end,

  wait = function(s, cost)
    return s.spent + cost > s.n and s.ends - now or 0
  end,

  take = function(s, cost)
    if s.spent == 0 then
      s.born, s.stored = now % 4294967296, nil
    end
    if not s.stored then
      s.window = struct.pack('>c2I7I4', 'f1', s.ends, s.born)
    end
    s.spent, s.changed, s.found = s.spent + cost, true, true
    return s.window
  end,

  refund = function(s, cost, charge)
    local _, ends_then, born_then = struct.unpack('>c2I7I4', charge)
    if s.spent > 0 and born_then == s.born and ends_then > s.starts then
      s.spent, s.changed = math.max(0, s.spent - cost), true
    end
  end,

  standing = function(s)
    local spent, full = s.spent, s.spent > 0 and s.ends - now or 0
    return spent < s.n and s.n - spent or 0, full, full
  end,

  write = function(s, ttl)
    if not s.stored then
      redis.call('HSET', s.key, 'w', struct.pack('>c2I7I4', 'f1', s.ends, s.born), 'n', s.spent)
      redis.call('PEXPIRE', s.key, ttl)
      return
    end
    redis.call('HINCRBY', s.key, 'n', s.spent - s.stored)
    if s.spent == 0 or redis.call('PTTL', s.key) * 1000 < s.ends - now then
      redis.call('PEXPIRE', s.key, ttl)
    end
  end,
}
