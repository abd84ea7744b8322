import type { RedisClient } from '../../../../shared/platform/redis.ts';

/**
 * Scripts by which workers share the state of mail servers, by Redis's own clock. The key of a
 * machine holds the id of its session, or `pause`; that of a rest holds `<until> <refusals>`.
 */

const NOW = `
  local time = redis.call('time')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

const REST = `
  local rest = redis.call('get', KEYS[2]) or '0 0'
  local until_ms, refusals = string.match(rest, '^(%d+) (%d+)$')`;

/**
 * KEYS: machine, rest, since. ARGV: session, its lifetime, and the time in which nobody is asked
 * after Redis is new or has lost everything, because sessions of other workers may go on.
 */
export const BEGIN = `${NOW}${REST}
  local since = redis.call('get', KEYS[3])
  if not since then
    since = string.format('%.0f', now)
    redis.call('set', KEYS[3], since)
  end
  local quiet = tonumber(since) + ARGV[3] - now
  if quiet > 0 then return {'busy', quiet, since} end
  if tonumber(until_ms) > now then return {'resting', until_ms - now, since} end
  local left = redis.call('pttl', KEYS[1])
  if left ~= -2 and redis.call('get', KEYS[1]) ~= ARGV[1] then
    return {'busy', math.max(left, 1), since}
  end
  redis.call('set', KEYS[1], ARGV[1], 'px', ARGV[2])
  return {'begun', 0, since}`;

/** KEYS: held keys. ARGV: lifetime, and each holder. Answers the keys that others hold now. */
const RENEW = `
  local lost = {}
  for n, key in ipairs(KEYS) do
    local holder = redis.call('get', key)
    if holder and holder ~= ARGV[n + 1] then table.insert(lost, key)
    else redis.call('set', key, ARGV[n + 1], 'px', ARGV[1]) end
  end
  return lost`;
/** Maximum keys of one call: others wait for Redis meanwhile. */
const KEYS_MAX = 200;

/** Keeps held keys for `ms` more, even if Redis has lost them. Returns those that others hold. */
export async function renewed(
  redis: RedisClient,
  held: readonly (readonly [key: string, holder: string])[],
  ms: number,
): Promise<string[]> {
  const lost: string[] = [];
  for (let n = 0; n < held.length; n += KEYS_MAX) {
    const some = held.slice(n, n + KEYS_MAX);
    const keys = some.map(([key]) => key);
    const holders = some.map(([, holder]) => holder);
    lost.push(...((await redis.eval(RENEW, keys.length, ...keys, ms, ...holders)) as string[]));
  }
  return lost;
}

/** KEYS: machine, rest. ARGV: session, pause, outcome, first rest, longest rest. */
export const END = `${NOW}${REST}
  local session = redis.call('get', KEYS[1])
  if not session or session == ARGV[1] then
    if tonumber(ARGV[2]) > 0 then redis.call('set', KEYS[1], 'pause', 'px', ARGV[2])
    else redis.call('del', KEYS[1]) end
  end
  if ARGV[3] == 'answered' then redis.call('del', KEYS[2]) end
  if ARGV[3] ~= 'turned_away' then return {0, 0} end
  refusals = refusals + 1
  local ms = math.min(ARGV[4] * 2 ^ (refusals - 1), tonumber(ARGV[5]))
  local value = string.format('%.0f %d', now + ms, refusals)
  redis.call('set', KEYS[2], value, 'px', string.format('%.0f', ms + ARGV[5]))
  return {ms, refusals}`;

/** KEYS: rest. ARGV: its time, refusals, longest rest. A longer rest stays. */
export const RESTORE = `${NOW}
  local known = string.match(redis.call('get', KEYS[1]) or '0 0', '^(%d+)')
  if tonumber(known) >= now + ARGV[1] then return 0 end
  local value = string.format('%.0f %d', now + ARGV[1], ARGV[2])
  redis.call('set', KEYS[1], value, 'px', string.format('%.0f', ARGV[1] + ARGV[3]))
  return 1`;
