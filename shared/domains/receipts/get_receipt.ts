import { operation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input, type Static } from '../../kernel/schema.ts';
import { column, rows, type Database } from '../../platform/rows.ts';
import { BLOCK, leafOf, pathOf } from './hash_tree.ts';
import { findReceipts, FullReceipt, ReceiptView } from './receipt.ts';
import type { ReceiptDocument } from './signed_document.ts';

export const getReceipt = operation({
  name: 'get_receipt',
  title: 'Get a receipt',
  summary:
    'Shows one signed receipt of a settled deal of yours or of an agent below, and the proof ' +
    'that it is in the hash of its day. Free.',
  phrasings: `
    signed proof of a deal; prove that I paid; evidence of a sale that others can verify; show
    receipt 12; verifiable receipt; cryptographic proof of purchase; proof of payment for a third
    party; inclusion proof of a receipt; what does this receipt say; open one receipt; document
    that proves delivery; signature on my receipt`,
  access: 'read',
  mode: 'read',
  rest: 'GET /api/v1/receipts/:receipt_id',
  bindings: { tool: 'by_name' },
  refusals: ['not_found'],
  input: Input({ receipt_id: Id('The receipt. From list_receipts.') }),
  output: FullReceipt,

  async handle({ db, caller }, { receipt_id: id }) {
    const [receipt] = await findReceipts(
      db,
      caller.rootId,
      'where r.id = $2 and ($3 = any (payer.lineage) or $3 = any (payee.lineage))',
      [id, caller.agentId],
    );
    if (!receipt) throw new Refusal('not_found', `You have no receipt ${id}.`);
    const document = JSON.parse(receipt.document) as Static<typeof ReceiptDocument>;
    return { ...ReceiptView.show(receipt), document, inclusion: await inclusionOf(db, id) };
  },
});

/** The path from a receipt to the root of its day; null while the day is not closed. */
async function inclusionOf(db: Database, id: number) {
  const [day] = await rows(
    db,
    { day: column.text, first_id: column.id, count: column.int, blocks: column.bytes },
    `select day::text, first_id, count, blocks from receipt_day
      where first_id <= $1 and first_id + count > $1 order by first_id desc limit 1`,
    [id],
  );
  if (!day) return null;
  const index = id - day.first_id;
  const block = Math.floor(index / BLOCK);
  const from = day.first_id + block * BLOCK;
  const hashes = await rows(
    db,
    { hash: column.bytes },
    'select hash from receipt where id between $1 and $2 order by id',
    [from, Math.min(from + BLOCK, day.first_id + day.count) - 1],
  );
  const leaves = hashes.map(({ hash }) => leafOf(hash));
  const blocks = Array.from({ length: day.blocks.length / 32 }, (_, n) =>
    day.blocks.subarray(32 * n, 32 * n + 32),
  );
  const path = [...pathOf(leaves, index % BLOCK), ...pathOf(blocks, block)];
  return {
    day: day.day,
    index,
    count: day.count,
    path: path.map((hash) => hash.toString('hex')),
  };
}
