import { timer } from '../../jobs/timers/timer.ts';
import { Output, Type } from '../../kernel/schema.ts';
import { column, rows } from '../../platform/rows.ts';
import { setDatasetUser } from './set_dataset_user.ts';

const GRANTS_MAX = 200;

/** Starts jobs that drop the users of ended grants, repeated until their servers did it. */
export const dropDatasetUsers = timer({
  name: 'drop_dataset_users',
  title: 'Drop users of datasets',
  summary: 'Internal: drops users whose access to a seller’s server has ended.',
  everyMs: 20_000,
  output: Output({ ended: Type.Integer({ description: 'Number of users to drop.' }) }),

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
