import type { MoneyTx } from '../ledger/ledger.ts';
import { execute } from '../../platform/rows.ts';
import { closeIfDone } from './judging.ts';
import { lockTaking } from './labor_task.ts';

/** Stops an open task: it gives out no more units. The tree of its poster is locked. */
export async function stop(
  tx: MoneyTx,
  taskId: number,
  status: 'cancelled' | 'expired',
): Promise<void> {
  await lockTaking(tx.db, taskId, 'alone');
  await execute(tx.db, 'update labor_task set status = $2 where id = $1', [taskId, status]);
  await closeIfDone(tx, taskId);
}
