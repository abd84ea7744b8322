import { operation } from '../kernel/operation.ts';
import { Input, Output, Type } from '../kernel/schema.ts';
import { column, rows } from '../platform/rows.ts';
import { setDatasetUser } from './set_dataset_user.ts';

const GRANTS_MAX = 200;

/** Has the users of grants that have ended dropped, again and again until their servers did it. */
export const dropDatasetUsers = operation({
  name: 'drop_dataset_users',
  title: 'Drop users of datasets',
  summary: 'Internal: has users dropped whose time at a server of a seller has ended.',
  access: 'operator',
  mode: 'job',
  domain: 'datasets',
  queue: 'timers',
  everyMs: 20_000,
  input: Input({}),
  output: Output({ ended: Type.Integer({ description: 'How many users are to be dropped.' }) }),

  async handle(tx) {
    const due = await rows(
      tx.db,
      { id: column.id },
      `update dataset_grant
          set attempts = attempts + 1,
              next_at = now()
                + least(interval '1 minute' * 2 ^ least(attempts, 11), interval '1 day')
        where id in (select id from dataset_grant
                      where dropped_at is null and ends_at <= now() and next_at <= now()
                      order by ends_at limit $1 for update skip locked)
       returning id`,
      [GRANTS_MAX],
    );
    const inputs = due.map(({ id }) => ({ grant_id: id }));
    await tx.enqueueAll(setDatasetUser, inputs, { cause: 'drop' });
    return { ended: due.length };
  },
});
