-- sliding-window: never more than n in any w. The window is cut into 10 parts; the current part and the 10 before it count in full.
-- The twin of SlidingWindow.java.
--
-- key     a string: "p1"; the number of the newest part since the epoch and the width of a part (6 bytes each); born, when the first
--         permit of these parts was spent (4); what was spent in each part p (4 each), at place p modulo 11
-- charge  that string, as it was right after the charge
-- TTL     until no part counts
local PARTS = '>c2I6I6I4I4I4I4I4I4I4I4I4I4I4I4'

algorithms['sliding-window'] = function(key, n, w)
  -- A part is a tenth of w, rounded up.
  local width = math.floor((w + 9) / 10)
  local part = (now - now % width) / width
  local newest, born, total, spent = part, now % CYCLE, 0, nil
  local changed, mended = false, false

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
    if total > MOST then
      return
    end
    if width_then ~= width or newest > part then
      -- The newest part is ahead of now, or of another width: all that still counts moves to the current part, and charges are no
      -- longer told apart.
      newest, born, mended = part, (born + 1) % CYCLE, true
      spent = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
      spent[part % 11 + 1] = total
    end
  end

  local function packed()
    return struct.pack(PARTS, 'p1', newest, width, born, unpack(spent, 1, 11))
  end

  local function wait(cost)
    local excess = total + cost - n
    if excess <= 0 then
      return 0
    end
    local p = part - 10
    local left = spent[p % 11 + 1]
    while left < excess do
      p = p + 1
      left = left + spent[p % 11 + 1]
    end
    return (p + 11) * width - now
  end

  local function slot()
    return nil
  end

  local function take(cost)
    spent = spent or {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
    if total == 0 then
      born = now % CYCLE
    end
    for p = math.max(newest + 1, part - 10), part do
      spent[p % 11 + 1] = 0
    end
    newest, total, changed = part, total + cost, true
    spent[part % 11 + 1] = spent[part % 11 + 1] + cost
    found = packed()
    return found
  end

  local function refund(cost, charge)
    local _, part_then, width_then, born_then = struct.unpack('>c2I6I6I4', charge)
    if found and born_then == born and width_then == width and part_then >= part - 10 and part_then <= newest then
      local back = math.min(cost, spent[part_then % 11 + 1])
      spent[part_then % 11 + 1], total, changed = spent[part_then % 11 + 1] - back, total - back, true
      found = packed()
    end
  end

  local function reset()
    for p = newest, newest - 10, -1 do
      if total > 0 and spent[p % 11 + 1] > 0 then
        return (p + 11) * width - now
      end
    end
    return 0
  end

  local function standing()
    return math.max(0, n - total), reset()
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
