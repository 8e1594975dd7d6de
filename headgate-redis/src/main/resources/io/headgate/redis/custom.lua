-- custom: an algorithm of the user's. Java computes its state, for one operation; this compares the state and sets it.
--
-- key      a string: "u1"; the length of the limit's text (2 bytes) and the text; the numbers of the state (8 each)
-- period   what Java has computed: as doubles the wait, the time until the slot that can be reserved or -1; what remains, the times
--          until the budget is full, more remains and the state can be forgotten if the cost is taken, and the same four if it is not; and,
--          each after its length (4), the string that all this was computed from, the one after a take or a refund, and the one that a
--          denial leaves. An empty one means that there is none
-- charge   the string after the take
-- TTL      until the algorithm says that the state can be forgotten
algorithms['custom'] = {
  read = function(key, _, computed)
    local time, ahead, remaining_taken, full_taken, more_taken, forget_taken, remaining, full, more, forget, from, taken, mended =
      struct.unpack('>ddddddddddI4c0I4c0I4c0', computed)
    local found = redis.pcall('GET', key)
    if found and (type(found) ~= 'string' or string.sub(found, 1, 2) ~= 'u1') then
      return
    elseif (found or '') ~= from then
      return nil, {'changed'}
    end
    return {
      time = time, slot = ahead >= 0 and ahead or nil, value_taken = taken,
      standing = {remaining, full, more, forget}, standing_taken = {remaining_taken, full_taken, more_taken, forget_taken},
      found = mended ~= '' and mended or found, changed = false, mended = mended ~= '',
    }
  end,

  wait = function(s)
    return s.time
  end,

  slot = function(s)
    return s.slot
  end,

  take = function(s)
    s.standing, s.found, s.changed = s.standing_taken, s.value_taken, true
    return s.value_taken
  end,

  refund = function(s)
    if s.found and s.value_taken ~= '' then
      s.found, s.changed = s.value_taken, true
    end
  end,

  standing = function(s)
    return unpack(s.standing, 1, 4)
  end,
}
