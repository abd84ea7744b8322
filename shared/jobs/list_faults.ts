import { operation } from '../kernel/operation.ts';
import { paged, pageOf } from '../kernel/paging.ts';
import { Id, Input, List, Output, Paging, Time, Type } from '../kernel/schema.ts';
import { column, rows } from '../platform/rows.ts';
import { ATTEMPTS_MAX } from './sweep.ts';

export const listFaults = operation({
  name: 'list_faults',
  title: 'List what timers cannot do',
  summary:
    'Operators: lists the rows that a timer failed to process while it processed the others, ' +
    'newest first. Each is attempted again by itself, less and less often.',
  access: 'operator',
  mode: 'read',
  domain: 'jobs',
  rest: 'GET /api/v1/admin/faults',
  tool: false,
  input: Input({ ...Paging }),
  output: List(
    'faults',
    Output('Fault', {
      operation: Type.String({ description: 'The timer.' }),
      row_id: Id('What it could not do: of release_due_orders the order.'),
      fault: Type.String({ description: 'What went wrong last.' }),
      attempts: Type.Integer({ description: 'How many have failed.' }),
      set_aside: Type.Boolean({
        description: `It failed ${ATTEMPTS_MAX} times and is attempted once a day: mend it.`,
      }),
      first_failed_at: Time('When it failed first.'),
      failed_at: Time('When it failed last.'),
      next_attempt_at: Time('Not attempted before.'),
    }),
  ),

  async handle(tx, paging) {
    const page = pageOf(paging);
    const found = await rows(
      tx.db,
      FAULT,
      `select id, operation, row_id, fault, attempts, first_failed_at, failed_at, next_at
         from sweep_fault where id < $1::bigint order by id desc limit $2`,
      [page.before, page.limit + 1],
    );
    const { page: faults, rest } = paged(found, page);
    return {
      faults: faults.map((row) => ({
        operation: row.operation,
        row_id: row.row_id,
        fault: row.fault,
        attempts: row.attempts,
        set_aside: row.attempts >= ATTEMPTS_MAX,
        first_failed_at: row.first_failed_at.toISOString(),
        failed_at: row.failed_at.toISOString(),
        next_attempt_at: row.next_at.toISOString(),
      })),
      ...rest,
    };
  },
});

const FAULT = {
  id: column.id,
  operation: column.text,
  row_id: column.id,
  fault: column.text,
  attempts: column.int,
  first_failed_at: column.time,
  failed_at: column.time,
  next_at: column.time,
};
