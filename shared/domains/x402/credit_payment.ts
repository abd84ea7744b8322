import { creditDeposit } from '../deposits/credit.ts';
import { dollarsAt } from '../deposits/deposit.ts';
import { giveBack } from '../../kernel/limits/limits.ts';
import type { Tx } from '../../kernel/tx.ts';
import { column, rows, type Database } from '../../platform/rows.ts';
import { openAccount } from './accounts.ts';
import type { Finding } from './gateway.ts';
import { indexOf } from './deposit_index.ts';
import { USED_BEFORE } from './outcomes.ts';
import { endLapsed, endSettled, UNSETTLED, type PaymentRow } from './payments.ts';

type Transfer = NonNullable<Finding['transfer']>;

/**
 * Credits a payment that is on the chain, once, to the tree of the key that came with its call or
 * to the account of its payer. The payment is locked. False: its transfer was credited or paid back
 * before its call came, as one that pays for none, so the payment ends as used.
 */
export async function creditPayment(
  tx: Tx,
  payment: PaymentRow,
  transfer: Transfer,
): Promise<boolean> {
  const { txId, logIndex, block } = transfer;
  const network = tx.config.x402?.isSandbox ? 'sandbox' : 'base';
  const suspended = await suspendedAs(tx.db, network, transfer);
  if (suspended?.is_used) {
    await endLapsed(tx.db, payment.id, USED_BEFORE);
    return false;
  }
  const agentId = payment.agent_id ?? (await openAccount(tx.db, payment.payer));
  const rootId = payment.root_id ?? agentId;
  const { deposit, isNew } = await creditDeposit(tx, {
    rail: 'x402',
    network,
    txId,
    index: suspended?.index ?? indexOf(logIndex),
    asset: 'USDC',
    amount: payment.amount,
    usd: payment.amount,
    rate: dollarsAt(tx.now),
    agentId,
    rootId,
  });
  // It is of another payment, or another call was quicker, which the next attempt sees.
  if (!isNew) {
    throw new Error(`the transfer of payment ${payment.id} is deposit ${deposit.id} already`);
  }
  await endSettled(tx.db, { id: payment.id, txId, depositId: deposit.id, block });
  if (payment.origin) await giveBack(tx, UNSETTLED, { address: payment.origin });
  return true;
}

/**
 * The deposit of a transfer that was recorded as one which pays for no call; before 2026-11-30 with
 * the number of its log as index. is_used: it was credited or paid back.
 */
async function suspendedAs(db: Database, network: string, { txId, logIndex }: Transfer) {
  const [found] = await rows(
    db,
    { index: column.int, is_used: column.boolean },
    `select tx_index as index, (credited_at is not null or status = 'returned') as is_used
       from deposit
      where (network, tx_id) = ($1, $2) and tx_index in ($3, $4) and rail = 'x402'
        and sender is not null`,
    [network, txId, logIndex, indexOf(logIndex)],
  );
  return found;
}
