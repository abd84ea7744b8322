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
    forgotten: Type.Record(Type.String(), Type.Integer(), {
      description: 'How many rows of each table.',
    }),
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
    const forgotten: Record<string, number> = {};
    for (const { from_table: table, forgotten: count } of counts) {
      forgotten[table] = (forgotten[table] ?? 0) + count;
    }
    return { forgotten };
  },
});

/** For what one transaction should not hold. */
const itself = { name: 'forget_old_rows', queue: 'timers', input: Input({}) } as const;
