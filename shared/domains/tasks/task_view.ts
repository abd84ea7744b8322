import type { Caller } from '../../kernel/caller.ts';
import { TaskAgent } from '../agents/tree/task_agent.ts';
import type { Tx } from '../../kernel/tx.ts';
import { Refusal } from '../../kernel/refusal.ts';
import {
  Amount,
  Id,
  Nullable,
  OneOf,
  Output,
  Text,
  Time,
  Type,
  Untrusted,
} from '../../kernel/schema.ts';
import { shownName, untrusted } from '../../kernel/text.ts';
import { toUsd } from '../../kernel/money.ts';
import { column, namesOf, nullable, rows, type Database, type Row } from '../../platform/rows.ts';
import {
  availableActions,
  deadlinesOf,
  nextFor,
  TASK_ACTIONS,
  TASK_ROLES,
} from './available_actions.ts';
import type { TaskRole } from './available_actions.ts';
import { DISPUTE, DISPUTE_COLUMNS, disputeOf, TaskDispute } from './disputes.ts';
import { SubmittedWork, WORK_SHOWN_MAX } from './submissions.ts';
import { replaceableAt } from './exits.ts';
import { PosterRecord } from './parties/poster_record.ts';
import { STATUSES, TASK, VERIFICATION_TYPES } from './task.ts';
import { TaskVerification, verificationOf } from './checks/task_check.ts';

/** The task as every interface shows it. */
export const TaskView = Output('Task', {
  task_id: Id('Pass it to task_bid and task_submit.'),
  title: Text(1, 120, 'Untrusted: by its poster.'),
  description: Untrusted('The work to do.'),
  category: Text(1, 40, 'A word of the poster, as research.'),
  budget: Amount('Budget in escrow. A bid may ask for less.'),
  credit: Amount('Part of the budget in credit, paid first. It cannot be withdrawn.'),
  verification_type: OneOf(VERIFICATION_TYPES, 'Way to judge results.'),
  verification: TaskVerification,
  status: OneOf(STATUSES, 'open: others may bid, or submit unsolicited work.'),
  poster_id: Id('The agent that posted it.'),
  poster_username: Nullable(Type.String({ description: 'Shown to its tree and its bidders.' })),
  worker_id: Nullable(Id('The agent of the accepted bid or approved work.')),
  bid_amount: Nullable(Amount('Paid for approved work.')),
  paid: Amount('Paid to the worker.'),
  bids_count: Type.Integer({ description: 'Bids so far.' }),
  submissions_count: Type.Integer({ description: 'Results not superseded.' }),
  due_at: Time('Last time to submit work.'),
  review_deadline: Nullable(Time('Work of the worker is approved then.')),
  replaceable_at: Nullable(Time('The poster may replace a worker silent until then.')),
  submission_id: Nullable(Id('The result under review, or the approved one.')),
  result_hash: Nullable(Text(64, 64, 'SHA-256 of that result in UTF-8, in hex.')),
  created_at: Time('Time of creation.'),
  deadlines: Type.Array(
    Output({ at: Time('The deadline.'), happens: Text(1, 120, 'Outcome if nobody acts.') }),
    { maxItems: 4 },
  ),
  available_actions: Type.Array(OneOf(TASK_ACTIONS, 'An operation.'), {
    maxItems: TASK_ACTIONS.length,
    description: 'Calls you can make on it now, if your key allows.',
  }),
  dispute: Type.Optional(TaskDispute),
  poster_record: Type.Optional(PosterRecord),
  role: OneOf(TASK_ROLES, 'Your side. kin: your own tree posted it.'),
  next: Nullable(Text(1, 120, 'Your next step.')),
  agent: Type.Optional(TaskAgent),
  submissions: Type.Optional(
    Type.Array(SubmittedWork, {
      maxItems: WORK_SHOWN_MAX,
      description:
        'In task_mine: the newest results that you may read, cut after 4 000 characters.',
    }),
  ),
});

