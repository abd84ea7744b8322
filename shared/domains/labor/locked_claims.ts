import type { EntityManager } from 'typeorm';

import { lockTreasuries } from '../ledger/ledger.ts';
import { column, execute, namesOf, rows, type Database, type Row } from '../../platform/rows.ts';
import { findClaims, type ClaimOfUnit } from './claims.ts';
import { LABOR_TASK } from './labor_task.ts';

/** Adds the UTC day (YYYY-MM-DD) whose spending limits the budget counts towards. */
const OF_TASK = { ...LABOR_TASK, spent_on: column.text };
/** A labor task whose poster's tree is locked until the transaction ends. */
export type LockedLabor = Row<typeof OF_TASK>;

export const findLabor = (db: Database, taskIds: readonly number[]): Promise<LockedLabor[]> =>
  rows(
    db,
    OF_TASK,
    `select ${namesOf(LABOR_TASK)}, spent_on::text from labor_task where id = any ($1) order by id`,
    [taskIds],
  );

/** Locks the trees of the posters of tasks, then reads the tasks. */
export async function lockLabor(
  db: EntityManager,
  taskIds: readonly number[],
): Promise<LockedLabor[]> {
  const found = await findLabor(db, taskIds);
  await lockTreasuries(
    db,
    found.map(({ poster_root }) => poster_root),
  );
  return findLabor(db, taskIds);
}

/** A claim that is locked, with its task. */
export interface LockedClaim {
  readonly id: number;
  readonly claim: ClaimOfUnit;
  readonly task: LockedLabor;
}

/**
 * Locks claims that may be paid, in the order that all transactions use: the trees of their posters
 * and workers, then the claims. All claims of `units` are locked too.
 */
export async function lockClaims(
  db: EntityManager,
  claimIds: readonly number[],
  units: readonly number[] = [],
): Promise<LockedClaim[]> {
  const parties = await rows(
    db,
    { root_id: column.id },
    `select distinct r.root_id
       from labor_claim c join labor_task t on t.id = c.task_id
      cross join lateral (values (t.poster_root), (c.root_id)) r (root_id)
      where ${THESE}`,
    [claimIds, units],
  );
  await lockTreasuries(
    db,
    parties.map(({ root_id }) => root_id),
  );
  const lock = `select from labor_claim c where ${THESE} order by id for no key update`;
  await execute(db, lock, [claimIds, units]);
  const claims = await findClaims(db, `where ${THESE} order by c.id`, [claimIds, units]);
  const found = await findLabor(db, [...new Set(claims.map(({ task_id }) => task_id))]);
  const tasks = new Map(found.map((task) => [task.id, task]));
  return claims.map((claim) => ({ id: claim.id, claim, task: tasks.get(claim.task_id)! }));
}

/** Locks a claim, all other claims of its unit, and the trees of all of them. */
export async function lockUnitOf(db: EntityManager, claimId: number): Promise<LockedClaim[]> {
  const [claim] = await findClaims(db, 'where c.id = $1', [claimId]);
  return claim ? lockClaims(db, [claimId], [claim.unit_id]) : [];
}

const THESE = '(c.id = any ($1) or c.unit_id = any ($2))';
