import { timer } from '../../../jobs/timers/timer.ts';
import { Output, Type } from '../../../kernel/schema.ts';
import type { Tx } from '../../../kernel/tx.ts';
import { column, execute, nullable, rows, type Row } from '../../../platform/rows.ts';
import { networkPaidOn } from '../../deposits/chain/recipients.ts';
import { settle } from '../../deposits/chain/settle.ts';
import { pricesOf } from '../../deposits/prices/deposit_value.ts';
import { INDEX_FROM, indexOf } from '../deposit_index.ts';
import { keyOf, ourWallets } from './pay_to.ts';
import type { X402Rail } from '../settings.ts';

/** Maximum transfers of one run, the largest first: dust holds up nothing of worth. */
const TRANSFERS_MAX = 50;

/**
 * Records what came to the address of payments for calls and pays for none: it is unclaimed, or of
 * the agent that has linked the wallet it came from. It has the key of a payment for a call, so one
 * that turns out to be one is not counted twice.
 */
export const suspendX402Transfers = timer({
  name: 'suspend_x402_transfers',
  title: 'Suspend transfers that pay for no call',
  summary: 'Internal: records transfers to the address of payments by x402 that are no payments.',
  everyMs: 60_000,
  output: Output({ transfers: Type.Integer({ description: 'Number of transfers recorded.' }) }),

  async prepare(tx) {
    const rail = tx.config.x402;
    return rail && { rail, transfers: await findNameless(tx, rail) };
  },

  async gather(gateways, _input, _call, found) {
    if (!found) return undefined;
    if (found.transfers.length === 0) return { ...found, times: new Map(), prices: new Map() };
    const { x402, prices } = gateways; // Where the rail is off, x402 does not open.
    const blocks = [...new Set(found.transfers.map(({ block_number }) => block_number))];
    const times = new Map<number, Date>();
    for (const block of blocks) times.set(block, await x402.timeOf(block));
    return { ...found, times, prices: await pricesOf(prices, ['USDC']) };
  },

  async handle(tx, _input, found) {
    if (!found) return { transfers: 0 };
    const { rail, times, prices } = found;
    const comparedTo = await findComparedTo(tx, rail);
    // Not those of which the payment was found meanwhile.
    const open = new Set((await findNameless(tx, rail)).map(logOf));
    const nameless = found.transfers.filter((transfer) => open.has(logOf(transfer)));
    const transfers = nameless.map((transfer) => ({
      txId: transfer.tx_hash,
      index: indexOf(transfer.log_index),
      asset: 'USDC',
      amount: transfer.amount,
      from: transfer.sender,
      to: transfer.pay_to,
      position: transfer.block_number,
      at: times.get(transfer.block_number)!,
    }));
    const network = networkPaidOn(tx.config, 'x402')!;
    await settle(tx, { rail: 'x402', network, transfers, isFinal: true, prices });
    const isWhole = open.size === nameless.length && open.size < TRANSFERS_MAX;
    if (isWhole) await noteSuspended(tx, rail, comparedTo);
    return { transfers: transfers.length };
  },
});

const TRANSFER = {
  tx_hash: column.text,
  log_index: column.int,
  pay_to: column.text,
  sender: column.text,
  amount: column.micros,
  block_number: column.int,
};

const logOf = ({ tx_hash, log_index }: Row<typeof TRANSFER>) => `${tx_hash} ${log_index}`;

/** Final transfers that others made, of which no payment for a call and no deposit is known. */
async function findNameless(tx: Tx, rail: X402Rail) {
  return rows(tx.db, TRANSFER, NAMELESS_SQL, [...keyOf(rail), await ourWallets(tx)]);
}

/** The last block whose transfers were read; null: none was. */
async function findComparedTo({ db }: Tx, rail: X402Rail): Promise<number | null> {
  const sql = `select compared_to from x402_cursor where (network, asset, pay_to) = ($1, $2, $3)`;
  const [cursor] = await rows(db, { compared_to: nullable(column.int) }, sql, keyOf(rail));
  return cursor?.compared_to ?? null;
}

/** Notes up to where nothing is left, for the audit. */
const noteSuspended = ({ db }: Tx, rail: X402Rail, to: number | null) =>
  execute(
    db,
    `update x402_cursor set suspended_to = $4
      where (network, asset, pay_to) = ($1, $2, $3) and suspended_to is distinct from $4`,
    [...keyOf(rail), to],
  );

const NAMELESS_SQL = `
  select tx_hash, log_index, pay_to, sender, amount, block_number
    from x402_transfer t
   where (network, asset, pay_to) = ($1, $2, $3) and not credited
     and not coalesce(own, sender = any ($4))
     and not exists (
           select from x402_payment p
            where (p.network, p.asset, p.payer, p.nonce)
                  = (t.network, t.asset, t.sender, t.nonce) and p.status <> 'lapsed')
     and not exists (
           select from deposit d
            where d.network in ('base', 'sandbox-base', 'sandbox') and d.tx_id = t.tx_hash
              and case when d.rail = 'x402' and d.sender is not null
                       then d.tx_index in (t.log_index, t.log_index + ${INDEX_FROM})
                       else (d.recipient, d.amount) = (t.pay_to, t.amount) end)
   order by amount desc, block_number, log_index limit ${TRANSFERS_MAX}`;
