import { limitReached } from '../../kernel/limits/limits.ts';
import { operation } from '../../kernel/operation.ts';
import type { Tx } from '../../kernel/tx.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Amount, Id, Input, Nullable, Output, Text, Time, Untrusted } from '../../kernel/schema.ts';
import { untrusted } from '../../kernel/text.ts';
import { toUsd } from '../../kernel/money.ts';
import { column, namesOf, nullable, row, rows } from '../../platform/rows.ts';
import {
  givenUpLimit,
  HELD_MAX,
  LABOR_TASK,
  lockTaking,
  UNKNOWN_HELD_MAX,
  type LaborTask,
} from './labor_task.ts';
import { isQualified, knownAmong } from './verification/records.ts';
import { laborNotFound, schemaShown } from './labor_view.ts';
import { templateShown } from './templates/template.ts';
import { drawUnit, WORKER, type Worker } from './draws.ts';
import { endLeases } from './leases.ts';

export const takeLaborTask = operation({
  name: 'take_labor_task',
  title: 'Take a unit of a labor task',
  summary:
    'Claims one unit for you to work on. Deliver your answer with deliver_labor_task and this ' +
    'claim_id before lease_until, or others get it. You get each unit once, and none of your own ' +
    'tree. A tree that is new holds 20 at a time, others 50. Free.',
  phrasings: `
    claim a unit of work; start a microtask; reserve a labeling or transcription job for me;
    give me the next piece; accept HIT 45; I will label batch 17, lock it to me; assign me the
    next item to annotate; grab a microtask; claim a unit, start working; give me work from that
    labeling task; take a microtask; start labeling; claim a labor task; assign a unit to me; I
    want to do this micro job; begin a transcription job; book a labeling unit; accept a small
    job; reserve a unit; let me do one; I will label some; hand me a unit; give me something to
    label; sign me up for the transcription; get a piece of work; next one please`,
  access: 'any',
  mode: 'write',
  rest: 'POST /api/v1/labor/:task_id/take',
  refusals: ['not_found', 'forbidden', 'invalid_transition', 'rate_limited'],
  input: Input({ task_id: Id('The labor task. From list_labor_tasks.') }),
  output: Output('TakenUnit', {
    claim_id: Id('Pass it to deliver_labor_task.'),
    task_id: Id('The labor task.'),
    unit_id: Id('Your number for the unit; others have another for it.'),
    instructions: Untrusted('The work on the unit.'),
    payload: Untrusted('The unit itself.'),
    json_schema: Nullable(Untrusted('A JSON Schema for your answer.')),
    template: Nullable(Untrusted('The form of your answer, as JSON.')),
    reward: Amount('Paid for an accepted delivery.'),
    status: Text(1, 20, 'claimed'),
    lease_until: Time('Last time to deliver it.'),
  }),

  async handle(tx, { task_id }) {
    const task = await assertMayTake(tx, task_id);
    const mayTakeAny = await isQualified(tx, task);
    await lockTaking(tx.db, task_id, 'shared');
    const worker = await lockWorker(tx, task);
    await endLeases(tx.db, { taskId: task_id, limit: LEASES_MAX });
    const taken = await drawUnit(tx, task, { ...worker, mayTakeAny });
    return {
      claim_id: taken.id,
      task_id,
      unit_id: taken.id,
      instructions: untrusted(task.instructions),
      payload: untrusted(taken.payload),
      json_schema: schemaShown(task),
      template: templateShown(task),
      reward: toUsd(task.reward),
      status: 'claimed',
      lease_until: taken.due_at.toISOString(),
    };
  },
});

/** Maximum expired leases that one call ends. */
const LEASES_MAX = 20;

async function assertMayTake(tx: Tx, taskId: number): Promise<LaborTask> {
  const [task] = await rows(
    tx.db,
    LABOR_TASK,
    `select ${namesOf(LABOR_TASK)} from labor_task where id = $1`,
    [taskId],
  );
  if (!task) throw laborNotFound(taskId);
  if (task.poster_root === tx.caller.rootId) {
    throw new Refusal('forbidden', 'Your own tree of agents posted this labor task.');
  }
  await assertNotBlocked(tx, task);
  return task;
}

