import { isAttemptDue, sweep } from '../jobs/sweep.ts';
import { operation } from '../kernel/operation.ts';
import { Input, Output, Type } from '../kernel/schema.ts';
import type { MoneyTx } from '../ledger/ledger.ts';
import { column, rows, type Database } from '../platform/rows.ts';
import { accept, closeIfDone, endRejected } from './judging.ts';
import { endLeases } from './leases.ts';
import { lockClaims, type LockedClaim } from './locked_claims.ts';

const NAME = 'settle_due_labor';
const CLAIMS_MAX = 200;

/**
 * What becomes of claims when nobody does anything in time: leases end, deliveries that were not
 * judged are accepted, and rejections that nobody has appealed against are final.
 */
export const settleDueLabor = operation({
  name: NAME,
  title: 'Settle due labor',
  summary: 'Internal: ends leases, accepts deliveries and ends rejections whose time has come.',
  access: 'operator',
  mode: 'job',
  domain: 'labor',
  queue: 'timers',
  everyMs: 60_000,
  input: Input({}),
  output: Output({
    settled: Type.Integer({ description: 'How many claims.' }),
    failed: Type.Integer({ description: 'How many could not be settled; see list_faults.' }),
  }),

  async handle(tx) {
    const found = await findDue(tx.db);
    const locked = await lockClaims(tx.db, found);
    // Somebody may have acted while this transaction waited for the locks.
    const due = new Set(await findDue(tx.db));
    const { done, failed } = await sweep(tx, {
      operation: NAME,
      items: locked.filter(({ id }) => due.has(id)),
      work: (claims) => settle(tx, claims),
    });
    if (found.length === CLAIMS_MAX) await tx.enqueue(itself, {}, { cause: 'rest' });
    return { settled: done, failed };
  },
});

/** It starts itself again for the claims that are too many for one transaction. */
const itself = { name: NAME, queue: 'timers', input: Input({}) } as const;

async function findDue(db: Database): Promise<number[]> {
  const found = await rows(
    db,
    { id: column.id },
    `select id from labor_claim
      where closed_at is null and due_at <= now() and ${isAttemptDue(NAME, 'labor_claim.id')}
      order by due_at limit $1`,
    [CLAIMS_MAX],
  );
  return found.map(({ id }) => id);
}

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
