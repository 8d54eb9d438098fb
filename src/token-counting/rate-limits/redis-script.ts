/**
 * The sliding log of one organisation as a sorted set of microseconds, taken in one atomic step on the clock of the Redis server,
 * so that the clocks of our processes do not matter. Should that clock go back, time stands still until it has caught up.
 * KEYS[1] the set; ARGV[1] limit, ARGV[2] window in microseconds. Returns allowed, used, oldest, newest, now (microseconds).
 */
export const TAKE_SCRIPT = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local limit = tonumber(ARGV[1])
local window = tonumber(ARGV[2])
local newest = redis.call('ZRANGE', KEYS[1], -1, -1)[1]
if newest and tonumber(newest) >= now then now = tonumber(newest) + 1 end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now - window))
local used = redis.call('ZCARD', KEYS[1])
local allowed = 0
if used < limit then
  local member = string.format('%.0f', now)
  redis.call('ZADD', KEYS[1], member, member)
  redis.call('PEXPIRE', KEYS[1], math.ceil(window / 1000) + 1000)
  allowed = 1
  used = used + 1
end
local oldest = redis.call('ZRANGE', KEYS[1], math.max(0, used - limit), math.max(0, used - limit))[1] or string.format('%.0f', now)
newest = redis.call('ZRANGE', KEYS[1], -1, -1)[1] or string.format('%.0f', now)
return { allowed, used, oldest, newest, string.format('%.0f', now) }
`;
