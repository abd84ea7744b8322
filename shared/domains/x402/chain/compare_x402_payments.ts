import { timer } from '../../../jobs/timers/timer.ts';
import { Output, Type } from '../../../kernel/schema.ts';
import type { Tx } from '../../../kernel/tx.ts';
import { column, execute, nullable, row, rows, type Database } from '../../../platform/rows.ts';
import type { ChainTransfer, SentTransfer, X402Gateway } from '../gateway.ts';
import { lookForX402Payment } from '../look_for_x402_payment.ts';
import { keyOf, ourWallets } from './pay_to.ts';
import type { X402Rail } from '../settings.ts';

/** Providers answer about so many blocks at a time; of one that refuses fewer are asked for. */
const BLOCKS_MAX = 2_000;
/** In one run, of which another begins within a minute. */
const PAGES_MAX = 10;
/** No page is begun later: it may take as long as a node may for each question. */
const READ_MS = 20_000;

/**
 * Reads from the chain what was paid at our address, block by block, as soon as blocks are final.
 * The audit compares payments with that. It begins with the first payment whose block is known, or
 * with what is final now where there is none: of payments that an older release settled no block
 * was recorded. An authorization that was used, and whose payment is not settled here, makes the
 * payment open again, also one that a node said had lapsed; then it is looked for. Where everything
 * was read, it notes what the address holds, which is what came in less what went out.
 */
export const compareX402Payments = timer({
  name: 'compare_x402_payments',
  title: 'Compare payments by x402 with the chain',
  summary: 'Internal: reads from the chain what was paid at the address that is paid by x402.',
  everyMs: 60_000,
  gatherMs: 60_000,
  output: Output({ transfers: Type.Integer({ description: 'How many were read.' }) }),

  async prepare({ db, config: { x402: rail } }) {
    if (!rail) return undefined;
    const cursor = await row(db, CURSOR, CURSOR_SQL, keyOf(rail));
    return {
      rail,
      comparedTo: cursor.compared_to,
      beforeFirst: cursor.before_first,
      isFailing: cursor.failing,
    };
  },

  async gather(gateways, _input, _call, cursor) {
    return cursor && { ...cursor, reading: await read(gateways.x402, cursor) };
  },

  async handle(tx, _input, found) {
    if (!found) return { transfers: 0 };
    const { rail, reading, isFailing } = found;
    if (reading.fault !== undefined) {
      // A node that does not answer once starts anew, or is out for a moment.
      const level = isFailing ? 'warn' : 'debug';
      tx.log[level]({ fault: reading.fault }, 'the chain of payments by x402 cannot be read');
    }
    await move(tx.db, found);
    await recordSent(tx.db, rail, reading.sent);
    const unsettled = await record(tx, rail, reading.transfers);
    const looks = unsettled.map(({ id }) => ({ payment_id: id }));
    await tx.enqueueAll(lookForX402Payment, looks, { cause: 'transfer' });
    return { transfers: reading.transfers.length };
  },
});

interface Cursor {
  readonly rail: X402Rail;
  /** The last block that was read; null: none was. */
  readonly comparedTo: number | null;
  readonly beforeFirst: number | null;
  /** Whether the last reading failed. */
  readonly isFailing: boolean;
}

interface Reading {
  /** null: no node has said what is final. */
  readonly from: number | null;
  readonly to: number | null;
  readonly isCaughtUp: boolean;
  readonly transfers: readonly ChainTransfer[];
  readonly sent: readonly SentTransfer[];
  /** The balance of the address after the last block that was read; null: it was not asked for. */
  readonly held: bigint | null;
  /** Why it went no further. What was read before is recorded all the same. */
  readonly fault: string | undefined;
}

const CURSOR = {
  compared_to: nullable(column.int),
  before_first: nullable(column.int),
  failing: column.boolean,
};
/** The first payment is looked for once, where nothing was compared before. */
const CURSOR_SQL = `
  select c.compared_to, c.fault is not null as failing,
         (select min(block_number) - 1 from x402_payment
           where c.compared_to is null and (network, asset, lower(pay_to)) = ($1, $2, $3)
         ) as before_first
    from (select) as one
    left join x402_cursor c on (c.network, c.asset, c.pay_to) = ($1, $2, $3)`;

