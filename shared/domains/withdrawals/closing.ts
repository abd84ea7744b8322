import type { EntityManager } from 'typeorm';

import { emit } from '../events/events.ts';
import { asset, escrow, insertTransfers, treasury, type MoneyTx } from '../ledger/ledger.ts';
import { toUsd } from '../../kernel/money.ts';
import { execute } from '../../platform/rows.ts';
import { refundSpend } from '../wallet/spend.ts';
import type { Withdrawal } from './withdrawal.ts';

/** The end of a withdrawal: paid on the chain, or with its money back in the wallet. */
type WithdrawalOutcome =
  | { readonly status: 'paid'; readonly hash: string; readonly block: number }
  | { readonly status: 'failed'; readonly failure: string; readonly hash?: string }
  | { readonly status: 'cancelled' };

/** Closes a withdrawal and empties its escrow. Its tree and its row are locked. */
export async function close(
  tx: MoneyTx,
  withdrawal: Withdrawal,
  end: WithdrawalOutcome,
): Promise<void> {
  const { db } = tx;
  const { id, agent_id: agentId, root_id, amount, escrow_id, spent_on } = withdrawal;
  const isPaid = end.status === 'paid';
  await insertTransfers(tx, [
    {
      kind: isPaid ? 'withdrawal.paid' : 'withdrawal.refund',
      ref: id,
      from: escrow(escrow_id, root_id),
      to: isPaid ? asset('base') : treasury(root_id),
      credit: 0n,
      cash: amount,
    },
  ]);
  if (!isPaid) await refundSpend(db, { agentId, day: spent_on, amount });
  const hash = 'hash' in end ? (end.hash ?? null) : null;
  await execute(
    db,
    `update withdrawal
        set status = $2, failure = $3, tx_hash = $4, block_number = $5, needs = null,
            closed_at = now(),
            -- a withdrawal that fails while it waits for a review was denied by an operator
            review = case when review = 'pending' and $2 = 'failed' then 'denied'
                          when review = 'pending' then null else review end
      where id = $1`,
    [id, end.status, end.status === 'failed' ? end.failure : null, hash, isPaid ? end.block : null],
  );
  await tell(db, withdrawal, end.status, hash);
}

/** Emits an event for the agent of a withdrawal, with its new status. */
export async function tell(
  db: EntityManager,
  { id, agent_id: agentId, amount }: Pick<Withdrawal, 'id' | 'agent_id' | 'amount'>,
  status: Withdrawal['status'],
  hash: string | null = null,
): Promise<void> {
  await emit(db, [
    {
      agentId,
      type: `withdrawal.${status}`,
      object: { kind: 'withdrawal', id, status },
      data: { withdrawal_id: id, amount: toUsd(amount), ...(hash !== null && { tx_id: hash }) },
    },
  ]);
}
