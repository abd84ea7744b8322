import type { EntityManager } from 'typeorm';

import { emit } from '../events/events.ts';
import { TIERS, type Tier } from '../../kernel/rate_limit.ts';
import { column, execute, nullable, oneOf, rows } from '../../platform/rows.ts';
import { toUsd } from '../../kernel/money.ts';
import { tierOf, type TierLevels } from './tiers.ts';

/**
 * Announces a tier to trees that have received cash, if it is higher than the one announced last.
 * The transfers lock their treasuries, so it happens once. Nothing is written if none has risen.
 */
export async function announceTiers(
  db: EntityManager,
  levels: TierLevels,
  rootIds: ReadonlySet<number>,
): Promise<void> {
  if (rootIds.size === 0) return;
  const trees = await rows(
    db,
    { id: column.id, inflow: column.micros, announced: nullable(oneOf<Tier>()) },
    `select t.id, t.inflow, a.tier as announced
       from ledger.treasury t left join announced_tier a on a.root_id = t.id
      where t.id = any ($1) order by t.id`,
    [[...rootIds]],
  );
  const risen = trees
    .map(({ id, inflow, announced }) => ({ id, inflow, announced, tier: tierOf(levels, inflow) }))
    .filter(({ tier, announced }) => rankOf(tier) > rankOf(announced ?? 'free'));
  if (risen.length === 0) return;
  await execute(
    db,
    `insert into announced_tier (root_id, tier)
     select root_id, tier from unnest($1::bigint[], $2::text[]) as t(root_id, tier)
     on conflict (root_id) do update set tier = excluded.tier, announced_at = now()`,
    [risen.map(({ id }) => id), risen.map(({ tier }) => tier)],
  );
  await emit(
    db,
    risen.map(({ id, inflow, tier }) => ({
      agentId: id,
      type: 'wallet.tier_raised',
      object: { kind: 'wallet', id, status: tier },
      data: { tier, settled_inflow: toUsd(inflow) },
    })),
  );
}

const rankOf = (tier: Tier) => TIERS.indexOf(tier);
