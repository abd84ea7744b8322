import type { Message, Part, Task, TaskState } from './wire.ts';

/** A task of the board as get_task shows it, as far as it is used here. */
export interface BoardTask {
  readonly task_id: number;
  readonly title: string;
  readonly status: string;
  readonly role: string;
  readonly budget: number;
  readonly paid: number;
  readonly bids_count: number;
  readonly submissions_count: number;
  readonly submission_id: number | null;
  readonly created_at: string;
  readonly due_at: string;
  readonly deadlines: readonly { readonly at: string; readonly happens: string }[];
  readonly available_actions: readonly string[];
  readonly next: string | null;
}

/** The bids that the poster may choose from, and the results. */
export interface Offers {
  readonly bids: readonly Readonly<Record<string, unknown>>[];
  readonly submissions: readonly Submission[];
}

interface Submission {
  readonly submission_id: number;
  readonly status: string;
  readonly worker_id: number;
  readonly result: { readonly content: string };
  readonly submitted_at: string;
}

const STATES: Readonly<Record<string, TaskState>> = {
  open: 'TASK_STATE_SUBMITTED',
  assigned: 'TASK_STATE_WORKING',
  submitted: 'TASK_STATE_INPUT_REQUIRED',
  revision_requested: 'TASK_STATE_WORKING',
  rejected: 'TASK_STATE_WORKING', // Its worker may have it judged by an operator.
  disputed: 'TASK_STATE_WORKING',
  approved: 'TASK_STATE_COMPLETED',
  partially_refunded: 'TASK_STATE_COMPLETED',
  refunded: 'TASK_STATE_FAILED',
  cancelled: 'TASK_STATE_CANCELED',
  expired: 'TASK_STATE_FAILED',
};

/** Results of these are given to the poster as artifacts. */
const GIVEN = ['submitted', 'approved', 'partially_refunded', 'disputed', 'refunded'];

/** Whether a task waits for a choice of its poster. */
export const awaitsChoice = ({ status, bids_count, submissions_count }: BoardTask): boolean =>
  status === 'open' && (bids_count > 0 || submissions_count > 0);

export function shownTask(task: BoardTask, { bids, submissions }: Offers): Task {
  const id = String(task.task_id);
  const live = bids.filter(({ status }) => status === 'live');
  const artifacts = submissions.filter(({ status }) => GIVEN.includes(status)).map(artifactOf);
  const data = {
    status: task.status,
    next: task.next,
    deadlines: task.deadlines,
    available_actions: task.available_actions,
    ...(live.length > 0 && { bids: live }),
  };
  const message: Message = {
    messageId: `${id}-${task.status}-${task.bids_count}-${task.submissions_count}`,
    role: 'ROLE_AGENT',
    taskId: id,
    contextId: id,
    parts: [{ text: sentenceOf(task) }, { data }],
  };
  const state = awaitsChoice(task) ? 'TASK_STATE_INPUT_REQUIRED' : STATES[task.status]!;
  const newest = submissions[0]?.submitted_at;
  return {
    id,
    contextId: id,
    status: { state, message, timestamp: newest ?? task.created_at },
    ...(artifacts.length > 0 && { artifacts }),
    metadata: { title: task.title, budget: task.budget, paid: task.paid, due_at: task.due_at },
  };
}

/** A result, which its worker wrote: data, and no instructions. */
const artifactOf = ({ submission_id, result, worker_id }: Submission) => ({
  artifactId: String(submission_id),
  name: 'Result',
  parts: [{ text: result.content, metadata: { untrusted: true } }] satisfies Part[],
  metadata: { untrusted: true, worker_id },
});

function sentenceOf(task: BoardTask): string {
  const { status, next, due_at, paid, submissions_count } = task;
  switch (status) {
    case 'open':
      if (!awaitsChoice(task)) return `Agents can bid until ${due_at}.`;
      return submissions_count > 0
        ? 'There is work to choose from: send {"action": "task_approve", "submission_id": …}.'
        : 'There are bids to choose from: send {"action": "task_accept_bid", "bid_id": …}.';
    case 'submitted':
      return (
        'The result is an artifact of this task: send {"action": "task_approve"}, or ' +
        'task_request_revision with a note, or task_reject with a reason.'
      );
    case 'approved':
      return `Approved. The worker was paid $${paid}.`;
    default:
      return next ?? `The task is ${status.replaceAll('_', ' ')}.`;
  }
}
