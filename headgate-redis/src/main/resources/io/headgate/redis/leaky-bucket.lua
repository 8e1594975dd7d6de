-- leaky-bucket: one permit every w / n, evenly spaced. The twin of LeakyBucket.java; see bucket.lua.
algorithms['leaky-bucket'] = function(key, n, w)
  return bucket('l', key, n, w + 0, n)
end
