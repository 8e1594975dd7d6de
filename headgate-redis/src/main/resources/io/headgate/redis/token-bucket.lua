-- token-bucket: a bucket of burst tokens that refills continuously, n per w. The twin of TokenBucket.java; see bucket.lua.
algorithms['token-bucket'] = bucket
