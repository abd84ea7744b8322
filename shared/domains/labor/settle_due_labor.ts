import { sweepTimer } from '../../jobs/timers/timer.ts';
import type { MoneyTx } from '../ledger/ledger.ts';
import type { ClaimOfUnit } from './claims.ts';
import { accept, closeIfDone, endRejected } from './judging.ts';
import { endLeases } from './leases.ts';
import { lockClaims, type LockedClaim } from './locked_claims.ts';
import { withoutDoubted } from './verification/doubts.ts';
import { judgeDue } from './verification/verify.ts';

/**
 * Settles claims whose time has come: ends leases, judges deliveries by known answers, puts before
 * the poster what no rule could judge, accepts what it did not judge either, and makes rejections
 * final that nobody has appealed against.
 */
export const settleDueLabor = sweepTimer({
  name: 'settle_due_labor',
  title: 'Settle due labor',
  summary: 'Internal: ends leases, accepts deliveries and ends rejections whose time has come.',
  everyMs: 60_000,
  done: ['settled', 'Claims settled.'],
  rowsMax: 200,
  due: { table: 'labor_claim', where: 'closed_at is null and due_at <= now()', order: 'due_at' },
  lock: (db, ids) => lockClaims(db, ids),
  work: settle,
});

async function settle(tx: MoneyTx, locked: readonly LockedClaim[]): Promise<void> {
  const { db } = tx;
  const tasks = new Map(locked.map(({ task }) => [task.id, task]));
  for (const task of tasks.values()) {
    const claims = locked.flatMap(({ claim }) => (claim.task_id === task.id ? [claim] : []));
    const those = (what: string) => claims.filter(({ status }) => status === what);
    const lapsed = those('claimed');
    if (lapsed.length > 0) await endLeases(db, { taskId: task.id, limit: lapsed.length });
    await accept(tx, task, claims.filter(isUnanswered), 'timeout');
    await judgeDue(
      tx,
      task,
      those('verifying').filter((claim) => !isUnanswered(claim)),
    );
    await endRejected(db, task, await withoutDoubted(db, task, those('rejected')));
    await closeIfDone(tx, task.id);
  }
}

/** Whether the poster was asked and did not answer in time. */
const isUnanswered = ({ status, for_poster }: ClaimOfUnit): boolean =>
  status === 'appealed' || (status === 'verifying' && for_poster);
