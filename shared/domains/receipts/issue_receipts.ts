import { runAgain, timer } from '../../jobs/timers/timer.ts';
import { Output, Type } from '../../kernel/schema.ts';
import type { Tx } from '../../kernel/tx.ts';
import { column, execute, row, rows } from '../../platform/rows.ts';
import { commitmentsOf } from './commitments.ts';
import {
  CHARGES,
  DEAL,
  documentOf,
  statementOf,
  statementOfCharges,
  type Statement,
} from './document.ts';
import { sha256 } from './hash_tree.ts';
import { openSigner } from './signing_keys.ts';
import { closeDays } from './receipt_days.ts';
import { lockWatermark } from './watermark.ts';

const NAME = 'issue_receipts';
/** Maximum transfers of one run: an order is settled by up to three. */
const TRANSFERS_MAX = 500;
/** Metered charges of an hour are one receipt of their tree, or of so many transfers. */
const CHARGES_EVERY_MS = 3_600_000;
const CHARGES_MAX = 100_000;

/**
 * Issues receipts of settled deals, in the order of the ledger. It follows the mark of the daily
 * sums, so a purchase and its settlement pay nothing for it.
 */
export const issueReceipts = timer({
  name: NAME,
  title: 'Issue receipts',
  summary: 'Internal: signs a receipt of each settled deal, and a hash over those of each day.',
  everyMs: 5_000,
  output: Output({ receipts: Type.Integer({ description: 'Number of receipts issued.' }) }),

  async handle(tx) {
    const mark = await lockWatermark(tx.db);
    const day = await closeDays(tx, mark);
    const lastOf = (after: number, most: number) => lastOfNext(tx, after, mark.moved_to, most);
    const dealsTo = await lastOf(mark.deals_to, TRANSFERS_MAX);
    const isChargesDue = tx.now.getTime() - mark.charged_at.getTime() >= CHARGES_EVERY_MS;
    const chargesTo = isChargesDue ? await lastOf(mark.charges_to, CHARGES_MAX) : mark.charges_to;
    const statements = [
      ...(await settledDeals(tx, mark.deals_to, dealsTo)),
      ...(await gatheredCharges(tx, mark.charges_to, chargesTo)),
    ];
    // A receipt is never of a day that is closed, whatever the clock of this machine says.
    const issuedAt = tx.now < day ? day : tx.now;
    await issue(tx, { lastId: mark.last_id, issuedAt }, statements);
    const isRest = isChargesDue && chargesTo < mark.moved_to;
    await execute(
      tx.db,
      `update receipt_watermark
          set open_day = $1, deals_to = $2, charges_to = $3, charged_at = $4, last_id = $5
        where (open_day, deals_to, charges_to, charged_at) <> ($1, $2, $3, $4)`,
      [
        day.toISOString().slice(0, 10),
        dealsTo,
        chargesTo,
        isChargesDue && !isRest ? tx.now : mark.charged_at,
        mark.last_id + statements.length,
      ],
    );
    if (isRest || dealsTo < mark.moved_to) await runAgain(tx, NAME);
    return { receipts: statements.length };
  },
});

/** The last of so many transfers after one. Of fewer, it is the one up to which none is missing. */
async function lastOfNext(tx: Tx, after: number, to: number, most: number): Promise<number> {
  if (after >= to) return after;
  const sql = 'select last_of_next($1, $2, $3) as id';
  return (await row(tx.db, { id: column.id }, sql, [after, to, most])).id;
}

interface SaltedStatement extends Statement {
  readonly salt: string | null;
}

async function settledDeals(tx: Tx, after: number, to: number): Promise<SaltedStatement[]> {
  const columns = Object.keys(DEAL).join(', ');
  const sql = `select ${columns} from settled_deals($1, $2) order by first_id`;
  const deals = await rows(tx.db, DEAL, sql, [after, to]);
  const commitmentOf = await commitmentsOf(tx, deals);
  return deals.map((deal) => {
    const made = commitmentOf(deal);
    const more = made ? { content_sha256: made.contentSha256 } : {};
    return { ...statementOf(deal, more), salt: made?.salt ?? null };
  });
}

async function gatheredCharges(tx: Tx, after: number, to: number): Promise<SaltedStatement[]> {
  if (to === after) return [];
  const columns = Object.keys(CHARGES).join(', ');
  const sql = `select ${columns} from gathered_charges($1, $2) order by first_id`;
  const charges = await rows(tx.db, CHARGES, sql, [after, to]);
  return charges.map((one) => ({ ...statementOfCharges(one), salt: null }));
}

/** Signs and stores them. Each names the receipt before it of each of its trees. */
async function issue(
  tx: Tx,
  { lastId, issuedAt }: { lastId: number; issuedAt: Date },
  statements: readonly SaltedStatement[],
): Promise<void> {
  if (statements.length === 0) return;
  const signer = await openSigner(tx);
  const heads = await headsOf(tx, statements);
  const made = [];
  const changed = new Map<number, string>();
  for (const [n, statement] of statements.entries()) {
    const { deal, salt } = statement;
    const id = lastId + 1 + n;
    const document = documentOf(statement, {
      issuer: tx.config.api.publicUrl,
      id,
      issuedAt,
      previousOf: (root) => heads.get(root) ?? null,
    });
    const { jws, signature } = await signer.sign(document);
    const hash = sha256(jws).toString('hex');
    for (const root of [deal.payer_root, deal.payee_root]) {
      if (root === null) continue;
      heads.set(root, hash);
      changed.set(root, hash);
    }
    made.push({ deal, salt, id, document, hash, signature: signature.toString('hex') });
  }
  await execute(
    tx.db,
    `insert into receipt (id, kind, object_id, payer_id, payee_id, key_id, document, signature,
                          hash, salt, issued_at)
     select id, kind, object_id, payer_id, payee_id, $8, document, decode(signature, 'hex'),
            decode(hash, 'hex'), salt, $9
       from unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[],
                   $7::text[], $10::text[], $11::text[])
         as r(id, kind, object_id, payer_id, payee_id, document, signature, hash, salt)`,
    [
      made.map(({ id }) => id),
      made.map(({ deal }) => deal.kind),
      made.map(({ deal }) => deal.object_id),
      made.map(({ deal }) => deal.payer_id),
      made.map(({ deal }) => deal.payee_id),
      made.map(({ document }) => document),
      made.map(({ signature }) => signature),
      signer.keyId,
      issuedAt,
      made.map(({ hash }) => hash),
      made.map(({ salt }) => salt),
    ],
  );
  await execute(
    tx.db,
    `insert into receipt_head (root_id, hash)
     select root_id, decode(hash, 'hex') from unnest($1::bigint[], $2::text[]) as h(root_id, hash)
         on conflict (root_id) do update set hash = excluded.hash`,
    [[...changed.keys()], [...changed.values()]],
  );
}

async function headsOf(tx: Tx, statements: readonly Statement[]): Promise<Map<number, string>> {
  const roots = statements.flatMap(({ deal }) => [deal.payer_root, deal.payee_root]);
  const found = await rows(
    tx.db,
    { root_id: column.id, hash: column.text },
    `select root_id, encode(hash, 'hex') as hash from receipt_head where root_id = any ($1)`,
    [[...new Set(roots)].filter((root) => root !== null)],
  );
  return new Map(found.map(({ root_id, hash }) => [root_id, hash]));
}
