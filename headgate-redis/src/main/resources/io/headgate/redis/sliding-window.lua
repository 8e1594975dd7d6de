-- sliding-window: never more than n in any w. The window is cut into 10 parts; the current part and the 10 before it count in full.
-- The twin of SlidingWindow.java.
--
-- key     a string: "p1"; the number of the newest part since the epoch and the width of a part (6 bytes each); born, when the first
--         permit of these parts was spent (4); what was spent in each part p (4 each), at place p modulo 11
-- charge  that string, as it was right after the charge
-- TTL     until no part counts
local function parts(s)
  return struct.pack('>c2I6I6I4I4I4I4I4I4I4I4I4I4I4I4', 'p1', s.newest, s.width, s.born, unpack(s.spent, 1, 11))
end

algorithms['sliding-window'] = {
  read = function(key, n, w)
    -- A part is a tenth of w, rounded up.
    local width = math.floor((w + 9) / 10)
    local part = (now - now % width) / width
    local newest, born, total, spent, mended = part, now % 4294967296, 0, nil, false
    local found = redis.pcall('GET', key)
    if found then
      if type(found) ~= 'string' or #found ~= 62 then
        return
      end
      local head, width_then
      head, newest, width_then, born = struct.unpack('>c2I6I6I4', found)
      if head ~= 'p1' or width_then < 1 then
        return
      end
      spent = {struct.unpack('>I4I4I4I4I4I4I4I4I4I4I4', found, 19)}
      for p = math.max(newest, (now - now % width_then) / width_then) - 10, newest do
        total = total + spent[p % 11 + 1]
      end
      if total > 2147483647 then
        return
      end
      if width_then ~= width or newest > part then
        -- The newest part is ahead of now, or of another width: all that still counts moves to the current part, and charges are no
        -- longer told apart.
        newest, born, mended = part, (born + 1) % 4294967296, true
        spent = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
        spent[part % 11 + 1] = total
      end
    end
    local s = {
      n = n, width = width, part = part, newest = newest, born = born, total = total,
      spent = spent or {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, found = found, changed = false, mended = mended,
    }
    if mended then
      s.found = parts(s)
    end
    return s
  end,

  wait = function(s, cost)
    local excess = s.total + cost - s.n
    if excess <= 0 then
      return 0
    end
    local p, spent = s.part - 10, s.spent
    local left = spent[p % 11 + 1]
    while left < excess do
      p = p + 1
      left = left + spent[p % 11 + 1]
    end
    return (p + 11) * s.width - now
  end,

  take = function(s, cost)
    local spent, part = s.spent, s.part
    if s.total == 0 then
      s.born = now % 4294967296
    end
    for p = math.max(s.newest + 1, part - 10), part do
      spent[p % 11 + 1] = 0
    end
    s.newest, s.total, s.changed = part, s.total + cost, true
    spent[part % 11 + 1] = spent[part % 11 + 1] + cost
    s.found = parts(s)
    return s.found
  end,

  refund = function(s, cost, charge)
    local _, part_then, width_then, born_then = struct.unpack('>c2I6I6I4', charge)
    if s.found and born_then == s.born and width_then == s.width and part_then >= s.part - 10 and part_then <= s.newest then
      local place = part_then % 11 + 1
      local back = math.min(cost, s.spent[place])
      s.spent[place], s.total, s.changed = s.spent[place] - back, s.total - back, true
      s.found = parts(s)
    end
  end,

  standing = function(s)
    local full, p = 0, s.newest
    if s.total > 0 then
      while s.spent[p % 11 + 1] == 0 do
        p = p - 1
      end
      full = (p + 11) * s.width - now
    end
    return s.total < s.n and s.n - s.total or 0, full
  end,
}
