import { operation } from '../../kernel/operation.ts';
import type { Tx } from '../../kernel/tx.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input, OneOf, Output, Text, Time, Type } from '../../kernel/schema.ts';
import { PublicText } from '../../kernel/text.ts';
import { lockTreasuries } from '../ledger/ledger.ts';
import { fromUsd } from '../../kernel/money.ts';
import { column, execute, rows } from '../../platform/rows.ts';
import { close } from './closing.ts';
import { payWithdrawals } from './pay_withdrawals.ts';
import { lockWithdrawal, STATUSES, type Withdrawal } from './withdrawal.ts';

export const reviewWithdrawal = operation({
  name: 'review_withdrawal',
  title: 'Review a withdrawal',
  summary:
    'Operators: approves or denies a large withdrawal, or refunds one that can never be paid ' +
    'because another transaction has taken its nonce. Above a sum that is a setting, ' +
    'a second operator has to approve it too.',
  access: 'operator',
  mode: 'write',
  rest: 'POST /api/v1/admin/withdrawals/:withdrawal_id/review',
  bindings: { tool: false },
  effects: { actsOn: { kind: 'withdrawal', field: 'withdrawal_id' }, destructive: true },
  refusals: ['not_found', 'invalid_transition'],
  input: Input({
    withdrawal_id: Id('The withdrawal.'),
    decision: OneOf(
      ['approve', 'deny', 'refund'],
      'approve, deny: one that waits for review. refund: one whose nonce was taken.',
    ),
    note: Type.Optional(PublicText(Text(1, 500, 'The reason. The owner reads it if denied.'))),
  }),
  output: Output('WithdrawalReview', {
    withdrawal_id: Id('The withdrawal.'),
    status: OneOf(STATUSES, 'New status.'),
    needs_second: Type.Boolean({
      description: 'Whether another operator has to approve it too.',
    }),
    decided_at: Time('Time of the decision.'),
  }),

  async handle(tx, { withdrawal_id: id, decision, note = '' }) {
    const [found] = await rows(tx.db, ROOT, 'select root_id from withdrawal where id = $1', [id]);
    if (!found) throw new Refusal('not_found', `There is no withdrawal ${id}.`);
    await lockTreasuries(tx.db, [found.root_id]);
    const withdrawal = (await lockWithdrawal(tx.db, id))!;
    assertDecidable(withdrawal, decision);
    const first = decision === 'approve' ? firstOfTwo(tx, withdrawal) : undefined;
    await execute(
      tx.db,
      `update withdrawal
          set review_note = $2, review = case when $3 then 'approved' else review end,
              approved_by = coalesce($4, approved_by)
        where id = $1`,
      [id, note || null, decision === 'approve' && first === undefined, first ?? null],
    );
    if (decision !== 'approve') {
      await close(tx, withdrawal, { status: 'failed', failure: failureOf(decision, note) });
    } else if (first === undefined) await tx.enqueue(payWithdrawals, {}, { cause: 'pay' });
    return {
      withdrawal_id: id,
      status: decision === 'approve' ? ('requested' as const) : ('failed' as const),
      needs_second: first !== undefined,
      decided_at: tx.now.toISOString(),
    };
  },
});

/**
 * Returns the caller if a second operator has to approve it too; undefined: this approval suffices.
 * Refuses an operator that has approved it before.
 */
function firstOfTwo(
  { config, caller }: Tx,
  { amount, approved_by: before }: Withdrawal,
): string | undefined {
  const { secondOperatorAbove: above } = config.withdrawals;
  if (above === undefined || amount <= fromUsd(above)) return undefined;
  if (config.agents.operators.length < 2) return undefined;
  if (before === null) return caller.operator;
  if (before !== caller.operator) return undefined;
  throw new Refusal(
    'invalid_transition',
    'You have already approved this withdrawal. Another operator has to approve it too.',
    { approved_by: before },
  );
}

const failureOf = (decision: 'deny' | 'refund', why: string): string =>
  decision === 'deny'
    ? `An operator has denied it.${why && ` ${why}`}`
    : 'It could not be paid, and an operator has returned the money.';

const ROOT = { root_id: column.id };

/**
 * Refuses a decision that is not possible. A processing withdrawal is refunded only if it can never
 * be paid: another transaction of its nonce is final on the chain. Otherwise it may still be paid.
 */
function assertDecidable(withdrawal: Withdrawal, decision: 'approve' | 'deny' | 'refund'): void {
  const { status, review, needs } = withdrawal;
  const isDecidable = decision === 'refund' ? needs === 'nonce_taken' : review === 'pending';
  if (isDecidable) return;
  throw new Refusal(
    'invalid_transition',
    decision === 'refund'
      ? 'Only a withdrawal whose nonce another final transaction has taken can be refunded.'
      : 'This withdrawal does not wait for a review.',
    { status, review, needs },
  );
}
