-- once: n permits for ever; nothing comes back. For a test.
--
-- key     a string: how many permits were spent
-- charge  nothing
-- TTL     w after the last permit
algorithms['once'] = {
  read = function(key, n, w)
    local found = redis.call('GET', key)
    return {key = key, n = n, w = w + 0, spent = tonumber(found or 0), found = found, changed = false}
  end,

  wait = function(s, cost)
    return s.spent + cost > s.n and s.w or 0
  end,

  take = function(s, cost)
    s.spent, s.changed = s.spent + cost, true
    return '-'
  end,

  refund = function() end,

  standing = function(s)
    return s.n - s.spent, s.spent > 0 and s.w or 0
  end,

  write = function(s, ttl)
    redis.call('SET', s.key, s.spent, 'PX', ttl)
  end,
}
