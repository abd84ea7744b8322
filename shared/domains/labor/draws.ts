import { randomInt } from 'node:crypto';

import { Refusal } from '../../kernel/refusal.ts';
import type { Tx } from '../../kernel/tx.ts';
import { column, rows, type Row } from '../../platform/rows.ts';
import { GOLD_MIN, isOfGold, type LaborTask } from './labor_task.ts';
import { unqualified } from './verification/records.ts';

/** How far the tree of a worker is in a task. */
export const WORKER = { position: column.int, delivered: column.int, gold_taken: column.int };
export type Worker = Row<typeof WORKER>;

/**
 * Draws a unit for a worker. At first many are units with known answers, then some, so that its
 * work can be judged soon and nobody is sure which they are. They are no work of their own: when
 * all others are taken, a worker gets one only to be judged by.
 */
export async function drawUnit(
  tx: Tx,
  task: LaborTask,
  worker: Worker & { mayTakeAny: boolean },
): Promise<Row<typeof TAKEN>> {
  const isOfWork = isOfGold(task);
  const isNew = worker.gold_taken < GOLD_MIN;
  const isGoldDue = task.gold > 0 && !isOfWork && randomInt(100) < (isNew ? 40 : 7);
  const [known] =
    !worker.mayTakeAny || isGoldDue ? await takeGold(tx, task, !worker.mayTakeAny) : [];
  if (known) return known;
  if (!worker.mayTakeAny) throw unqualified(task.min_accuracy!);
  const [taken] = await takeUnit(tx, task, worker.position);
  if (taken) return taken;
  const [last] = isNew && worker.delivered > 0 && !isOfWork ? await takeGold(tx, task, true) : [];
  if (last) return last;
  const { id, status } = task;
  const isOpen = status === 'open' && task.due_at > tx.now;
  const message = isOpen
    ? `Labor task ${id} has no unit for you now. Retry later or take another.`
    : `Labor task ${id} gives out no units: it is ${status === 'open' ? 'past due' : status}.`;
  throw new Refusal('invalid_transition', message, { status });
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
        where u.task_id = $1 and u.free > 0 and u.n > $2 and (u.expected is null or $6)
          and ${NOT_HAD}
        order by u.n limit 1 for no key update skip locked),
     again as (
       select u.id, u.n, u.payload
         from (select id from labor_unit
                where task_id = $1 and free > 0 and given_up_at is not null
                  and (expected is null or $6) and not exists (select from ahead)
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
                 where u.task_id = $1 and u.free > 0 and u.n > $2 and u.n < found.n
                   and (u.expected is null or $6) and ${NOT_HAD}
                 order by u.n limit 1), found.n))
         from found where w.task_id = $1 and w.root_id = $3)
     insert into labor_claim (task_id, unit_id, agent_id, root_id, due_at)
     select $1, found.id, $4, $3, now() + make_interval(secs => $5) from found
     returning id, unit_id, due_at, (select payload from found)`,
    [task.id, position, caller.rootId, caller.agentId, task.lease_seconds, isOfGold(task)],
  );

/** Takes a unit with a known answer, from a random one on. `isAlone`: also if no other is left. */
const takeGold = ({ db, caller }: Tx, task: LaborTask, isAlone: boolean) =>
  rows(
    db,
    TAKEN,
    `with ahead as (
       select u.id, u.payload from labor_unit u
        where u.task_id = $1 and ${IS_GOLD} and u.n >= $2 and ${NOT_HAD}
        order by u.n limit 1 for no key update skip locked),
     behind as (
       select u.id, u.payload from labor_unit u
        where u.task_id = $1 and ${IS_GOLD} and u.n < $2 and not exists (select from ahead)
          and ${NOT_HAD}
        order by u.n limit 1 for no key update skip locked),
     found as (
       select found.* from (select * from ahead union all select * from behind) found
         join labor_task t on t.id = $1 and t.status = 'open' and t.due_at > now()
        where $6 or exists (select from labor_unit o
                             where o.task_id = $1 and o.free > 0 and o.expected is null)),
     begun as (
       update labor_unit u set free = u.free - 1 from found where u.id = found.id),
     counted as (
       update labor_worker w set gold_taken = gold_taken + 1
         from found where w.task_id = $1 and w.root_id = $3)
     insert into labor_claim (task_id, unit_id, agent_id, root_id, due_at)
     select $1, found.id, $4, $3, now() + make_interval(secs => $5) from found
     returning id, unit_id, due_at, (select payload from found)`,
    [
      task.id,
      randomInt(task.units) + 1,
      caller.rootId,
      caller.agentId,
      task.lease_seconds,
      isAlone,
    ],
  );

const IS_GOLD = 'u.expected is not null and u.voided_at is null and u.free > 0';

/** Maximum given-up units that are searched for one to offer. */
const AGAIN_MAX = 200;

/** SQL with offset 0, so that it is looked up for each unit, not joined with all claims. */
const NOT_HAD = `not exists (
  select from labor_claim c where c.unit_id = u.id and c.root_id = $3
     and c.status not in ('released', 'expired') offset 0)`;
