-- What the files of the algorithms share. The second file of every script.
--
-- Each algorithm is one function in this table, under its id: algorithms[id](key, permits, period, burst) reads the state at that key
-- and returns the functions below, which share it. It returns nothing if the state cannot be read.
--
--   wait(cost)          how many microseconds until the cost is allowed, 0 if it is now
--   slot(cost)          how long until the slot that the cost can reserve; nil if it cannot reserve one
--   take(cost, delay)   takes the cost for a slot after the delay; returns the charge, a string with which refund finds it again
--   refund(cost, charge)  takes a charge back, as far as it is still in the state
--   standing()          what remains, how long until the budget is full, and how long until more remains, if that is not the wait for a
--                       cost of one more
--   write(repairs)      writes the state if it has changed, or if repairs is true and the state as it was found was not one that
--                       these numbers could have written by now; else sees to it that the key has a TTL that is long enough
--
-- Nothing but write writes, unless a function says so. All numbers are integers, at most 2^53; all times are in microseconds.
local algorithms = {}

-- Moments are remembered modulo 2^32 where they only tell charges apart.
local CYCLE = 4294967296

-- The largest count.
local MOST = 2147483647

-- The TTL in milliseconds of a state that can be forgotten after that time.
local function ttl(time)
  return (time - time % 1000) / 1000 + margin
end

-- Repairs a TTL that is missing or too short.
local function keep(key, time)
  if redis.call('PTTL', key) * 1000 < time then
    redis.call('PEXPIRE', key, ttl(time))
  end
end
