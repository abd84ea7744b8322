import type { AnswerOf } from '../answers.ts';
import type { AnyOperation } from '../../shared/kernel/operation.ts';
import type { Given } from '../shown.ts';
import { oneOf } from './form.ts';

/**
 * What wants a fresh proof of its person (a password within ten minutes): what leaves the platform,
 * keys, what an agent may spend, and decisions that cannot be taken back.
 */
const FRESH = new Set([
  'withdraw',
  'link_wallet',
  'create_key',
  'rotate_key',
  'spawn_agent',
  'set_policy',
  'update_connection',
  'create_webhook',
  'rotate_webhook_secret',
  'decide_dispute',
  'decide_task_dispute',
  'review_withdrawal',
  'give_goodwill',
]);

/** In dollars: above it, an approval wants one too. */
const APPROVED_MAX = 100;
const APPROVALS_READ = 100;

/** Reads, as the person of the session, what waits for its decision. */
export type ReadApprovals = (input: object) => Promise<AnswerOf<'list_approvals'>>;

export async function needsProof(
  op: AnyOperation,
  given: Given,
  approvals: ReadApprovals,
): Promise<boolean> {
  if (FRESH.has(op.name)) return true;
  if (op.name !== 'decide_approval' || oneOf(given, 'decision') !== 'approve') return false;
  const found = await approvals({ status: 'pending', limit: APPROVALS_READ });
  // As a number, as the operation reads it: "07" is 7 too.
  const id = Number(oneOf(given, 'approval_id'));
  const asked = found.approvals.find(({ approval_id }) => approval_id === id);
  // One that is not found has been decided before, unless there are more than were read.
  return asked ? asked.amount > APPROVED_MAX : found.has_more;
}
