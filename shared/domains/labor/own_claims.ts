import type { Tx } from '../../kernel/tx.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { assertPosted } from '../deals/posted.ts';
import { findClaims, type ClaimOfUnit } from './claims.ts';
import { lockUnitOf, type LockedClaim } from './locked_claims.ts';
import type { LaborTask } from './labor_task.ts';
import { laborNotFound } from './labor_view.ts';

interface ClaimKey {
  readonly taskId: number;
  readonly claimId: number;
}

const noSuchClaim = ({ claimId }: ClaimKey) =>
  new Refusal('not_found', `You have no claim ${claimId} of this labor task.`);

/** A claim that the caller made. */
export async function findOwnClaim({ db, caller }: Tx, which: ClaimKey): Promise<ClaimOfUnit> {
  const [claim] = await findClaims(db, 'where c.id = $1 and c.task_id = $2 and c.agent_id = $3', [
    which.claimId,
    which.taskId,
    caller.agentId,
  ]);
  if (!claim) throw noSuchClaim(which);
  return claim;
}

/** Refuses unless the caller or an agent below it posted the task. */
export const assertPosts = (tx: Tx, taskId: number): Promise<void> =>
  assertPosted(tx, taskId, { table: 'labor_task', noun: 'labor task', missing: laborNotFound });

/** Refuses unless the task is open or paused. */
export function assertGoesOn({ id, status }: Pick<LaborTask, 'id' | 'status'>): void {
  if (status === 'open' || status === 'paused') return;
  const message = `Labor task ${id} is ${status}; that cannot be done now.`;
  throw new Refusal('invalid_transition', message, { status });
}

/**
 * Locks a claim of a task that the caller posted, the others of its unit, and the trees whose money
 * they may move. `others` are those of the unit.
 */
export async function lockPostedClaim(
  tx: Tx,
  which: ClaimKey,
): Promise<LockedClaim & { others: readonly ClaimOfUnit[] }> {
  await assertPosts(tx, which.taskId);
  const unit = await lockUnitOf(tx.db, which.claimId);
  const locked = unit.find(({ id }) => id === which.claimId);
  if (locked?.claim.task_id !== which.taskId) throw noSuchClaim(which);
  const others = unit.flatMap(({ claim }) => (claim === locked.claim ? [] : [claim]));
  return { ...locked, others };
}

export const wrongClaim = ({ id, status }: ClaimOfUnit) =>
  new Refusal('invalid_transition', `Claim ${id} is ${status}; that cannot be done now.`, {
    status,
  });

/** The refusal of a claim whose unit others may take by now. */
export const leaseEnded = (claimId: number) =>
  new Refusal(
    'claim_expired',
    `The lease of claim ${claimId} has ended. Take another unit with take_labor_task.`,
    { status: 'expired' },
  );
