import { sweepTimer } from '../../jobs/timers/timer.ts';
import { lockLabor } from './locked_claims.ts';
import { stop } from './task_end.ts';

/** Stops labor tasks that are due: they give out no more units. */
export const expireLaborTasks = sweepTimer({
  name: 'expire_labor_tasks',
  title: 'Expire labor tasks',
  summary: 'Internal: stops labor tasks that are due.',
  everyMs: 60_000,
  done: ['expired', 'Tasks stopped.'],
  rowsMax: 50,
  due: {
    table: 'labor_task',
    where: `status in ('open', 'paused') and due_at <= now()`,
    order: 'due_at',
  },
  lock: lockLabor,

  async work(tx, tasks) {
    for (const { id } of tasks) await stop(tx, id, 'expired');
  },
});
