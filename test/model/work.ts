/** The rules of tasks and their money. Amounts are in cents. */

export interface Member {
  readonly id: number;
  readonly key: string;
  credit: number;
  cash: number;
}

interface Bid {
  readonly id: number;
  amount: number;
  attempts: number;
  isWithdrawn: boolean;
}

export interface Assignment {
  readonly id: number;
  readonly poster: Member;
  readonly budget: number;
  readonly held: { readonly credit: number; readonly cash: number };
  /** Whether results are judged by a hash. */
  readonly checkedBy: string | undefined;
  readonly bids: Map<Member, Bid>;
  /** The submission that counts, by its worker. */
  readonly submissions: Map<Member, number>;
  status: string;
  worker: Member | undefined;
  revisions: number;
}

export const ATTEMPTS_MAX = 5;

/** Credit first. */
export function take(from: { credit: number; cash: number }, amount: number) {
  const credit = Math.min(from.credit, amount);
  from.credit -= credit;
  from.cash -= amount - credit;
  return { credit, cash: amount - credit };
}

/** The worker gets so much of the escrow, credit first, and the poster the rest. */
export function end(task: Assignment, status: string, paid: number): void {
  const rest = { ...task.held };
  const earned = take(rest, paid);
  for (const [member, funds] of [
    [task.worker, earned],
    [task.poster, rest],
  ] as const) {
    if (!member) continue;
    member.credit += funds.credit;
    member.cash += funds.cash;
  }
  task.status = status;
}

export const bidOf = (task: Assignment) => task.bids.get(task.worker!)!.amount;

/** A deadline has come. */
export function fallDue(task: Assignment): void {
  const { status } = task;
  if (status === 'submitted') end(task, 'approved', bidOf(task));
  if (status === 'rejected') end(task, 'refunded', 0);
  if (['open', 'assigned', 'revision_requested'].includes(status)) end(task, 'expired', 0);
}

export const WRONG = 'invalid_transition';
export const AWAITS_WORKER: readonly string[] = ['assigned', 'revision_requested'];

/** A bid leaves the task, with its work. */
export function leave(task: Assignment, member: Member): void {
  task.bids.get(member)!.isWithdrawn = true;
  task.submissions.delete(member);
}

/** The worker is gone, and the others may have the task. */
export function unassign(task: Assignment): void {
  leave(task, task.worker!);
  Object.assign(task, { status: 'open', worker: undefined, revisions: 0 });
}

export function withdrawalRefusal(task: Assignment, by: Member): string | undefined {
  const bid = task.bids.get(by);
  if (!bid) return 'not_found';
  return task.status !== 'open' || bid.isWithdrawn ? WRONG : undefined;
}

/** The code with which an action of a poster is refused, because of who asks or of the status. */
export function refusalOf(task: Assignment, by: Member, ...statuses: string[]) {
  if (by !== task.poster) return 'forbidden';
  return statuses.includes(task.status) ? undefined : WRONG;
}

export function bidRefusal(task: Assignment, by: Member, amount: number): string | undefined {
  if (by === task.poster) return 'forbidden';
  if (task.status !== 'open') return WRONG;
  const before = task.bids.get(by);
  const most = Math.min(task.budget, before && !before.isWithdrawn ? before.amount : Infinity);
  return amount > most ? 'validation_error' : undefined;
}

export function submitRefusal(task: Assignment, by: Member, isRight: boolean): string | undefined {
  if (by === task.poster) return 'forbidden';
  if (!['open', 'assigned', 'revision_requested'].includes(task.status)) return WRONG;
  if (task.status !== 'open' && by !== task.worker) return 'forbidden';
  if (!task.checkedBy) return undefined;
  if ((task.bids.get(by)?.attempts ?? 0) >= ATTEMPTS_MAX) return WRONG;
  if (isRight) return undefined;
  return task.checkedBy === 'hash' ? 'hash_mismatch' : 'verification_failed';
}

export const isMismatch = (code: string) =>
  code === 'hash_mismatch' || code === 'verification_failed';

export function approveRefusal(task: Assignment, by: Member, names: boolean): string | undefined {
  const refusal = refusalOf(task, by, 'open', 'submitted');
  if (refusal || task.status === 'submitted') return refusal;
  if (task.submissions.size === 0) return WRONG;
  return task.submissions.size > 1 && !names ? 'ambiguous_submission' : undefined;
}
