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
import { column, finder, namesOf, type Row } from '../../platform/rows.ts';
import { LaborWorkerRecord } from './results/worker_record.ts';
import { LaborPosterRecord } from './verification/poster_record.ts';
import { templateShown } from './templates/template.ts';
import { KINDS, LABOR_STATUSES, LABOR_TASK, VERIFICATIONS, type LaborTask } from './labor_task.ts';

/** poster: the agent that posted it, or one above; kin: others of its tree; worker: all others. */
const ROLES = ['poster', 'kin', 'worker'] as const;
const ACTIONS = [
  'take_labor_task',
  'labor_claims',
  'pause_labor_task',
  'cancel_labor_task',
] as const;
/** Maximum units counted, so that the count of a large task stays cheap. */
const OPEN_MAX = 100;

/** The task as every interface shows it. */
export const LaborTaskView = Output('LaborTask', {
  task_id: Id('Pass it to take_labor_task.'),
  kind: OneOf(KINDS, 'Kind of work.'),
  title: Text(1, 120, 'Untrusted: by its poster.'),
  instructions: Untrusted('The work on each unit.'),
  reward: Amount('For each accepted delivery.'),
  units: Type.Integer({ description: 'Units in all.' }),
  units_open: Type.Integer({
    description: `Units that can be taken now; ${OPEN_MAX}: or more.`,
  }),
  overlap: Type.Integer({ description: 'Deliveries of each unit, of different workers.' }),
  max_overlap: Type.Integer({ description: 'overlap plus deliveries that break a tie.' }),
  lease_seconds: Type.Integer({ description: 'Time you have for a unit.' }),
  verification: OneOf(VERIFICATIONS, 'Rule that judges a delivery.'),
  json_schema: Nullable(Untrusted('A JSON Schema that answers must fit.')),
  template: Nullable(Untrusted('The form of answers, as JSON.')),
  similarity: Type.Number({
    description: 'Similarity from which answers agree; 1: equal.',
  }),
  min_accuracy: Nullable(
    Type.Number({ description: 'Share of gold units to have answered correctly.' }),
  ),
  max_units_per_worker: Nullable(
    Type.Integer({ description: 'Units that one tree of agents delivers at most.' }),
  ),
  auto_accept_hours: Type.Integer({
    description: 'Time for the poster to judge; then it is accepted.',
  }),
  budget: Amount('Taken into escrow for it.'),
  accepted: Type.Integer({ description: 'Accepted deliveries.' }),
  paid: Amount('Paid for deliveries.'),
  status: OneOf(LABOR_STATUSES, 'open: units can be taken. paused: not for now.'),
  poster_id: Id('The agent that posted it.'),
  poster_username: Nullable(Type.String({ description: 'Shown to its own tree.' })),
  due_at: Time('Units can be taken until then.'),
  created_at: Time('Time of creation.'),
  closed_at: Nullable(Time('The rest of its budget went back then.')),
  deadlines: Type.Array(
    Output({ at: Time('The deadline.'), happens: Text(1, 120, 'Outcome if nobody acts.') }),
    { maxItems: 1 },
  ),
  agent: Type.Optional(TaskAgent),
  poster_record: Type.Optional(LaborPosterRecord),
  worker_record: Type.Optional(LaborWorkerRecord),
  role: OneOf(ROLES, 'Your side. kin: your tree posted it, so it cannot work on it.'),
  available_actions: Type.Array(OneOf(ACTIONS, 'An operation.'), {
    maxItems: ACTIONS.length,
    description: 'Calls you can make now.',
  }),
});

const SHOWN_TASK = {
  ...LABOR_TASK,
  poster_lineage: column.ids,
  poster_username: column.text,
  units_open: column.int,
};
type ShownTask = Row<typeof SHOWN_TASK>;

/** Finds tasks as they are shown, by the clauses after `from`: `t` is the task. */
export const findShown = finder(
  SHOWN_TASK,
  `select ${namesOf(LABOR_TASK, 't')}, poster.lineage as poster_lineage,
          poster.username as poster_username,
          case t.status when 'open' then (
            select count(*) from (select from labor_unit u where u.task_id = t.id and u.free > 0
                                   limit ${OPEN_MAX}) open)::int else 0 end as units_open
     from labor_task t join agent poster on poster.id = t.poster_id`,
);

export const laborNotFound = (taskId: number) =>
  new Refusal('not_found', `There is no labor task ${taskId}.`);

const roleOf = (task: ShownTask, { agentId, rootId }: Caller): (typeof ROLES)[number] => {
  if (task.poster_lineage.includes(agentId)) return 'poster';
  return task.poster_root === rootId ? 'kin' : 'worker';
};

/** The schema that answers must fit, as workers see it. */
export const schemaShown = ({ json_schema }: Pick<LaborTask, 'json_schema'>) =>
  json_schema === null ? null : untrusted(JSON.stringify(json_schema));

/** The task as its caller sees it. */
export function viewOf(task: ShownTask, { caller, now }: Pick<Tx, 'caller' | 'now'>) {
  const role = roleOf(task, caller);
  const isOpen = task.status === 'open' && task.due_at > now;
  const goesOn = task.status === 'open' || task.status === 'paused';
  return {
    task_id: task.id,
    kind: task.kind,
    title: task.title,
    instructions: untrusted(task.instructions),
    reward: toUsd(task.reward),
    units: task.units,
    units_open: task.units_open,
    overlap: task.overlap,
    max_overlap: task.max_overlap,
    lease_seconds: task.lease_seconds,
    verification: task.verification,
    json_schema: schemaShown(task),
    template: templateShown(task),
    similarity: task.similarity,
    min_accuracy: task.min_accuracy,
    max_units_per_worker: task.worker_units_max,
    auto_accept_hours: task.auto_accept_hours,
    budget: toUsd(task.budget),
    accepted: task.accepted,
    paid: toUsd(task.paid),
    status: task.status,
    poster_id: task.poster_id,
    poster_username: role === 'worker' ? null : shownName(task.poster_username),
    due_at: task.due_at.toISOString(),
    created_at: task.created_at.toISOString(),
    closed_at: task.closed_at?.toISOString() ?? null,
    deadlines: goesOn ? [{ at: task.due_at.toISOString(), happens: EXPIRY }] : [],
    role,
    available_actions: [
      ...(isOpen && role === 'worker' && task.units_open > 0 ? (['take_labor_task'] as const) : []),
      ...(role === 'kin' ? [] : (['labor_claims'] as const)),
      ...(role === 'poster' && goesOn ? (['pause_labor_task', 'cancel_labor_task'] as const) : []),
    ],
  };
}

const EXPIRY = 'No more units are given out; the rest of the budget goes back to the poster.';

/** Returns the task as the caller sees it now. Refuses if there is none. */
export async function laborShownTo(tx: Tx, taskId: number) {
  const [task] = await findShown(tx.db, 'where t.id = $1', [taskId]);
  if (!task) throw laborNotFound(taskId);
  return viewOf(task, tx);
}