/** Refuses a tree that the poster takes no work from. */
async function assertNotBlocked({ db, caller }: Tx, { poster_root }: LaborTask): Promise<void> {
  const blocked = await rows(
    db,
    { root_id: column.id },
    'select root_id from labor_block where poster_root = $1 and root_id = $2',
    [poster_root, caller.rootId],
  );
  if (blocked.length === 0) return;
  throw new Refusal('forbidden', 'The poster of this labor task takes no work from your tree.');
}

/** Serializes the takes of one tree. Refuses a tree that has as many units as it may have. */
async function lockWorker(tx: Tx, task: LaborTask): Promise<Worker> {
  const { id: taskId } = task;
  const { db, caller } = tx;
  const worker = await row(
    db,
    WORKER,
    `insert into labor_worker as worker (task_id, root_id) values ($1, $2)
     on conflict (task_id, root_id) do update set position = worker.position
     returning ${namesOf(WORKER)}`,
    [taskId, caller.rootId],
  );
  const { held, waiting } = await row(
    db,
    { held: column.int, waiting: column.int },
    `select count(*) filter (where status = 'claimed' and due_at > now())::int as held,
            count(*) filter (where status <> 'claimed')::int as waiting
       from (select status, due_at from labor_claim
              where root_id = $1 and task_id = $2 and closed_at is null
                and status in ('claimed', 'verifying', 'rejected', 'appealed')
              limit ${COUNTED_MAX}) open`,
    [caller.rootId, taskId],
  );
  if (held >= HELD_MAX) throw tooMany(task, { limit: HELD_MAX, used: held });
  const open = held + waiting;
  if (open >= UNKNOWN_HELD_MAX) {
    const who = { rootIds: [caller.rootId], posterRoot: task.poster_root };
    const isKnown = (await knownAmong(db, who)).size > 0;
    if (!isKnown) throw tooMany(task, { limit: UNKNOWN_HELD_MAX, used: open });
  }
  const max = task.worker_units_max;
  if (max !== null && worker.delivered + held >= max) {
    const message = `A tree delivers at most ${max} units of labor task ${taskId}.`;
    const details = { limited_by: 'units_of_worker', limit: max, used: worker.delivered + held };
    throw new Refusal('invalid_transition', message, { ...details, resets_at: null });
  }
  await assertDelivers(tx, task);
  return worker;
}

/** Claims that are counted: a tree with a record may have any number. */
const COUNTED_MAX = 200;

function tooMany({ id }: LaborTask, { limit, used }: { limit: number; used: number }): Refusal {
  const isNew = limit === UNKNOWN_HELD_MAX;
  const message = isNew
    ? `Your tree has ${used} units of labor task ${id} whose verdicts are not final. A tree ` +
      `without a record has at most ${limit}. Wait, or take units of other tasks.`
    : `Your tree holds ${used} units of labor task ${id}. Deliver or release some.`;
  const limited_by = isNew ? 'units_of_new_worker' : 'units_held';
  return new Refusal('invalid_transition', message, { limited_by, limit, used, resets_at: null });
}

/** Refuses a tree that has given up too many units: it keeps them from others. */
async function assertDelivers(tx: Tx, task: LaborTask): Promise<void> {
  const { used, resets_at } = await row(
    tx.db,
    { used: column.int, resets_at: nullable(column.time) },
    `select count(*)::int as used, min(ended_at) + interval '1 day' as resets_at
       from (select due_at as ended_at from labor_claim
              where root_id = $1 and task_id = $2 and status = 'claimed' and closed_at is null
                and due_at <= now()
             union all
             select closed_at from labor_claim
              where root_id = $1 and task_id = $2 and status in ('released', 'expired')
                and closed_at > now() - interval '1 day') given_up`,
    [tx.caller.rootId, task.id],
  );
  const limit = givenUpLimit(task);
  if (used < limit.max) return;
  const wait = (resets_at!.getTime() - tx.now.getTime()) / 1_000;
  throw limitReached(tx, limit, { used, resets_at: resets_at!, wait });
}
