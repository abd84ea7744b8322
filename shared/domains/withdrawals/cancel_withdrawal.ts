import { operation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input } from '../../kernel/schema.ts';
import { lockTreasuries } from '../ledger/ledger.ts';
import { close } from './closing.ts';
import { findWithdrawals, lockWithdrawal, noSuchWithdrawal, viewOf } from './withdrawal.ts';
import { WithdrawalView } from './withdrawal.ts';

export const cancelWithdrawal = operation({
  name: 'cancel_withdrawal',
  title: 'Cancel a withdrawal',
  summary:
    'Cancels a withdrawal that is not processing yet: the money is back in the wallet at ' +
    'once. Free.',
  phrasings: `
    abort a payout; stop a withdrawal that is not sent yet; I do not want to cash out any more;
    stop my cash-out; wrong address, do not send; take back a payout; cancel my payout; stop the
    withdrawal; do not pay out; undo a withdrawal; wrong payout address; keep the money in the
    wallet; I typed a wrong address, stop it; leave my money here; hold the payout; stop sending
    my money; call back the withdrawal`,
  access: 'owner',
  mode: 'write',
  rest: 'POST /api/v1/wallet/withdrawals/:withdrawal_id/cancel',
  refusals: ['not_found', 'invalid_transition'],
  input: Input({ withdrawal_id: Id('A withdrawal of yours that is requested.') }),
  output: WithdrawalView,

  async handle(tx, { withdrawal_id: id }) {
    const { rootId } = tx.caller;
    await lockTreasuries(tx.db, [rootId]);
    const withdrawal = await lockWithdrawal(tx.db, id);
    if (withdrawal?.root_id !== rootId) throw noSuchWithdrawal(id);
    if (withdrawal.status !== 'requested') {
      throw new Refusal(
        'invalid_transition',
        withdrawal.status === 'processing'
          ? 'The withdrawal is processing: its transaction may be on the chain already.'
          : `The withdrawal is already ${withdrawal.status}.`,
        { status: withdrawal.status },
      );
    }
    await close(tx, withdrawal, { status: 'cancelled' });
    return viewOf((await findWithdrawals(tx.db, 'id = $1', [id]))[0]!, tx);
  },
});
