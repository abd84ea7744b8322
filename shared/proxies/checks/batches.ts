import type { EntityManager } from 'typeorm';

/** Proxies that are checked at a time by one job. With 16 slots, 4 000 sockets in all. */
const BATCH = 250;
/** After that a batch is believed to be lost: longer than a worker's death delays it. */
const LEASE_MINUTES = 3;

/** One of the chains of batches. */
export interface Batch {
  readonly slot: number;
  readonly batch: number;
}

/** The slots whose batch has ended or is lost, locked. */
export async function lockFreeSlots(db: EntityManager): Promise<number[]> {
  const rows: { slot: number }[] = await db.query(
    `select slot from proxy_check_slot where busy_until < now()
      order by slot for update skip locked`,
  );
  return rows.map(({ slot }) => slot);
}

/** Whether this batch is the one that its slot is busy with; locks the slot. */
export async function lockSlot(db: EntityManager, { slot, batch }: Batch): Promise<boolean> {
  const rows = await db.query(
    'select from proxy_check_slot where slot = $1 and batch = $2 for update',
    [slot, batch],
  );
  return rows.length === 1;
}

/**
 * Gives a slot its next batch: what is due, those on sale and those that were a moment ago first,
 * so that no flood of new entries keeps them waiting. Undefined: nothing is due, the slot is free.
 */
export async function nextBatch(db: EntityManager, slot: number): Promise<Batch | undefined> {
  const proven = await claim(db, `state in ('hot', 'warm', 'degraded')`, BATCH);
  const others = await claim(db, `state = 'quarantined'`, BATCH - proven.length);
  const ids = [...proven, ...others];
  const [[row]] = await db.query(
    `update proxy_check_slot set batch = batch + 1, proxy_ids = $2,
            busy_until = case when $3 then now() + interval '${LEASE_MINUTES} minutes'
                              else '-infinity' end
      where slot = $1 returning batch`,
    [slot, ids, ids.length > 0],
  );
  return ids.length > 0 ? { slot, batch: Number(row.batch) } : undefined;
}

/** Ends a batch of which nothing is known. What it held is due again. */
export async function freeSlot(db: EntityManager, { slot }: Batch): Promise<void> {
  await db.query(
    `with freed as (
       update proxy_check_slot set busy_until = '-infinity' where slot = $1 returning proxy_ids)
     update proxy set next_check_at = now() from freed where id = any (proxy_ids)`,
    [slot],
  );
}

/** Takes proxies that are due, so that nobody else does. A lost batch is due again by itself. */
async function claim(db: EntityManager, states: string, most: number): Promise<number[]> {
  if (most === 0) return [];
  const [rows] = await db.query(
    `update proxy set next_check_at = now() + interval '${LEASE_MINUTES} minutes'
      where id in (select id from proxy where ${states} and next_check_at <= now()
                    order by next_check_at limit $1 for update skip locked)
      returning id`,
    [most],
  );
  return rows.map(({ id }: { id: number }) => id);
}
