import type { EntityManager } from 'typeorm';

import { column, execute, row, rows, type Database } from '../../../platform/rows.ts';

/** Maximum proxies that one job checks at a time. With 16 slots, 4 000 sockets in all. */
const BATCH = 250;
/** Time after which a batch counts as lost: longer than a worker's death delays it. */
const LOST_AFTER_MINUTES = 3;

/** The checks of one job. A slot is a chain of batches, one after the other. */
export interface Batch {
  readonly slot: number;
  readonly batch: number;
}

/** Locks the slots whose batch has ended or is lost. */
export async function lockFreeSlots(db: EntityManager): Promise<number[]> {
  const free = await rows(
    db,
    { slot: column.int },
    `select slot from proxy_check_slot where busy_until < now()
      order by slot for update skip locked`,
  );
  return free.map(({ slot }) => slot);
}

/** Locks the slot of a batch. False: the slot has another batch by now. */
export async function lockSlot(db: EntityManager, { slot, batch }: Batch): Promise<boolean> {
  const found = await execute(
    db,
    'select from proxy_check_slot where slot = $1 and batch = $2 for update',
    [slot, batch],
  );
  return found === 1;
}

/**
 * Gives a slot its next batch of due proxies: first those on sale or recently so, so that many new
 * proxies do not delay them. Undefined: nothing is due, the slot is free.
 */
export async function nextBatch(db: EntityManager, slot: number): Promise<Batch | undefined> {
  const proven = await claim(db, `state in ('hot', 'warm', 'degraded')`, BATCH);
  const others = await claim(db, `state = 'quarantined'`, BATCH - proven.length);
  const ids = [...proven, ...others];
  const { batch } = await row(
    db,
    { batch: column.int },
    `update proxy_check_slot set batch = batch + 1, proxy_ids = $2,
            lost = lost + (isfinite(busy_until) and busy_until < now())::int,
            busy_until = case when $3 then now() + interval '${LOST_AFTER_MINUTES} minutes'
                              else '-infinity' end
      where slot = $1 returning batch`,
    [slot, ids, ids.length > 0],
  );
  return ids.length > 0 ? { slot, batch } : undefined;
}

/** Counts all batches that did not end in time, so that their slots got others. */
export async function countLostBatches(db: Database): Promise<number> {
  const sql = 'select sum(lost)::bigint as lost from proxy_check_slot';
  return (await row(db, { lost: column.int }, sql)).lost;
}

/** Ends a batch without results. Its proxies are due again. */
export async function freeSlot(db: EntityManager, { slot }: Batch): Promise<void> {
  await execute(
    db,
    `with freed as (
       update proxy_check_slot set busy_until = '-infinity' where slot = $1 returning proxy_ids)
     update proxy set next_check_at = now() from freed where id = any (proxy_ids)`,
    [slot],
  );
}

/** Takes due proxies, so that no other batch does. Those of a lost batch become due again. */
async function claim(db: EntityManager, states: string, most: number): Promise<number[]> {
  if (most === 0) return [];
  const claimed = await rows(
    db,
    { id: column.id },
    `update proxy set next_check_at = now() + interval '${LOST_AFTER_MINUTES} minutes'
      where id in (select id from proxy where ${states} and next_check_at <= now()
                    order by next_check_at limit $1 for update skip locked)
      returning id`,
    [most],
  );
  return claimed.map(({ id }) => id);
}
