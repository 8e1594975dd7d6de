-- What the files of the algorithms share. The second file of every script.
--
-- Each algorithm is one table of functions in this table, under its id. All but read take what read returned, the state, a table.
-- Redis creates all functions of a script anew with each call, which takes longer than calling them: so there are few.
--
--   read(key, permits, period, burst, id)  the state at that key; nil and perhaps a reply if there is none that can be read
--   wait(state, cost)            how many microseconds until the cost is allowed, 0 if it is now
--   slot(state, cost)            how long until the slot that the cost can reserve; nil if it cannot reserve one. There may be no slot
--   take(state, cost, delay)     takes the cost for a slot after the delay; returns the charge, a string with which refund finds it again
--   refund(state, cost, charge)  takes a charge back, as far as it is still in the state
--   standing(state)              what remains; how long until the budget is full; how long until more remains, if that is not the wait
--                                for a cost of one more; how long the key has to be kept, if that is not until the budget is full
--   write(state, ttl)            writes the state, for so many milliseconds
--
-- Three fields of a state are known to plan.lua: found, whether there is a key; changed, whether it has to be written; mended, whether
-- the state as it was found was not one that these numbers could have written by now, so that it is written if anything may be. If it
-- is not written, plan.lua sees to it that the key has a TTL that is long enough.
--
-- Nothing but write writes, unless a function says so. All numbers are integers, at most 2^53; all times are in microseconds.
local algorithms = {}

-- Moments are remembered modulo 2^32 where they only tell charges apart.
local CYCLE = 4294967296

-- The largest count.
local MOST = 2147483647
