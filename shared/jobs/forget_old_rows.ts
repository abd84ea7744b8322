import { operation } from '../kernel/operation.ts';
import { Input, Output, Type } from '../kernel/schema.ts';
import { column, rows } from '../platform/rows.ts';

export const ROWS_MAX = 5_000;

/**
 * Deletes rows whose time is over, of all tables that do not live for ever. How long they live is
 * written in `forget_old_rows` of the database and in docs/data.md.
 */
export const forgetOldRows = operation({
  name: 'forget_old_rows',
  title: 'Forget old rows',
  summary: 'Internal: deletes events, openings, sales of proxies and ended keys of long ago.',
  access: 'operator',
  mode: 'job',
  domain: 'jobs',
  queue: 'timers',
  everyMs: 10 * 60_000,
  input: Input({}),
  output: Output({
    event: Type.Integer({ description: 'How many events.' }),
    opening: Type.Integer({ description: 'How many openings of vaults.' }),
    proxy_sale: Type.Integer({ description: 'How many sales of proxies.' }),
    api_key: Type.Integer({ description: 'How many API keys.' }),
  }),

  async handle(tx) {
    const counts = await rows(
      tx.db,
      { from_table: column.text, forgotten: column.int },
      'select from_table, forgotten from forget_old_rows($1)',
      [ROWS_MAX],
    );
    // Rows are not exactly in the order of their time, so among the oldest may be a younger one.
    if (counts.some(({ forgotten }) => forgotten > ROWS_MAX / 2)) {
      await tx.enqueue(itself, {}, { cause: 'rest' });
    }
    const sum = (table: string) =>
      counts.reduce((n, row) => (row.from_table === table ? n + row.forgotten : n), 0);
    return {
      event: sum('event'),
      opening: sum('opening'),
      proxy_sale: sum('proxy_sale'),
      api_key: sum('api_key'),
    };
  },
});

/** For what one transaction should not hold. */
const itself = { name: 'forget_old_rows', queue: 'timers', input: Input({}) } as const;
