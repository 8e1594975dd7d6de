-- Products of a count and a time, divided back into range without losing a digit: the twin of Wide.java.
--
-- Numbers here are doubles, exact up to 2^53; a product can reach 2^83. Beyond 2^52 it is computed in limbs of seven bits, as in a
-- long division: the remainder is less than d, and d and b mod d are less than 2^45, so 128 times either is exact.

-- floor((a * b + c) / d), at most 2^52, and the remainder; c may be negative, the dividend may not.
local function divide(a, b, c, d)
  local product = a * b
  if product < 4503599627370496 then
    product = product + c
    local left = product % d
    return (product - left) / d, left
  end
  local over = b % d
  local whole = a * ((b - over) / d)
  local quotient, left, limb = 0, 0, 562949953421312
  while limb >= 1 do
    local low = a % limb
    local part = left * 128 + (a - low) / limb * over
    left = part % d
    quotient = quotient * 128 + (part - left) / d
    a, limb = low, limb / 128
  end
  local last = left + c
  left = last % d
  quotient = whole + quotient + (last - left) / d
  if quotient >= 4503599627370496 then
    return 4503599627370496, 0
  end
  return quotient, left
end
