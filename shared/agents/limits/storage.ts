import type { Tx } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { column, execute, row } from '../../platform/rows.ts';

/** Of a tree: uploads that nothing was made of yet, and rows of datasets that are free. */
const BYTES_MAX = 256 * 1024 * 1024;
const MB = 1024 * 1024;

/** Refuses so many bytes more, where a tree would store more for nothing than it may. */
export async function assertStorage({ db, caller }: Tx, bytes: number): Promise<void> {
  const { rootId } = caller;
  // Calls of a tree that add something wait for each other, or all of them would see the same sum.
  await execute(db, `select pg_advisory_xact_lock(hashtextextended('storage', $1))`, [rootId]);
  const { used } = await row(
    db,
    { used: column.int },
    `select coalesce((select sum(bytes) from dataset_upload where root_id = $1), 0)
            + coalesce((select sum(pg_column_size(lines)) from labor_upload
                         where root_id = $1), 0)
            + coalesce((select sum(v.size_bytes) from dataset d
                          join dataset_version v on v.dataset_id = d.id and v.version = d.version
                         where d.root_id = $1 and d.type = 'json' and d.price = 0), 0) as used`,
    [rootId],
  );
  if (used + bytes <= BYTES_MAX) return;
  throw new Refusal(
    'payload_too_large',
    `Your tree of agents stores ${(used / MB).toFixed(1)} MB of uploads and free datasets, and ` +
      `may store ${BYTES_MAX / MB} MB. Use uploads or let them end after 7 days, or sell the data.`,
    { bytes_used: used, bytes_max: BYTES_MAX },
  );
}
