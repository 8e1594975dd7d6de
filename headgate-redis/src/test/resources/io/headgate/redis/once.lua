-- once: n permits for ever; nothing comes back. For a test.
--
-- key     a string: how many permits were spent
-- charge  nothing
-- TTL     w after the last permit
algorithms['once'] = function(key, n, w)
  local spent, changed = tonumber(redis.call('GET', key) or 0), false

  local function wait(cost)
    return spent + cost > n and w + 0 or 0
  end

  local function slot()
    return nil
  end

  local function take(cost)
    spent, changed = spent + cost, true
    return '-'
  end

  local function refund() end

  local function standing()
    return n - spent, spent > 0 and w + 0 or 0
  end

  local function write()
    if changed then
      redis.call('SET', key, spent, 'PX', ttl(w))
    end
  end

  return wait, slot, take, refund, standing, write
end
