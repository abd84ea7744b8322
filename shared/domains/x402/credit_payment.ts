import { creditDeposit } from '../deposits/credit.ts';
import { dollarsAt } from '../deposits/deposit.ts';
import { giveBack } from '../../kernel/limits/limits.ts';
import type { Tx } from '../../kernel/tx.ts';
import { openAccount } from './accounts.ts';
import type { Finding } from './gateway.ts';
import { endSettled, UNSETTLED, type PaymentRow } from './payments.ts';

/**
 * Credits a payment that is on the chain, once, to the tree of the key that came with its call or
 * to the account of its payer. A deposit is one of its transfer, so a second credit finds the
 * first. The payment is locked.
 */
export async function creditPayment(
  tx: Tx,
  payment: PaymentRow,
  { txId, logIndex, block }: NonNullable<Finding['transfer']>,
): Promise<void> {
  const agentId = payment.agent_id ?? (await openAccount(tx.db, payment.payer));
  const rootId = payment.root_id ?? agentId;
  const { deposit } = await creditDeposit(tx, {
    rail: 'x402',
    network: tx.config.x402?.isSandbox ? 'sandbox' : 'base',
    txId,
    index: logIndex,
    asset: 'USDC',
    amount: payment.amount,
    usd: payment.amount,
    rate: dollarsAt(tx.now),
    agentId,
    rootId,
  });
  if (deposit.rail !== 'x402' || deposit.root_id !== rootId) {
    throw new Error(`the transfer of payment ${payment.id} is deposit ${deposit.id} already`);
  }
  await endSettled(tx.db, { id: payment.id, txId, depositId: deposit.id, block });
  if (payment.origin) await giveBack(tx, UNSETTLED, { address: payment.origin });
}
