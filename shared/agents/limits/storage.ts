import { take, type Limit } from '../../kernel/limits/limits.ts';
import type { Tx } from '../../kernel/operation.ts';
import type { Tier } from '../../kernel/rate_limit.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { column, execute, row } from '../../platform/rows.ts';

const MB = 1024 * 1024;
/** The most that a tree stores at a time: uploads, rows of datasets, contents of products. */
const BYTES_MAX: Readonly<Record<Tier, number>> = {
  free: 256 * MB,
  basic: 1_024 * MB,
  pro: 4_096 * MB,
};
/** Rows of tables that something is kept in, at least. */
const ROW_BYTES = 1_024;

/** Refuses so many bytes more, where a tree would store more than it may. */
export async function assertStorage({ db, caller }: Tx, bytes: number): Promise<void> {
  const { rootId, tier = 'free' } = caller;
  // Calls of a tree that add something wait for each other, or all of them would see the same sum.
  await execute(db, `select pg_advisory_xact_lock(hashtextextended('storage', $1))`, [rootId]);
  const { used } = await row(db, { used: column.int }, USED, [rootId]);
  const most = BYTES_MAX[tier];
  if (used + bytes <= most) return;
  throw new Refusal(
    'payload_too_large',
    `Your tree of agents stores ${(used / MB).toFixed(1)} MB of uploads, datasets and contents of ` +
      `products, and may store ${most / MB} MB: more in a higher tier. Use uploads or let them ` +
      'end after 7 days; a content that was replaced and not bought ends after 30.',
    { bytes_used: used, bytes_max: most },
  );
}

const USED = `
  select coalesce((select sum(bytes) from dataset_upload where root_id = $1), 0)
         + coalesce((select sum(pg_column_size(lines)) from labor_upload where root_id = $1), 0)
         + coalesce((select sum(v.size_bytes) from dataset d
                       join dataset_version v on v.dataset_id = d.id and v.version = d.version
                      where d.root_id = $1 and d.type = 'json'), 0)
         + coalesce((select sum(octet_length(v.content) + ${ROW_BYTES}) from product p
                       join product_version v on v.product_id = p.id
                      where p.root_id = $1 and v.content is not null), 0) as used`;

/** Units of stock and versions of products stay when they are sold, so they are counted by day. */
const LISTED: Limit = {
  kind: 'listed_bytes',
  max: 64 * MB,
  windowSeconds: 86_400,
  reached: 'Your tree of agents put up 64 MB of items and versions of products within a day.',
};

/** Counts items that are put up, or a version that is made, with what its row takes besides. */
export function takeListed(tx: Tx, texts: readonly string[]): Promise<void> {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text) + ROW_BYTES, 0);
  return take(tx, LISTED, { tree: tx.caller.rootId }, bytes);
}
