import { sweepTimer } from '../../jobs/timers/timer.ts';
import type { MoneyTx } from '../ledger/ledger.ts';
import { accept, closeIfDone, endRejected } from './judging.ts';
import { endLeases } from './leases.ts';
import { lockClaims, type LockedClaim } from './locked_claims.ts';

/**
 * Settles claims when nobody acts in time: ends leases, accepts deliveries that nobody judged, and
 * makes rejections final that nobody has appealed against.
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
    const those = (...statuses: string[]) =>
      claims.filter(({ status }) => statuses.includes(status));
    const lapsed = those('claimed');
    if (lapsed.length > 0) await endLeases(db, { taskId: task.id, limit: lapsed.length });
    await accept(tx, task, those('verifying', 'appealed'), 'timeout');
    await endRejected(db, task, those('rejected'));
    await closeIfDone(tx, task.id);
  }
}
