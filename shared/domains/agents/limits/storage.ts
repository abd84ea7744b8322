import { take, type Limit } from '../../../kernel/limits/limits.ts';
import type { Tx } from '../../../kernel/tx.ts';
import type { Tier } from '../../../kernel/rate_limit.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { column, execute, row } from '../../../platform/rows.ts';

const MB = 1024 * 1024;
/** Maximum bytes that a tree stores: uploads, files, rows of datasets, contents of products. */
const BYTES_MAX: Readonly<Record<Tier, number>> = {
  free: 256 * MB,
  basic: 1_024 * MB,
  pro: 4_096 * MB,
};
/** Bytes counted for the table row of each stored item, besides its content. */
const ROW_BYTES = 1_024;
/** Bytes counted for each address of a file, which has a row of its own. */
export const ADDRESS_BYTES = 128;

/** Refuses these further bytes if the tree would exceed its storage. */
export async function assertStorage({ db, caller }: Tx, bytes: number): Promise<void> {
  const { rootId, tier = 'free' } = caller;
  // The lock makes calls of a tree wait for each other: otherwise all would see the same sum.
  await execute(db, `select pg_advisory_xact_lock(hashtextextended('storage', $1))`, [rootId]);
  const { used } = await row(db, { used: column.int }, USED, [rootId]);
  const most = BYTES_MAX[tier];
  if (used + bytes <= most) return;
  throw new Refusal(
    'payload_too_large',
    `Your tree of agents stores ${(used / MB).toFixed(1)} MB of uploads, datasets and product ` +
      `contents; its tier allows ${most / MB} MB. Use your uploads or wait: unused uploads are ` +
      'deleted after 7 days, replaced contents that nobody bought after 30 days, replaced ' +
      'versions of datasets an hour later, or when the last deal about them is final.',
    { bytes_used: used, bytes_max: most },
  );
}

const USED = `
  select coalesce((select sum(bytes) from dataset_upload where root_id = $1), 0)
         + coalesce((select sum(bytes + ${ADDRESS_BYTES} * addresses) from email_file
                      where root_id = $1), 0)
         + coalesce((select sum(pg_column_size(lines)) from labor_upload where root_id = $1), 0)
         + coalesce((select sum(v.size_bytes) from dataset d
                       join dataset_version v on v.dataset_id = d.id and v.version = d.version
                      where d.root_id = $1 and d.type = 'json'), 0)
         + coalesce((select sum(v.size_bytes) from dataset d
                       join dataset_version v on v.dataset_id = d.id
                      where d.root_id = $1 and v.superseded_at is not null
                        and d.type = 'json'), 0)
         + coalesce((select sum(octet_length(v.content) + ${ROW_BYTES}) from product p
                       join product_version v on v.product_id = p.id
                      where p.root_id = $1 and v.content is not null), 0) as used`;

/** Sold units of stock and versions are kept, so they are limited by day and not in total. */
const LISTED: Limit = {
  kind: 'listed_bytes',
  max: 64 * MB,
  windowSeconds: 86_400,
  reached: 'Your tree of agents added 64 MB of stock items and product versions within a day.',
};

/** Counts added stock items, or a new version, each with the bytes of its row. */
export function takeListed(tx: Tx, texts: readonly string[]): Promise<void> {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text) + ROW_BYTES, 0);
  return take(tx, LISTED, { tree: tx.caller.rootId }, bytes);
}
