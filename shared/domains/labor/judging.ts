import type { EntityManager } from 'typeorm';

import type { MoneyTx } from '../ledger/ledger.ts';
import { toUsd } from '../../kernel/money.ts';
import { refundSpend } from '../wallet/spend.ts';
import { column, execute, oneOf, row } from '../../platform/rows.ts';
import { isOfferedAgain, type ClaimOfUnit, type Judge } from './claims.ts';
import { emptyEscrows, payClaims } from './escrows.ts';
import { notifyOfStatus, notifyPoster, notifyWorkers } from './labor_events.ts';
import { APPEAL_HOURS, type LaborTask } from './labor_task.ts';
import type { LockedLabor } from './locked_claims.ts';
import { recordUnjudged } from './results/unjudged.ts';
import { recordVerdicts } from './verification/records.ts';

/** Pays for these deliveries, which makes them final. Trees and claims are locked. */
export async function accept(
  tx: MoneyTx,
  task: LockedLabor,
  claims: readonly ClaimOfUnit[],
  by: Judge,
): Promise<void> {
  if (claims.length === 0) return;
  const { db } = tx;
  await payClaims(tx, task, claims);
  await execute(
    db,
    `update labor_claim set status = 'accepted', judged_by = $2, due_at = null, closed_at = now()
      where id = any ($1)`,
    [idsOf(claims), by],
  );
  if (by === 'timeout') await recordUnjudged(db, task, claims);
  else if (by !== 'schema') await recordVerdicts(db, task, claims, true);
  await notifyWorkers(db, claims, 'accepted', { paid: toUsd(task.reward) });
}

/** Rejects these deliveries. Their workers may appeal, or the next rejection is final. */
export async function reject(
  db: EntityManager,
  task: LockedLabor,
  claims: readonly ClaimOfUnit[],
  { by, reason, appealHours }: { by: Judge; reason: string; appealHours?: number },
): Promise<void> {
  if (claims.length === 0) return;
  await execute(
    db,
    `update labor_claim set status = 'rejected', judged_by = $2, reason = $3,
            due_at = now() + make_interval(hours => $4)
      where id = any ($1)`,
    [idsOf(claims), by, reason, appealHours ?? APPEAL_HOURS],
  );
  await recordVerdicts(db, task, claims, false);
  await notifyWorkers(db, claims, 'rejected');
  await endRejected(
    db,
    task,
    claims.filter(({ appeal }) => appeal !== null),
  );
}

/** Puts deliveries that no rule judges before their poster; time accepts them then. */
export async function refer(
  db: EntityManager,
  task: LockedLabor,
  claims: readonly ClaimOfUnit[],
): Promise<void> {
  if (claims.length === 0) return;
  await execute(
    db,
    `update labor_claim set for_poster = true, due_at = now() + make_interval(hours => $2)
      where id = any ($1)`,
    [idsOf(claims), task.auto_accept_hours],
  );
  for (const claim of claims) await notifyPoster(db, claim, 'verifying', task);
}

/** Makes these rejections final, so others may take the units instead. */
export async function endRejected(
  db: EntityManager,
  task: LockedLabor,
  claims: readonly ClaimOfUnit[],
): Promise<void> {
  if (claims.length === 0) return;
  await execute(db, 'update labor_claim set closed_at = now() where id = any ($1)', [
    idsOf(claims),
  ]);
  const again = claims.filter((claim) => isOfferedAgain(claim, task));
  await execute(
    db,
    `update labor_unit u set free = u.free + again.count, given_up_at = now()
       from (select id, count(*)::int as count from unnest($1::bigint[]) as a(id) group by id) again
      where u.id = again.id`,
    [again.map(({ unit_id }) => unit_id)],
  );
}

const idsOf = (claims: readonly ClaimOfUnit[]) => claims.map(({ id }) => id);

/**
 * Closes a task with no claim left and, unless it has been stopped, no unit left. The rest of its
 * budget goes back to its poster. The tree of the poster is locked.
 */
export async function closeIfDone(tx: MoneyTx, taskId: number): Promise<void> {
  const { done } = await row(
    tx.db,
    { done: column.boolean },
    `select t.closed_at is null
            and not exists (
              select from labor_claim c where c.task_id = t.id and c.closed_at is null)
            and (t.status not in ('open', 'paused') or not exists (
              select from labor_unit u where u.task_id = t.id and u.free > 0
                 and (u.expected is null or t.gold = t.units))) as done
       from labor_task t where id = $1`,
    [taskId],
  );
  if (done) await close(tx, taskId);
}

const CLOSED = {
  id: column.id,
  poster_id: column.id,
  poster_root: column.id,
  status: oneOf<LaborTask['status']>(),
  budget: column.micros,
  paid: column.micros,
  spent_on: column.text,
};

async function close(tx: MoneyTx, taskId: number): Promise<void> {
  const { db } = tx;
  const task = await row(
    db,
    CLOSED,
    `with closed as (
       update labor_task set closed_at = now(),
              status = case when status in ('open', 'paused') then 'completed' else status end
        where id = $1 returning *)
     select id, poster_id, poster_root, status, budget, paid, spent_on::text from closed`,
    [taskId],
  );
  await emptyEscrows(tx, task);
  const amount = task.budget - task.paid;
  if (amount > 0n) await refundSpend(db, { agentId: task.poster_id, day: task.spent_on, amount });
  const data = { paid: toUsd(task.paid), refunded: toUsd(amount) };
  await notifyOfStatus(db, task, task.status, data);
}
