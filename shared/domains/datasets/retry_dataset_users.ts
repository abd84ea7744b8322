import { timer } from '../../jobs/timers/timer.ts';
import { Output, Type } from '../../kernel/schema.ts';
import { column, rows } from '../../platform/rows.ts';
import { claimAsking, findGrant } from './grants.ts';
import { setDatasetUser } from './set_dataset_user.ts';

const GRANTS_MAX = 100;

/** Attempts again to let paid buyers in, each time after as long as it has failed until then. */
export const retryDatasetUsers = timer({
  name: 'retry_dataset_users',
  title: 'Retry users of datasets',
  summary: 'Internal: attempts again to make users whose buyers have paid and have no access.',
  everyMs: 60_000,
  output: Output({ retried: Type.Integer({ description: 'Number of attempts.' }) }),

  async handle(tx) {
    const due = await rows(
      tx.db,
      { id: column.id },
      `select g.id from order_access a join orders o on o.id = a.order_id
         join dataset_grant g on g.order_id = a.order_id
        where o.status = 'escrow' and g.version = 0 and g.ends_at > now()
          and g.asked_at + least(greatest(g.asked_at - g.created_at, interval '5 minutes'),
                                 interval '6 hours') <= now()
        order by a.access_by limit $1 for update of g skip locked`,
      [GRANTS_MAX],
    );
    for (const { id } of due) await claimAsking(tx, await findGrant(tx.db, id));
    const inputs = due.map(({ id }) => ({ grant_id: id }));
    await tx.enqueueAll(setDatasetUser, inputs, { cause: 'retry' });
    return { retried: due.length };
  },
});
