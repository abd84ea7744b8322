import { sweepTimer } from '../../jobs/timers/timer.ts';
import { column, rows } from '../../platform/rows.ts';
import { expire } from './decision.ts';

/** Calls that nobody approves in time are refused. */
export const expireApprovals = sweepTimer({
  name: 'expire_approvals',
  title: 'Expire approvals',
  summary: 'Internal: refuses calls that no owner decided in time.',
  everyMs: 60_000,
  done: ['expired', 'Number of refused calls.'],
  rowsMax: 200,
  due: {
    table: 'approval',
    where: `status = 'pending' and expires_at <= now()`,
    order: 'expires_at',
  },

  // Skips approvals that somebody is deciding at this moment.
  lock: (db, ids) =>
    rows(
      db,
      { id: column.id },
      'select id from approval where id = any ($1) order by id for no key update skip locked',
      [ids],
    ),

  async work(tx, approvals) {
    for (const { id } of approvals) await expire(tx, id);
  },
});
