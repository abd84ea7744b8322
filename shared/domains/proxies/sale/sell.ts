import { randomInt } from 'node:crypto';

import { toUsd } from '../../../kernel/money.ts';
import type { Tx } from '../../../kernel/tx.ts';
import { execute } from '../../../platform/rows.ts';
import { charge } from '../../wallet/charge.ts';
import { cachedPool } from '../pool/pool.ts';
import { findMatching, isFiltered, type ProxyFilters } from '../pool/filters.ts';
import { draw, drawFromTable, POSITIONS } from '../pool/segments.ts';
import { onSale, type SoldProxy } from '../proxies.ts';

/** Maximum draws to replace proxies that left the market since the pool was read. */
const DRAWS_MAX = 3;

export interface Selection {
  readonly count: number;
  /** The country; absent: the hot pool. */
  readonly country: string | undefined;
  /** Proxies to skip from the start of this agent's own list; absent: from anywhere. */
  readonly offset?: number | undefined;
  /** The position to begin at if there is no offset; absent: any. */
  readonly start?: number | undefined;
  readonly filters?: ProxyFilters;
  /** At most one proxy of each exit. */
  readonly isDistinct?: boolean;
}

/**
 * Chooses proxies that are on sale at this moment. With an offset each agent has an order of its
 * own, which hardly changes between two calls, so that pages do not overlap.
 */
export async function choose(
  tx: Tx,
  {
    count,
    country,
    offset,
    start = randomInt(POSITIONS),
    filters = {},
    isDistinct = false,
  }: Selection,
): Promise<SoldProxy[]> {
  const pool = cachedPool(tx.db.dataSource);
  const from = offset === undefined ? start : startOf(tx.caller.agentId);
  async function idsBehind(skip: number, wanted: number): Promise<number[]> {
    if (!isFiltered(filters) && pool) {
      const segment = pool.segment(country);
      return draw(isDistinct ? segment.distinct : segment, { from, skip, count: wanted });
    }
    const page = { from, count: skip + wanted, isDistinct };
    const ids = isFiltered(filters)
      ? await findMatching(tx.db, { ...filters, country }, page)
      : await drawFromTable(tx.db, country, page);
    return ids.slice(skip);
  }

  const found: SoldProxy[] = [];
  const exits = isDistinct ? new Set<number>() : undefined;
  let skip = offset ?? 0;
  for (let draws = 0; draws < DRAWS_MAX && found.length < count; draws += 1) {
    const ids = await idsBehind(skip, count - found.length);
    found.push(...(await onSale(tx.db, ids, { country, hot: country === undefined, exits })));
    skip += ids.length;
    // With an offset, the missing proxies are not replaced: the next ones belong to the next page.
    if (ids.length === 0 || offset !== undefined) break;
  }
  return found;
}

/** Charges for these proxies together, and records the sale. No charge if there are none. */
export async function sell(tx: Tx, proxies: readonly SoldProxy[]): Promise<number> {
  if (proxies.length === 0) return 0;
  const { id, amount } = await charge(tx, { service: 'proxy', units: proxies.length });
  await execute(
    tx.db,
    `insert into proxy_sale (charge_id, agent_id, proxy_ids, without_tls)
     values ($1, $2, $3, $4)`,
    [id, tx.caller.agentId, idsOf(proxies), idsOf(proxies.filter(({ https }) => https === false))],
  );
  return toUsd(amount);
}

const idsOf = (proxies: readonly SoldProxy[]) => proxies.map(({ id }) => id);

/** The position where an agent's own order begins: far apart for agents with neighbouring ids. */
const startOf = (agentId: number): number =>
  Number((BigInt(agentId) * 1_327_217_885n) % BigInt(POSITIONS));
