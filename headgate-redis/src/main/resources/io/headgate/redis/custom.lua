-- custom: an algorithm of the user's. Java computes its state, for one operation; this compares the state and sets it.
--
-- key      a string: "u1"; the length of the limit's text (2 bytes) and the text; the numbers of the state (8 each)
-- period   what Java has computed: as doubles the wait, the time until the slot that can be reserved or -1; what remains, the times
--          until the budget is full, more remains and the state can be forgotten if the cost is taken, and the same four if it is not; and,
--          each after its length (4), the string that all this was computed from, the one after a take or a refund, and the one that a
--          denial leaves. An empty one means that there is none
-- charge   the string after the take
-- TTL      until the algorithm says that the state can be forgotten
algorithms['custom'] = function(key, _, computed)
  local time, ahead, remaining_taken, full_taken, more_taken, forget_taken, remaining, full, more, forget, from, taken, mended =
    struct.unpack('>ddddddddddI4c0I4c0I4c0', computed)
  local found, changed = redis.pcall('GET', key), false
  if found and (type(found) ~= 'string' or string.sub(found, 1, 2) ~= 'u1') then
    return
  elseif (found or '') ~= from then
    return {'changed'}
  end

  local function wait()
    return time
  end

  local function slot()
    return ahead >= 0 and ahead or nil
  end

  local function take()
    remaining, full, more, forget, changed = remaining_taken, full_taken, more_taken, forget_taken, true
    return taken
  end

  local function refund()
    changed = found and taken ~= ''
  end

  local function standing()
    return remaining, full, more
  end

  local function write(repairs)
    if changed or repairs and mended ~= '' then
      redis.call('SET', key, changed and taken or mended, 'PX', ttl(forget))
    elseif found then
      keep(key, forget)
    end
  end

  return wait, slot, take, refund, standing, write
end
