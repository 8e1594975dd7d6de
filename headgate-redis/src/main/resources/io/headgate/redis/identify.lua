-- Identifies the state at KEYS[1]: sets kind, its Redis type, and id, the id of the limit that wrote it, if the state shows that.
--
-- KEYS   the state; no other key is read
-- ARGV   none
-- reply  none
-- TTL    nothing is written

local kind, id = redis.call('TYPE', KEYS[1]).ok, nil
do
  local algorithm, name
  if kind == 'string' then
    local value = redis.call('GET', KEYS[1])
    local head = string.sub(value, 1, 2)
    if head == 't1' and #value >= 35 then
      algorithm, name = 'token-bucket', string.sub(value, 36)
    elseif head == 'l1' and #value >= 35 then
      algorithm, name = 'leaky-bucket', string.sub(value, 36)
    elseif (head == 't2' or head == 'l2') and #value >= 39 and #value >= 39 + 8 * struct.unpack('>I4', value, 36) then
      algorithm = head == 't2' and 'token-bucket' or 'leaky-bucket'
      name = string.sub(value, 40 + 8 * struct.unpack('>I4', value, 36))
    elseif head == 'c1' and #value >= 27 then
      algorithm, name = 'sliding-window-counter', string.sub(value, 28)
    elseif head == 'p1' and #value >= 62 then
      algorithm, name = 'sliding-window', string.sub(value, 63)
    elseif head == 'u1' and #value >= 4 then
      id = string.sub(value, 5, 4 + struct.unpack('>I2', value, 3))
    end
  elseif kind == 'hash' then
    local window = redis.call('HGET', KEYS[1], 'w') or ''
    if string.sub(window, 1, 2) == 'f1' and #window >= 13 then
      algorithm, name = 'fixed-window', string.sub(window, 14)
    end
  elseif kind == 'list' then
    local newest = redis.call('LINDEX', KEYS[1], -1)
    if string.sub(newest, 1, 2) == 's5' and #newest >= 29 then
      algorithm, name = 'sliding-window-log', string.sub(newest, 30)
    end
  end
  if algorithm then
    id = algorithm .. ':' .. (name == '' and '0' or name)
  end
end
