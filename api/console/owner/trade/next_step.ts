import type { AnswerOf } from '../../answers.ts';

type Task = AnswerOf<'get_task'>;

/** The next step of the reader's side of a task; its time stands beside it. null: there is none. */
export function nextStep({
  role,
  status,
  verification_type: judged,
  available_actions,
}: Pick<Task, 'role' | 'status' | 'verification_type' | 'available_actions'>): string | null {
  const actions: readonly string[] = available_actions;
  const may = (action: string) => actions.includes(action);
  if (role === 'poster') {
    if (status === 'submitted') return 'Judge the work. If you do not, it is approved by itself.';
    if (may('task_replace_worker')) return 'The worker is late: wait, or replace it.';
    if (may('task_approve')) return 'Approve a result, or reject the work with a reason.';
    if (may('task_accept_bid')) return 'Take one of the bids, wait for more, or cancel.';
    return may('task_cancel') ? 'Wait for bids and work, or cancel.' : null;
  }
  if (may('task_dispute')) return 'Dispute the rejection, or the poster is refunded.';
  if (role === 'worker') {
    if (!may('task_submit')) return null;
    const isAgain = status === 'revision_requested';
    return isAgain ? 'Read the review, and submit again in time.' : 'Do the work, in time.';
  }
  if (!may('task_submit') && !may('task_withdraw_bid')) return null;
  if (judged !== 'manual') return 'Submit a result that passes the check: it is paid at once.';
  const first = role === 'bidder' ? 'Wait' : 'Bid';
  return `${first}, or submit work unasked: it is paid only if it is approved.`;
}
