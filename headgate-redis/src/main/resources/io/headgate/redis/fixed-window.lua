-- fixed-window: n per window. Windows are aligned to the epoch, or are those of a calendar: then the caller sends where the previous,
-- the current and the next one start and where that ends, and the one that contains the time of Redis counts. The twin of
-- FixedWindow.java.
--
-- key     a hash. Its field n: how many permits were spent. Its field w, the window they were spent in: "f1"; the end of the window (7
--         bytes); born, when its first permit was spent (4)
-- charge  the field w
-- TTL     until the window ends; set by the first write of a window, so that each of the later ones is one command for a replica
algorithms['fixed-window'] = function(key, n, w)
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
      return {'time', string.format('%.0f', now)}
    end
  end

  local spent, born, changed, mended = 0, now % CYCLE, false, false
  -- The count under n, if the window under w is the current one.
  local stored
  local found = redis.pcall('HMGET', key, 'w', 'n')
  local window, count = found[1], found[2]
  if window or count then
    if not window or #window ~= 13 or not count or not string.find(count, '^%d+$') then
      return
    end
    local head, stored_ends, stored_born = struct.unpack('>c2I7I4', window)
    count = tonumber(count)
    if head ~= 'f1' or count > MOST then
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
  found = window

  local function wait(cost)
    return spent + cost > n and ends - now or 0
  end

  local function slot()
    return nil
  end

  local function take(cost)
    if spent == 0 then
      born, stored = now % CYCLE, nil
    end
    if not stored then
      window = struct.pack('>c2I7I4', 'f1', ends, born)
    end
    spent, changed, found = spent + cost, true, true
    return window
  end

  local function refund(cost, charge)
    local _, ends_then, born_then = struct.unpack('>c2I7I4', charge)
    if found and born_then == born and ends_then > starts then
      spent, changed = math.max(0, spent - cost), true
    end
  end

  local function standing()
    return math.max(0, n - spent), spent > 0 and ends - now or 0
  end

  local function write(repairs)
    local reset = spent > 0 and ends - now or 0
    if changed or repairs and mended then
      if stored then
        redis.call('HINCRBY', key, 'n', spent - stored)
      else
        redis.call('HSET', key, 'w', struct.pack('>c2I7I4', 'f1', ends, born), 'n', spent)
      end
      if not stored or spent == 0 then
        redis.call('PEXPIRE', key, ttl(reset))
        return
      end
    end
    if found then
      keep(key, reset)
    end
  end

  return wait, slot, take, refund, standing, write
end