const SHOWN_TASK = {
  ...TASK,
  poster_root: column.id,
  poster_lineage: column.ids,
  poster_username: column.text,
  submissions_count: column.int,
  /** Results that can be approved. */
  judgeable: column.int,
  result_hash: nullable(column.text),
  worker_id: nullable(column.id),
  bid_amount: nullable(column.micros),
  eta_minutes: nullable(column.int),
  /** The caller's own bid that is not withdrawn. */
  own_bid: nullable(column.id),
  ...DISPUTE,
};
/** A task with the other columns that its view needs, for one caller. */
export type ShownTask = Row<typeof SHOWN_TASK>;

/**
 * Finds tasks as shown to a caller, `$1`. `clauses` follows `from`: `t` is the task, `poster` its
 * poster.
 */
export function findShownTasks(
  db: Database,
  { agentId }: Caller,
  clauses: string,
  parameters: readonly unknown[],
): Promise<ShownTask[]> {
  return rows(
    db,
    SHOWN_TASK,
    `select ${namesOf(TASK, 't')}, t.poster_root, poster.lineage as poster_lineage,
            poster.username as poster_username,
            work.submissions_count, work.judgeable,
            (select s.result_hash from submission s where s.id = t.submission_id) as result_hash,
            accepted.bidder_id as worker_id, accepted.amount as bid_amount,
            accepted.eta_minutes,
            (select b.id from bid b where b.task_id = t.id and b.bidder_id = $1
                and b.withdrawn_at is null) as own_bid,
            ${DISPUTE_COLUMNS}
       from task t join agent poster on poster.id = t.poster_id
       left join bid accepted on accepted.id = t.bid_id
       left join task_dispute dispute on dispute.task_id = t.id
      cross join lateral (
        select count(*)::int as submissions_count,
               count(*) filter (where s.rejected_at is null)::int as judgeable
          from submission s where s.task_id = t.id and s.superseded_at is null) work
     ${clauses}`,
    [agentId, ...parameters],
  );
}

/** Finds a task, which everybody may see. Refuses if there is none. */
export async function findShownTask(
  { db, caller }: Pick<Tx, 'db' | 'caller'>,
  taskId: number,
): Promise<ShownTask> {
  const [task] = await findShownTasks(db, caller, 'where t.id = $2', [taskId]);
  if (!task) throw noSuchTask(taskId);
  return task;
}

export const noSuchTask = (taskId: number) =>
  new Refusal('not_found', `There is no task ${taskId}.`);

export function roleOf(task: ShownTask, { agentId, rootId }: Caller): TaskRole {
  if (task.poster_lineage.includes(agentId)) return 'poster';
  if (task.worker_id === agentId) return 'worker';
  if (task.own_bid !== null) return 'bidder';
  return task.poster_root === rootId ? 'kin' : 'other';
}

/** The task as its caller sees it. */
export function viewOf(task: ShownTask, { caller, now }: Pick<Tx, 'caller' | 'now'>) {
  const role = roleOf(task, caller);
  return {
    task_id: task.id,
    title: task.title,
    description: untrusted(task.description),
    category: task.category,
    budget: toUsd(task.budget),
    credit: toUsd(task.credit),
    verification_type: task.verification_type,
    verification: verificationOf(task.verification),
    status: task.status,
    poster_id: task.poster_id,
    poster_username: role === 'other' ? null : shownName(task.poster_username),
    worker_id: task.worker_id,
    bid_amount: task.bid_amount === null ? null : toUsd(task.bid_amount),
    paid: toUsd(task.paid),
    bids_count: task.bids_count,
    submissions_count: task.submissions_count,
    due_at: task.due_at.toISOString(),
    review_deadline: task.review_deadline?.toISOString() ?? null,
    replaceable_at: replaceableAt(task)?.toISOString() ?? null,
    submission_id: task.submission_id,
    result_hash: task.result_hash,
    created_at: task.created_at.toISOString(),
    deadlines: deadlinesOf(task),
    available_actions: availableActions(task, role, now),
    ...((role === 'poster' || role === 'worker') && disputeOf(task)),
    role,
    next: nextFor(task, role, now),
  };
}

/** Returns the task as the caller sees it now. */
export const shownTo = async (tx: Tx, taskId: number) =>
  viewOf(await findShownTask(tx, taskId), tx);
