-- leaky-bucket: one permit every w / n, evenly spaced. The twin of LeakyBucket.java; see bucket.lua.
algorithms['leaky-bucket'] = bucket
