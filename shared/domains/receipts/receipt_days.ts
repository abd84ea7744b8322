import type { Tx } from '../../kernel/tx.ts';
import { column, execute, nullable, row, rows, type Database } from '../../platform/rows.ts';
import { BLOCK, leafOf, rootOf, sha256 } from './hash_tree.ts';
import { openSigner } from './signing_keys.ts';
import type { Watermark } from './watermark.ts';

const DAY_MS = 86_400_000;
/** Hashes read at once. */
const READ_MAX = 64 * BLOCK;

/**
 * Signs the hash tree of the receipts of each day that is over, before any receipt of a later day
 * is issued. Whoever has kept the document of a day, or of any later one, sees if a receipt of that
 * day was changed, removed or added since. Returns the day that is open now.
 */
export async function closeDays(tx: Tx, mark: Watermark): Promise<Date> {
  let day = new Date(`${mark.open_day}T00:00:00.000Z`);
  while (tx.now.getTime() >= day.getTime() + DAY_MS) {
    await closeDay(tx, day.toISOString().slice(0, 10), mark.last_id);
    day = new Date(day.getTime() + DAY_MS);
  }
  return day;
}

async function closeDay(tx: Tx, day: string, lastId: number): Promise<void> {
  const before = await dayBefore(tx.db, day);
  const blocks = await blocksOf(tx.db, before.next_id, lastId);
  const root = rootOf(blocks);
  const count = lastId - before.next_id + 1;
  const signer = await openSigner(tx);
  const document = JSON.stringify({
    version: 1,
    issuer: tx.config.api.publicUrl,
    day,
    first_receipt_id: before.next_id,
    count,
    root_hash: root.toString('hex'),
    previous: before.hash,
  });
  const { jws, signature } = await signer.sign(document);
  await execute(
    tx.db,
    `insert into receipt_day
       (day, first_id, count, root_hash, blocks, key_id, document, signature, hash)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      day,
      before.next_id,
      count,
      root,
      Buffer.concat(blocks),
      signer.keyId,
      document,
      signature,
      sha256(jws),
    ],
  );
}

/** The first receipt after the day before, and the hash of that day's document. */
const dayBefore = (db: Database, day: string) =>
  row(
    db,
    { next_id: column.id, hash: nullable(column.text) },
    `select coalesce(max(first_id + count), 1) as next_id, encode(max(hash), 'hex') as hash
       from receipt_day where day = $1::date - 1`,
    [day],
  );

async function blocksOf(db: Database, firstId: number, lastId: number): Promise<Buffer[]> {
  const blocks: Buffer[] = [];
  for (let from = firstId; from <= lastId; from += READ_MAX) {
    const hashes = await rows(
      db,
      { hash: column.bytes },
      'select hash from receipt where id between $1 and $2 order by id',
      [from, Math.min(lastId, from + READ_MAX - 1)],
    );
    const leaves = hashes.map(({ hash }) => leafOf(hash));
    for (let n = 0; n < leaves.length; n += BLOCK) blocks.push(rootOf(leaves.slice(n, n + BLOCK)));
  }
  return blocks;
}
