import { operation } from '../../kernel/operation.ts';
import { field, rowList, view } from '../../kernel/view.ts';
import { ATTEMPTS_MAX } from '../../jobs/timers/sweep.ts';

const FAULT = view('Fault', {
  operation: field.text('The timer.'),
  row_id: field.id('The row that failed: for release_due_orders the order.'),
  fault: field.text('Last fault.'),
  attempts: field.whole('Failed attempts.'),
  set_aside: field.flag(`It failed ${ATTEMPTS_MAX} times and is now attempted once a day: fix it.`),
  first_failed_at: field.time('Time of the first failure.'),
  failed_at: field.time('Time of the last failure.'),
  next_attempt_at: field.time('Earliest next attempt.'),
});

export const listFaults = operation({
  name: 'list_faults',
  title: 'List faults of timers',
  summary:
    'Operators: lists the rows that timers failed to process, newest first. Each is attempted ' +
    'again automatically, at growing intervals.',
  access: 'operator',
  mode: 'read',
  rest: 'GET /api/v1/admin/faults',
  bindings: { tool: false },
  ...rowList('faults', {
    item: FAULT,
    id: 'id',
    sql: `select id, operation, row_id, fault, attempts, attempts >= ${ATTEMPTS_MAX} as set_aside,
                 first_failed_at, failed_at, next_at as next_attempt_at
            from sweep_fault where id < $1::bigint order by id desc limit $2`,
  }),
});
