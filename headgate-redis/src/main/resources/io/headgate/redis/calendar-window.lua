-- calendar-window: a fixed window that is a day, a week or a month of a calendar. Nothing else is different.
--
-- KEYS   as fixed-window.lua says
-- ARGV   n; where the previous, the current and the next window begin and the last of them ends; for a refund as
--        fixed-window.lua says
-- reply  as fixed-window.lua says
-- TTL    as fixed-window.lua says

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
