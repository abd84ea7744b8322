import { operation, type Tx } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { Id, Input, OneOf, Output, Text, Time, Type } from '../kernel/schema.ts';
import { Shown } from '../kernel/text.ts';
import { lockTreasuries } from '../ledger/ledger.ts';
import { fromUsd } from '../ledger/money.ts';
import { column, execute, rows } from '../platform/rows.ts';
import { close } from './closing.ts';
import { payWithdrawals } from './pay_withdrawals.ts';
import { lockWithdrawal, STATUSES, type Withdrawal } from './withdrawal.ts';

export const reviewWithdrawal = operation({
  name: 'review_withdrawal',
  title: 'Decide about a withdrawal',
  summary:
    'Operators: lets a large withdrawal be paid, or denies it, or gives the money of one back ' +
    'whose nonce another transaction has taken, so that it can never be paid. Above a sum that a ' +
    'setting says, a second operator has to approve it, too.',
  access: 'operator',
  mode: 'write',
  domain: 'withdrawals',
  rest: 'POST /api/v1/admin/withdrawals/:withdrawal_id/review',
  tool: false,
  actsOn: { kind: 'withdrawal', field: 'withdrawal_id' },
  destructive: true,
  refusals: ['not_found', 'invalid_transition'],
  input: Input({
    withdrawal_id: Id('The withdrawal.'),
    decision: OneOf(
      ['approve', 'deny', 'refund'],
      'approve, deny: of one that waits for review. refund: of one whose nonce was taken.',
    ),
    note: Type.Optional(Shown(Text(1, 500, 'Why. Of what is denied its owner reads it.'))),
  }),
  output: Output('WithdrawalReview', {
    withdrawal_id: Id('The withdrawal.'),
    status: OneOf(STATUSES, 'What it is now.'),
    needs_second: Type.Boolean({
      description: 'Whether it is approved, and waits for another operator to approve it.',
    }),
    decided_at: Time('Now.'),
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
 * The caller, if another operator has to approve it after it; undefined: it is enough now. Refuses
 * who has approved it before.
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
    'You have approved it. Above this sum another operator has to, as well.',
    { approved_by: before },
  );
}

const failureOf = (decision: 'deny' | 'refund', why: string): string =>
  decision === 'deny'
    ? `An operator has denied it.${why && ` ${why}`}`
    : 'It could not be paid, and an operator has given the money back.';

const ROOT = { root_id: column.id };

/**
 * Of what is processing, only what can never be paid is given back: the chain has final another
 * transaction of its nonce. Anything else may pay it still.
 */
function assertDecidable(withdrawal: Withdrawal, decision: 'approve' | 'deny' | 'refund'): void {
  const { status, review, needs } = withdrawal;
  const isDecidable = decision === 'refund' ? needs === 'nonce_taken' : review === 'pending';
  if (isDecidable) return;
  throw new Refusal(
    'invalid_transition',
    decision === 'refund'
      ? 'Only one whose nonce another transaction has taken, finally, can be given back.'
      : 'It does not wait for a review.',
    { status, review, needs },
  );
}
