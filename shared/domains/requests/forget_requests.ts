import { timer } from '../../jobs/timers/timer.ts';
import { Output, Type } from '../../kernel/schema.ts';
import { column, row } from '../../platform/rows.ts';

/** Empties partitions of old requests. Not a part of forget_old_rows: it waits for locks. */
export const forgetRequests = timer({
  name: 'forget_requests',
  title: 'Forget old requests',
  summary: 'Internal: empties the partitions of requests that nobody may see any more.',
  everyMs: 60 * 60_000,
  output: Output({ emptied: Type.Integer({ description: 'Number of partitions.' }) }),

  async handle({ db, config }) {
    const sql = 'select forget_requests($1) as emptied';
    return row(db, { emptied: column.int }, sql, [config.requests.days ?? 0]);
  },
});
