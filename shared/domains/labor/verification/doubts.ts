import type { EntityManager } from 'typeorm';

import type { MoneyTx } from '../../ledger/ledger.ts';
import { column, execute, row } from '../../../platform/rows.ts';
import { findClaims, type ClaimOfUnit } from '../claims.ts';
import { accept } from '../judging.ts';
import type { LockedLabor } from '../locked_claims.ts';
import { judgeByGold } from './verify.ts';

/** Hours after which such a rejection is looked at again. */
const DOUBT_HOURS = 1;

/**
 * Rejections that may become final. Those by known answers wait while operators look at an appeal
 * against one of these in the same task: it may be wrong for all.
 */
export async function withoutDoubted(
  db: EntityManager,
  task: LockedLabor,
  rejected: readonly ClaimOfUnit[],
): Promise<readonly ClaimOfUnit[]> {
  const byGold = rejected.filter(({ judged_by: by }) => by === 'gold');
  if (byGold.length === 0) return rejected;
  const { isDoubted } = await row(
    db,
    { isDoubted: column.boolean },
    `select exists (
       select from labor_claim where task_id = $1 and closed_at is null and status = 'appealed'
          and judged_by = 'gold') as "isDoubted"`,
    [task.id],
  );
  if (!isDoubted) return rejected;
  await execute(
    db,
    'update labor_claim set due_at = now() + make_interval(hours => $2) where id = any ($1)',
    [byGold.map(({ id }) => id), DOUBT_HOURS],
  );
  return rejected.filter((claim) => !byGold.includes(claim));
}

/**
 * Withdraws a known answer that operators found to be wrong. What it rejected is accepted, and so
 * is what it led to, where the rest of a worker's answers allows it. All claims of the unit and
 * their trees are locked.
 */
export async function withdrawKnownAnswer(
  tx: MoneyTx,
  task: LockedLabor,
  unitId: number,
): Promise<void> {
  const { db } = tx;
  const misjudged = await findClaims(
    db,
    `where c.unit_id = $1 and c.closed_at is null and c.status in ('verifying', 'rejected')
     order by c.id`,
    [unitId],
  );
  await accept(tx, task, misjudged, 'operator');
  await execute(db, 'update labor_unit set voided_at = now(), free = 0 where id = $1', [unitId]);
  if (task.verification === 'gold') await judgeByGold(tx, task, misjudged);
}
