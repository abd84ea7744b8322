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

/**
 * Credits a payment that is on the chain, once, to the tree of the key that came with its call or
 * to the account of its payer. The payment is locked. False: its transfer was credited or paid back
 * before its call came, as one that pays for none, so the payment ends as used.
 */
export async function creditPayment(
  tx: Tx,
  payment: PaymentRow,
  { txId, logIndex, block }: NonNullable<Finding['transfer']>,
): Promise<boolean> {
  const network = tx.config.x402?.isSandbox ? 'sandbox' : 'base';
  const transfer = { network, txId, index: indexOf(logIndex) };
  if (await isUsed(tx.db, transfer)) {
    await endLapsed(tx.db, payment.id, USED_BEFORE);
    return false;
  }
  const agentId = payment.agent_id ?? (await openAccount(tx.db, payment.payer));
  const rootId = payment.root_id ?? agentId;
  const { deposit, isNew } = await creditDeposit(tx, {
    rail: 'x402',
    ...transfer,
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

interface Transfer {
  readonly network: string;
  readonly txId: string;
  readonly index: number;
}

/** Whether it was credited or paid back as a transfer that pays for no call. */
async function isUsed(db: Database, { network, txId, index }: Transfer): Promise<boolean> {
  const found = await rows(
    db,
    { id: column.id },
    `select id from deposit where (network, tx_id, tx_index) = ($1, $2, $3) and sender is not null
        and (credited_at is not null or status = 'returned')`,
    [network, txId, index],
  );
  return found.length > 0;
}