async function read(x402: X402Gateway, { comparedTo, beforeFirst }: Cursor): Promise<Reading> {
  const transfers: ChainTransfer[] = [];
  const sent: SentTransfer[] = [];
  let [from, to] = [comparedTo, comparedTo];
  let isCaughtUp = false;
  try {
    const final = await x402.finalBlock();
    from ??= Math.min(final, beforeFirst ?? final);
    to = from;
    const until = Date.now() + READ_MS;
    let blocks = BLOCKS_MAX;
    for (let pages = 0; to < final && pages < PAGES_MAX && Date.now() < until; pages += 1) {
      const page = await x402.transfersIn(to + 1, Math.min(to + blocks, final));
      blocks = page.to - to;
      transfers.push(...page.transfers);
      sent.push(...page.sent);
      to = page.to;
    }
    isCaughtUp = to >= final;
    // Nodes forget what was held at blocks of long ago.
    const held = isCaughtUp && to !== comparedTo ? await x402.heldAt(to) : null;
    return { from, to, isCaughtUp, transfers, sent, held, fault: undefined };
  } catch (error) {
    const fault = String(error).slice(0, 500);
    return { from, to, isCaughtUp, transfers, sent, held: null, fault };
  }
}

/** Unless another run has moved it meanwhile: what was read here was read by that one too. */
async function move(
  db: Database,
  { rail, comparedTo, reading }: Cursor & { readonly reading: Reading },
): Promise<void> {
  const { from, to, isCaughtUp, held, fault } = reading;
  const heldBlock = held === null ? null : to;
  await execute(
    db,
    `insert into x402_cursor as known
       (network, asset, pay_to, began_after, compared_to, caught_up_at, fault,
        base_block, base_held, held_block, held)
     values ($1, $2, $3, $4, $5, case when $6 then now() end, $7, $9, $10, $9, $10)
     on conflict (network, asset, pay_to) do update
       set began_after = coalesce(known.began_after, excluded.began_after),
           compared_to = excluded.compared_to,
           caught_up_at = coalesce(excluded.caught_up_at, known.caught_up_at),
           base_block = coalesce(known.base_block, excluded.base_block),
           base_held = coalesce(known.base_held, excluded.base_held),
           held_block = coalesce(excluded.held_block, known.held_block),
           held = coalesce(excluded.held, known.held),
           fault = excluded.fault
      where known.compared_to is not distinct from $8`,
    [...keyOf(rail), from, to, isCaughtUp, fault, comparedTo, heldBlock, held],
  );
}

/**
 * Records each transfer once. Answers the payments that are open again: their authorizations were
 * used, so they are on the chain, and no node's word that they lapsed counts any more.
 */
async function record(
  tx: Tx,
  rail: X402Rail,
  transfers: readonly ChainTransfer[],
): Promise<readonly { readonly id: number }[]> {
  return rows(
    tx.db,
    { id: column.id },
    `with seen as (
       insert into x402_transfer
         (network, asset, pay_to, tx_hash, log_index, sender, amount, block_number, nonce, credited,
          own)
       select $1, $2, $3, t.*, exists (
                select from x402_payment p where p.status = 'settled'
                   and (p.network, p.asset, p.payer, p.nonce) = ($1, $2, t.sender, t.nonce)),
              t.sender = any ($10)
         from unnest($4::text[], $5::int[], $6::text[], $7::bigint[], $8::bigint[], $9::text[])
              as t(tx_hash, log_index, sender, amount, block_number, nonce)
       on conflict do nothing
       returning sender, nonce, amount)
     update x402_payment p set status = 'open', lapsed_at = null
       from seen
      where (p.network, p.asset, p.payer, p.nonce, p.amount)
            = ($1, $2, seen.sender, seen.nonce, seen.amount) and p.status <> 'settled'
     returning p.id`,
    [
      ...keyOf(rail),
      transfers.map(({ txHash }) => txHash),
      transfers.map(({ logIndex }) => logIndex),
      transfers.map(({ sender }) => sender),
      transfers.map(({ amount }) => amount.toString()),
      transfers.map(({ block }) => block),
      transfers.map(({ nonce }) => nonce),
      await ourWallets(tx),
    ],
  );
}

/** Records once what left the address. */
async function recordSent(
  db: Database,
  rail: X402Rail,
  sent: readonly SentTransfer[],
): Promise<void> {
  if (sent.length === 0) return;
  await execute(
    db,
    `insert into x402_sent
       (network, asset, pay_to, tx_hash, log_index, recipient, amount, block_number)
     select $1, $2, $3, t.*
       from unnest($4::text[], $5::int[], $6::text[], $7::bigint[], $8::bigint[]) as t
     on conflict do nothing`,
    [
      ...keyOf(rail),
      sent.map(({ txHash }) => txHash),
      sent.map(({ logIndex }) => logIndex),
      sent.map(({ recipient }) => recipient),
      sent.map(({ amount }) => amount.toString()),
      sent.map(({ block }) => block),
    ],
  );
}
