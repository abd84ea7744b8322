import { isAttemptDue, sweep } from '../jobs/sweep.ts';
import { operation } from '../kernel/operation.ts';
import { Input, Output, Type } from '../kernel/schema.ts';
import { column, rows } from '../platform/rows.ts';
import { expire } from './decision.ts';

const NAME = 'expire_approvals';
const APPROVALS_MAX = 200;

/** Who does not decide in time has the call refused. */
export const expireApprovals = operation({
  name: NAME,
  title: 'Expire approvals',
  summary: 'Internal: refuses calls about which no owner has decided in time.',
  access: 'operator',
  mode: 'job',
  domain: 'approvals',
  queue: 'timers',
  everyMs: 60_000,
  input: Input({}),
  output: Output({
    expired: Type.Integer({ description: 'How many calls.' }),
    failed: Type.Integer({ description: 'How many could not be refused; see list_faults.' }),
  }),

  async handle(tx) {
    // What somebody decides at this moment is left out.
    const items = await rows(
      tx.db,
      { id: column.id },
      `select id from approval
        where status = 'pending' and expires_at <= now()
          and ${isAttemptDue(NAME, 'approval.id')}
        order by expires_at limit $1 for no key update skip locked`,
      [APPROVALS_MAX],
    );
    const { done, failed } = await sweep(tx, {
      operation: NAME,
      items,
      async work(some) {
        for (const { id } of some) await expire(tx, id);
      },
    });
    if (items.length === APPROVALS_MAX) await tx.enqueue(itself, {}, { cause: 'rest' });
    return { expired: done, failed };
  },
});

/** It starts itself again for those that are too many for one transaction. */
const itself = { name: NAME, queue: 'timers', input: Input({}) } as const;
