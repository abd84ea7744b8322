import { runAgain, timer } from '../../jobs/timers/timer.ts';
import { Output, Type } from '../../kernel/schema.ts';
import { column, execute, row } from '../../platform/rows.ts';

const NAME = 'gather_records';
/** Maximum transfers of one run: an order is settled by up to three. */
const TRANSFERS_MAX = 5_000;

/**
 * Adds settled deals to the records of their sides. It follows the mark of the daily sums, so a
 * purchase and its settlement pay nothing for it.
 */
export const gatherRecords = timer({
  name: NAME,
  title: 'Gather records',
  summary: 'Internal: adds settled deals to the records of their sellers, buyers and workers.',
  everyMs: 5_000,
  output: Output({ records: Type.Integer({ description: 'Number of records that changed.' }) }),

  async handle(tx) {
    const mark = await row(tx.db, { id: column.id, to: column.id, moved_to: column.id }, MARK_SQL, [
      TRANSFERS_MAX,
    ]);
    if (mark.to <= mark.id) return { records: 0 };
    const { records } = await row(
      tx.db,
      { records: column.int },
      'select gather_records($1, $2) as records',
      [mark.id, mark.to],
    );
    await execute(tx.db, 'update record_watermark set id = $1', [mark.to]);
    if (mark.to < mark.moved_to) await runAgain(tx, NAME);
    return { records };
  },
});

/** Locks the mark, so that one transaction at a time changes records. */
const MARK_SQL = `
  select r.id, last_of_next(r.id, m.id, $1) as to, m.id as moved_to
    from record_watermark r cross join money_watermark m for update of r`;
