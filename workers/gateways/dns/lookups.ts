import { boundedMap } from '../mail/bounded_map.ts';
import type { RecordType } from './messages.ts';
import type { LookupResult, Resolve } from './resolver.ts';
import { openSlots, shareOf, type Share } from './slots.ts';

const SHARES_MAX = 20_000;
/** Time after which a look-up frees its slot: a healthy name server answers sooner. */
const SLOW_MS = 250;

/** A look-up for a tree of agents. no_turn: no slot came free in time, so nothing was asked. */
export type LookUp = (
  type: RecordType,
  domain: string,
  tree: number,
) => Promise<LookupResult | 'no_turn'>;

/**
 * Look-ups of domains for trees of agents. Domains that never answer cost their owner nothing, so
 * shares are limited: a tree has half of the look-ups that begin at a time, a zone a fifth, and
 * fewer the more of its look-ups had no answer. `timeoutMs` bounds the wait for a slot, which is
 * the shorter the more look-ups of the zone had no answer; without a slot these count as such too.
 */
export function openLookups(
  resolve: Resolve,
  { timeoutMs, lookupsMax }: { timeoutMs: number; lookupsMax: number },
): LookUp {
  const slots = openSlots(lookupsMax);
  const trees = boundedMap<Share>(SHARES_MAX);
  const zones = boundedMap<Share>(SHARES_MAX);
  const share = (of: typeof trees, key: string, max: number, min: number): Share => {
    let found = of.get(key);
    if (!found) of.set(key, (found = shareOf(Math.max(min, Math.floor(max)), min)));
    return found;
  };

  return async (type, domain, tree) => {
    const shares = [
      share(trees, String(tree), lookupsMax / 2, Math.ceil(lookupsMax / 10)),
      share(zones, zoneOf(domain), lookupsMax / 5, 1),
    ] as const;
    const [, zone] = shares;
    const acquired = slots.acquire(shares, timeoutMs / (1 + zone.unanswered));
    const running = acquired instanceof Promise ? await acquired : acquired;
    if (!running) return zone.unanswered > 0 ? 'dns_time_out' : 'no_turn';
    const slow = setTimeout(running.slowDown, SLOW_MS);
    const result = await resolve(type, domain);
    clearTimeout(slow);
    running.end(result !== 'dns_time_out');
    return result;
  };
}

/**
 * The registered domain, approximately: below a short second label (co.uk, com.au) it has three
 * labels. A list of all public suffixes would be exact.
 */
function zoneOf(domain: string): string {
  const labels = domain.split('.');
  return labels.slice((labels.at(-2)?.length ?? 0) <= 3 ? -3 : -2).join('.');
}
