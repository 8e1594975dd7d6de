-- token-bucket: a bucket of burst tokens that refills continuously, n per w. The twin of TokenBucket.java; see bucket.lua.
algorithms['token-bucket'] = function(key, n, w, burst)
  return bucket('t', key, n, w + 0, burst)
end
