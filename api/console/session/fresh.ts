import type { AnswerOf } from '../answers.ts';
import type { AnyOperation } from '../../../shared/kernel/operation.ts';
import type { FormFields } from '../page_state.ts';
import { oneOf } from './form.ts';

/**
 * Operations that need a fresh proof (a password within ten minutes): money that leaves the
 * platform, keys, more to spend for an agent, and decisions that cannot be taken back.
 */
const FRESH = new Set([
  'withdraw',
  'link_wallet',
  'create_key',
  'rotate_key',
  'set_proxy_addresses', // From there anybody pays with the account.
  'spawn_agent',
  'set_policy',
  'resume_agent',
  'update_connection',
  'create_webhook',
  'rotate_webhook_secret',
  'decide_dispute',
  'decide_task_dispute',
  'decide_labor_appeal',
  'review_withdrawal',
  'decide_unclaimed_payment',
  'give_goodwill',
  'operator_resume_agent',
]);

/** Amount in dollars above which an approval, a task or a purchase needs a proof too. */
const UNPROVEN_MAX = 100;
const APPROVALS_READ = 100;

/** Reads the approvals that wait for the person of the session. */
export type ReadApprovals = (input: object) => Promise<AnswerOf<'list_approvals'>>;

export async function needsProof(
  op: AnyOperation,
  given: FormFields,
  approvals: ReadApprovals,
): Promise<boolean> {
  if (FRESH.has(op.name)) return true;
  // Sends all events elsewhere, like a webhook that is made.
  if (op.name === 'update_webhook') return oneOf(given, 'url').trim() !== '';
  // Charges a card without asking. Turning it off does not, whatever else the form changes.
  if (op.name === 'set_auto_recharge') return oneOf(given, 'enabled').trim() !== 'false';
  // No comparison is true of what is no number.
  if (op.name === 'task_post') return !(Number(oneOf(given, 'budget')) <= UNPROVEN_MAX);
  if (op.name === 'purchase_product') {
    // A form that says no most, or a blank one, may cost anything.
    const most = oneOf(given, 'max_total_due').trim();
    return most === '' || !(Number(most) <= UNPROVEN_MAX);
  }
  if (op.name !== 'decide_approval' || oneOf(given, 'decision') !== 'approve') return false;
  const found = await approvals({ status: 'pending', limit: APPROVALS_READ });
  // Compared as a number, like the operation reads it: "07" is 7 too.
  const id = Number(oneOf(given, 'approval_id'));
  const asked = found.approvals.find(({ approval_id }) => approval_id === id);
  // An approval that is not found was decided before, unless there are more than were read.
  return asked ? asked.amount > UNPROVEN_MAX : found.has_more;
}
