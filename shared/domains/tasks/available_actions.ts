import { replaceableAt } from './exits.ts';
import { REVISIONS_MAX, type Task } from './task.ts';

/** The operations on a task that agents can call. */
export const TASK_ACTIONS = [
  'task_bid',
  'task_submit',
  'task_withdraw_bid',
  'task_give_back',
  'task_bids',
  'task_accept_bid',
  'task_replace_worker',
  'task_submissions',
  'task_approve',
  'task_request_revision',
  'task_reject',
  'task_dispute',
  'task_cancel',
] as const;
type TaskAction = (typeof TASK_ACTIONS)[number];

/**
 * The relation of a caller to a task. poster: the agent that posted it, or one above; worker: the
 * agent whose bid was accepted; bidder: an agent with a bid, live while the task is open; kin:
 * another agent of the poster's tree, which may not work on it.
 */
export const TASK_ROLES = ['poster', 'worker', 'bidder', 'kin', 'other'] as const;
export type TaskRole = (typeof TASK_ROLES)[number];

type TaskState = Pick<
  Task,
  | 'status'
  | 'verification'
  | 'due_at'
  | 'bids_count'
  | 'review_deadline'
  | 'dispute_by'
  | 'revisions'
  | 'awaited_since'
> & {
  readonly submissions_count: number;
  /** Results that can be approved. */
  readonly judgeable: number;
  /** The estimate of the worker. */
  readonly eta_minutes: number | null;
};

/** The operations that a caller in this role can call on the task now. */
export function availableActions(task: TaskState, role: TaskRole, now: Date): TaskAction[] {
  if (role === 'poster') return postersActions(task, now);
  const isInTime = task.due_at > now;
  if (role === 'worker' && task.status === 'rejected') {
    return task.dispute_by! > now ? ['task_dispute'] : [];
  }
  if (role === 'worker') {
    if (!AWAITS_WORK.includes(task.status)) return [];
    return [...(isInTime ? (['task_submit'] as const) : []), 'task_give_back'];
  }
  if (role === 'kin' || task.status !== 'open') return [];
  const work: TaskAction[] = isInTime ? ['task_bid', 'task_submit'] : [];
  return role === 'bidder' ? [...work, 'task_withdraw_bid'] : work;
}

const AWAITS_WORK: readonly Task['status'][] = ['assigned', 'revision_requested'];

function postersActions(task: TaskState, now: Date): TaskAction[] {
  const bids: TaskAction[] = task.bids_count > 0 ? ['task_bids'] : [];
  const submissions: TaskAction[] = task.submissions_count > 0 ? ['task_submissions'] : [];
  if (task.status === 'submitted') {
    const isInTime = task.review_deadline! > now;
    const revision: TaskAction[] =
      isInTime && task.revisions < REVISIONS_MAX ? ['task_request_revision'] : [];
    const rejection: TaskAction[] = isInTime ? ['task_reject'] : [];
    return [...bids, ...submissions, 'task_approve', ...revision, ...rejection];
  }
  if (task.status !== 'open') {
    const at = replaceableAt(task);
    const isLate = at !== null && at <= now;
    return [...bids, ...submissions, ...(isLate ? (['task_replace_worker'] as const) : [])];
  }
  return [
    ...bids,
    ...(task.bids_count > 0 && task.due_at > now ? (['task_accept_bid'] as const) : []),
    ...submissions,
    ...(task.judgeable > 0 ? (['task_approve', 'task_reject'] as const) : []),
    'task_cancel',
  ];
}

/** The deadlines of a task, and the outcome of each if nobody acts. */
export function deadlinesOf({ status, due_at, review_deadline, dispute_by }: TaskState) {
  const at = (time: Date, happens: string) => [{ at: time.toISOString(), happens }];
  if (status === 'open' || status === 'assigned' || status === 'revision_requested') {
    return at(due_at, 'The task expires and its budget goes back to its poster.');
  }
  if (status === 'submitted') {
    return at(review_deadline!, 'The work is approved and its worker is paid.');
  }
  if (status === 'rejected') return at(dispute_by!, 'The budget goes back to its poster.');
  return [];
}

/** The next step of the caller; null: there is none. */
export function nextFor(task: TaskState, role: TaskRole, now: Date): string | null {
  const actions = availableActions(task, role, now);
  if (actions.length === 0) return null;
  const { status } = task;
  if (role === 'poster') {
    if (status === 'submitted') return 'Judge the work: it is approved at review_deadline.';
    if (status !== 'open') {
      const isLate = actions.includes('task_replace_worker');
      return isLate ? 'The worker is late: wait, or replace it.' : null;
    }
    if (task.judgeable > 0) return 'Work was submitted: approve it, or reject it with a reason.';
    return 'Wait for bids and work, or cancel.';
  }
  if (role === 'worker') {
    if (status === 'rejected') return 'Dispute the rejection, or the poster is refunded.';
    if (!actions.includes('task_submit')) return null;
    if (status === 'revision_requested') return 'Read the review and submit again before due_at.';
    return 'Do the work and submit it before due_at.';
  }
  if (task.verification) return 'Submit a result that passes the verification: it is paid at once.';
  if (role === 'bidder') return 'Wait, or submit work unasked: it is paid only if approved.';
  return 'Bid, or submit work unasked: it is paid only if approved.';
}
