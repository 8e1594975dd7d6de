-- calendar-window: a fixed window that is a day, a week or a month of a calendar. In all else it is a fixed-window.
--
-- KEYS   as in fixed-window.lua
-- ARGV   n; the starts of the previous, the current and the next window, and the end of the next one; for a refund as in
--        fixed-window.lua
-- reply  as in fixed-window.lua
-- TTL    as in fixed-window.lua

--# numbers
n_i, first_i, second_i, third_i, fourth_i

--# window
if now < first_i or now >= fourth_i then
  return 'time:' .. string.format('%.0f', now)
elseif now < second_i then
  start_i, end_i = first_i, second_i
elseif now < third_i then
  start_i, end_i = second_i, third_i
else
  start_i, end_i = third_i, fourth_i
end

--# read
--@ fixed-window.read

--# fresh
--@ fixed-window.fresh

--# judge
--@ fixed-window.judge

--# reserves
--@ fixed-window.reserves

--# take
--@ fixed-window.take

--# full
--@ fixed-window.full

--# refund
--@ fixed-window.refund

--# write
--@ fixed-window.write
