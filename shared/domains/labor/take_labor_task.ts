import { limitReached } from '../../kernel/limits/limits.ts';
import { operation } from '../../kernel/operation.ts';
import type { Tx } from '../../kernel/tx.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Amount, Id, Input, Nullable, Output, Text, Time, Untrusted } from '../../kernel/schema.ts';
import { untrusted } from '../../kernel/text.ts';
import { toUsd } from '../../kernel/money.ts';
import { column, namesOf, nullable, row, rows } from '../../platform/rows.ts';
import { assertAccurate } from './verification/accuracy.ts';
import { givenUpLimit, HELD_MAX, LABOR_TASK, lockTaking, type LaborTask } from './labor_task.ts';
import { laborNotFound, schemaShown } from './labor_view.ts';
import { endLeases } from './leases.ts';

export const takeLaborTask = operation({
  name: 'take_labor_task',
  title: 'Take a unit of a labor task',
  summary:
    'Claims one unit for you to work on. Deliver your answer with deliver_labor_task and this ' +
    'claim_id before lease_until, or others get it. You get each unit once, and none of your own ' +
    'tree. Free.',
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
    unit_id: Id('The unit.'),
    instructions: Untrusted('The work on the unit.'),
    payload: Untrusted('The unit itself.'),
    json_schema: Nullable(Untrusted('The JSON Schema that your answer must fit, as JSON.')),
    reward: Amount('Paid for an accepted delivery.'),
    status: Text(1, 20, 'claimed'),
    lease_until: Time('Last time to deliver it.'),
  }),

  async handle(tx, { task_id }) {
    const task = await assertMayTake(tx, task_id);
    await lockTaking(tx.db, task_id, 'shared');
    const position = await lockWorker(tx, task);
    await endLeases(tx.db, { taskId: task_id, limit: LEASES_MAX });
    const [taken] = await takeUnit(tx, task, position);
    if (!taken) {
      const message = `Labor task ${task_id} has no unit for you now. Retry later or take another.`;
      throw new Refusal('invalid_transition', message);
    }
    return {
      claim_id: taken.id,
      task_id,
      unit_id: taken.unit_id,
      instructions: untrusted(task.instructions),
      payload: untrusted(taken.payload),
      json_schema: schemaShown(task),
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
  await assertAccurate(tx, task);
  return task;
}

/** Serializes the takes of one tree. Resolves with the position of the unit that it got last. */
async function lockWorker(tx: Tx, task: LaborTask): Promise<number> {
  const { id: taskId } = task;
  const { db, caller } = tx;
  const { position } = await row(
    db,
    { position: column.int },
    `insert into labor_worker as worker (task_id, root_id) values ($1, $2)
     on conflict (task_id, root_id) do update set position = worker.position
     returning position`,
    [taskId, caller.rootId],
  );
  const { held } = await row(
    db,
    { held: column.int },
    `select count(*)::int as held from labor_claim
      where root_id = $1 and task_id = $2 and status = 'claimed' and closed_at is null
        and due_at > now()`,
    [caller.rootId, taskId],
  );
  if (held >= HELD_MAX) {
    const message =
      `Your tree holds ${held} units of labor task ${taskId}. ` + 'Deliver or release some.';
    const details = { limited_by: 'units_held', limit: HELD_MAX, used: held, resets_at: null };
    throw new Refusal('invalid_transition', message, details);
  }
  await assertDelivers(tx, task);
  return position;
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

const TAKEN = { id: column.id, unit_id: column.id, payload: column.text, due_at: column.time };

/**
 * Takes the next free unit after the one that the tree got last or, if there is none, one that
 * others gave up. A tree moves on through the units, so it does not look again at those it had.
 * Units that others are taking at this moment are skipped, and the tree's position stays before
 * them: they may need more than one worker.
 */
const takeUnit = ({ db, caller }: Tx, task: LaborTask, position: number) =>
  rows(
    db,
    TAKEN,
    `with ahead as (
       select u.id, u.n, u.payload from labor_unit u
        where u.task_id = $1 and u.free > 0 and u.n > $2 and ${NOT_HAD}
        order by u.n limit 1 for no key update skip locked),
     again as (
       select u.id, u.n, u.payload
         from (select id from labor_unit
                where task_id = $1 and free > 0 and given_up_at is not null
                  and not exists (select from ahead)
                order by given_up_at limit ${AGAIN_MAX}) given_up
         join labor_unit u on u.id = given_up.id and u.free > 0 and ${NOT_HAD}
        limit 1 for no key update of u skip locked),
     found as (
       select found.* from (select * from ahead union all select * from again) found
         join labor_task t on t.id = $1 and t.status = 'open' and t.due_at > now()),
     begun as (
       update labor_unit u set free = u.free - 1 from found where u.id = found.id),
     moved as (
       update labor_worker w
          set position = greatest(w.position, coalesce((
                select u.n - 1 from labor_unit u
                 where u.task_id = $1 and u.free > 0 and u.n > $2 and u.n < found.n and ${NOT_HAD}
                 order by u.n limit 1), found.n))
         from found where w.task_id = $1 and w.root_id = $3)
     insert into labor_claim (task_id, unit_id, agent_id, root_id, due_at)
     select $1, found.id, $4, $3, now() + make_interval(secs => $5) from found
     returning id, unit_id, due_at, (select payload from found)`,
    [task.id, position, caller.rootId, caller.agentId, task.lease_seconds],
  );

/** Maximum given-up units that are searched for one to offer. */
const AGAIN_MAX = 200;

/** SQL with offset 0, so that it is looked up for each unit, not joined with all claims. */
const NOT_HAD = `not exists (
  select from labor_claim c where c.unit_id = u.id and c.root_id = $3
     and c.status not in ('released', 'expired') offset 0)`;
