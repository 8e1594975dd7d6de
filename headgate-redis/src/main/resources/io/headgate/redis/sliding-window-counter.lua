-- sliding-window-counter: what was spent in the current window, and the share of the previous window that still counts. The twin of
-- SlidingWindowCounter.java.
--
-- key     a string: "c1"; the start of the current window (7 bytes); its width (6); what was spent in the previous and in the current
--         window (4 each); born, when a permit was first spent after both were 0 (4)
-- charge  that string, as it was right after the charge
-- TTL     until neither window counts

-- The share of the previous window that still counts, rounded up.
local function share(count, ends, width)
  if count == 0 then
    return 0
  end
  local whole, rest = divide(count, ends - now, 0, width)
  return rest > 0 and whole + 1 or whole
end

local function counter(s)
  return struct.pack('>c2I7I6I4I4I4', 'c1', s.start, s.w, s.previous, s.current, s.born)
end

algorithms['sliding-window-counter'] = {
  read = function(key, n, w)
    w = w + 0
    local start, previous, current, born, mended = now - now % w, 0, 0, now % 4294967296, false
    local found = redis.pcall('GET', key)
    if found then
      if type(found) ~= 'string' or #found ~= 27 then
        return
      end
      local head, start_then, width, before, count
      head, start_then, width, before, count, born = struct.unpack('>c2I7I6I4I4I4', found)
      if head ~= 'c1' or before > 2147483647 or count > 2147483647 or width < 1000 then
        return
      end
      if width == w and start_then <= now then
        if start_then == start then
          previous, current = before, count
        elseif start_then == start - w then
          previous = count
        end
      else
        -- The window is ahead of now, or of another width: all that still counts moves to the current window, and charges are no
        -- longer told apart. For a window ahead of now it is unknown which share of the previous one counted, but together they
        -- never counted more than n.
        mended, born = true, (born + 1) % 4294967296
        if start_then > now then
          current = math.min(count + before, math.max(count, n))
        else
          local begins = now - now % width
          if start_then == begins then
            current = count
          else
            before = start_then == begins - width and count or 0
          end
          current = math.min(2147483647, current + share(before, begins + width, width))
        end
      end
    end
    local s = {
      n = n, w = w, start = start, previous = previous, current = current, born = born,
      spent = current + share(previous, start + w, w), found = found, changed = false, mended = mended,
    }
    if mended then
      s.found = counter(s)
    end
    return s
  end,

  wait = function(s, cost)
    local room, w = s.n - cost, s.w
    if s.spent <= room then
      return 0
    end
    if s.current <= room then
      return s.start + w - divide(room - s.current, w, 0, s.previous) - now
    end
    return s.start + 2 * w - divide(room, w, 0, s.current) - now
  end,

  take = function(s, cost)
    if s.previous == 0 and s.current == 0 then
      s.born = now % 4294967296
    end
    s.current, s.spent, s.changed = s.current + cost, s.spent + cost, true
    s.found = counter(s)
    return s.found
  end,

  refund = function(s, cost, charge)
    local _, start_then, _, _, _, born_then = struct.unpack('>c2I7I6I4I4I4', charge)
    if not s.found or born_then ~= s.born then
      return
    end
    if start_then == s.start then
      s.current, s.changed = math.max(0, s.current - cost), true
    elseif start_then == s.start - s.w then
      s.previous, s.changed = math.max(0, s.previous - cost), true
    end
    s.spent = s.current + share(s.previous, s.start + s.w, s.w)
    s.found = s.changed and counter(s) or s.found
  end,

  standing = function(s)
    local full = 0
    if s.current > 0 then
      full = s.start + 2 * s.w - now
    elseif s.previous > 0 then
      full = s.start + s.w - now
    end
    return s.spent < s.n and s.n - s.spent or 0, full
  end,
}
