-- sliding-window-counter: what was spent in the current window, and the share of the previous window that still counts. The twin of
-- SlidingWindowCounter.java.
--
-- key     a string: "c1"; the start of the current window (7 bytes); its width (6); what was spent in the previous and in the current
--         window (4 each); born, when a permit was first spent after both were 0 (4)
-- charge  that string, as it was right after the charge
-- TTL     until neither window counts
algorithms['sliding-window-counter'] = function(key, n, w)
  w = w + 0
  local start, previous, current, born = now - now % w, 0, 0, now % CYCLE
  local changed, mended = false, false

  local function packed()
    return struct.pack('>c2I7I6I4I4I4', 'c1', start, w, previous, current, born)
  end

  -- The share of the previous window that still counts, rounded up.
  local function share(count, ends, width)
    local whole, rest = divide(count, ends - now, 0, width)
    return rest > 0 and whole + 1 or whole
  end

  local found = redis.pcall('GET', key)
  if found then
    if type(found) ~= 'string' or #found ~= 27 then
      return
    end
    local head, start_then, width, before, count
    head, start_then, width, before, count, born = struct.unpack('>c2I7I6I4I4I4', found)
    if head ~= 'c1' or before > MOST or count > MOST or width < 1000 then
      return
    end
    if width == w and start_then <= now then
      if start_then == start then
        previous, current = before, count
      elseif start_then == start - w then
        previous = count
      end
    else
      -- The window is ahead of now, or of another width: all that still counts moves to the current window, and charges are no longer
      -- told apart. For a window ahead of now it is unknown which share of the previous one counted, but together they never counted
      -- more than n.
      mended, born = true, (born + 1) % CYCLE
      if start_then > now then
        current = math.min(count + before, math.max(count, n))
      else
        local begins = now - now % width
        if start_then == begins then
          current = count
        else
          before = start_then == begins - width and count or 0
        end
        current = math.min(MOST, current + share(before, begins + width, width))
      end
    end
  end

  local function spent()
    return previous == 0 and current or current + share(previous, start + w, w)
  end

  local function wait(cost)
    if spent() + cost <= n then
      return 0
    end
    local room = n - cost
    if current <= room then
      return start + w - divide(room - current, w, 0, previous) - now
    end
    return start + 2 * w - divide(room, w, 0, current) - now
  end

  local function slot()
    return nil
  end

  local function take(cost)
    if previous == 0 and current == 0 then
      born = now % CYCLE
    end
    current, changed = current + cost, true
    found = packed()
    return found
  end

  local function refund(cost, charge)
    local _, start_then, _, _, _, born_then = struct.unpack('>c2I7I6I4I4I4', charge)
    if not found or born_then ~= born then
      return
    end
    if start_then == start then
      current, changed = math.max(0, current - cost), true
    elseif start_then == start - w then
      previous, changed = math.max(0, previous - cost), true
    end
    found = changed and packed() or found
  end

  local function reset()
    if current > 0 then
      return start + 2 * w - now
    end
    return previous > 0 and start + w - now or 0
  end

  local function standing()
    return math.max(0, n - spent()), reset()
  end

  local function write(repairs)
    if changed or repairs and mended then
      redis.call('SET', key, changed and found or packed(), 'PX', ttl(reset()))
    elseif found then
      keep(key, reset())
    end
  end

  return wait, slot, take, refund, standing, write
end
