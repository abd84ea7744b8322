import { isAttemptDue, sweep } from '../jobs/sweep.ts';
import { operation } from '../kernel/operation.ts';
import { Input, Output, Type } from '../kernel/schema.ts';
import { column, rows, type Database } from '../platform/rows.ts';
import { lockLabor } from './locked_claims.ts';
import { stop } from './stopping.ts';

const NAME = 'expire_labor_tasks';
const TASKS_MAX = 50;

/** Stops labor tasks that are due: they give out no more units. */
export const expireLaborTasks = operation({
  name: NAME,
  title: 'Expire labor tasks',
  summary: 'Internal: stops labor tasks that are due.',
  access: 'operator',
  mode: 'job',
  domain: 'labor',
  queue: 'timers',
  everyMs: 60_000,
  input: Input({}),
  output: Output({
    expired: Type.Integer({ description: 'How many tasks.' }),
    failed: Type.Integer({ description: 'How many could not be stopped; see list_faults.' }),
  }),

  async handle(tx) {
    const found = await findDue(tx.db);
    const locked = await lockLabor(tx.db, found);
    const { done, failed } = await sweep(tx, {
      operation: NAME,
      items: locked.filter(({ status }) => status === 'open' || status === 'paused'),
      work: async (tasks) => {
        for (const { id } of tasks) await stop(tx, id, 'expired');
      },
    });
    if (found.length === TASKS_MAX) await tx.enqueue(itself, {}, { cause: 'rest' });
    return { expired: done, failed };
  },
});

/** It starts itself again for the tasks that are too many for one transaction. */
const itself = { name: NAME, queue: 'timers', input: Input({}) } as const;

async function findDue(db: Database): Promise<number[]> {
  const found = await rows(
    db,
    { id: column.id },
    `select id from labor_task
      where status in ('open', 'paused') and due_at <= now()
        and ${isAttemptDue(NAME, 'labor_task.id')}
      order by due_at limit $1`,
    [TASKS_MAX],
  );
  return found.map(({ id }) => id);
}
