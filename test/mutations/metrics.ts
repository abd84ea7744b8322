import type { Mutation } from './mutation.ts';

const tests = ['test/metrics/metrics.test.ts'];

/** What operators read of each process: who may, and that it is true. */
export const METRICS: readonly Mutation[] = [
  {
    name: 'metrics_are_public',
    file: 'api/operator/metrics.ts',
    from: 'if (!(await isOperator(context, ctx))) return;',
    to: '',
    tests,
    grep: 'for operators',
  },
  {
    name: 'metrics_of_workers_are_public',
    file: 'shared/composition/health_server.ts',
    from: "await authenticate(context, scraperTokenOf(req), { access: 'operator' }, sender);",
    to: '',
    tests: ['test/jobs/worker_health.test.ts'],
  },
  {
    name: 'connections_of_socks5_are_not_counted',
    file: 'api/socks/server.ts',
    from: '    countConnection(log);\n',
    to: '    void countConnection;\n',
    tests: ['test/api/socks/processes.test.ts'],
    grep: 'SOCKS_HEALTH_PORT',
  },
  {
    name: 'refunded_connection_counts_as_sold',
    file: 'api/socks/records/metrics.ts',
    from: "refunded ? 'refunded' : 'sold'",
    to: "refunded ? 'sold' : 'sold'",
    tests: ['test/api/socks/processes.test.ts'],
    grep: 'SOCKS_HEALTH_PORT',
  },
  {
    name: 'money_is_counted_twice',
    file: 'shared/domains/ledger/moved_money.ts',
    from: 'done = until;',
    to: '',
    tests,
    grep: 'moved once',
  },
  {
    name: 'refusals_of_jobs_are_not_counted',
    file: 'workers/run_job.ts',
    from: 'countRefusal(error.code);',
    to: '',
    tests,
    grep: 'by code',
  },
  {
    name: 'metric_has_a_label_without_bound',
    file: 'api/measured.ts',
    from: 'calls.inc({ operation: op.name, status });',
    to: 'calls.inc({ operation: `${op.name}_${startedAt}`, status });',
    tests,
    grep: 'few values',
  },
  {
    name: 'standby_is_read_however_far_it_lags',
    file: 'shared/platform/connections/standby.ts',
    from: '(lagMs() ?? Infinity) <= lagMsMax',
    to: 'lagMs() !== undefined',
    tests: ['test/faults/standby.test.ts'],
  },
  {
    name: 'standby_that_was_promoted_is_read',
    file: 'shared/platform/connections/standby.ts',
    from: '  return follows ? replayed : undefined;',
    to: '  void follows;\n  return replayed;',
    tests: ['test/faults/standby.test.ts'],
  },
  {
    name: 'standby_answers_what_a_caller_has_written',
    file: 'shared/performing/perform.ts',
    from: 'op.reads?.stale ?? false',
    to: "op.mode === 'read'",
    tests: ['test/faults/standby.test.ts'],
  },
  {
    name: 'refusal_of_a_standby_counts',
    file: 'shared/performing/transaction.ts',
    from: '.catch(() => within(context.database))',
    to: '',
    tests: ['test/faults/standby.test.ts'],
  },
  {
    name: 'statement_of_another_session_fails_its_call',
    file: 'shared/platform/connections/prepared.ts',
    from: "['26000', '42P05']",
    to: '[]',
    tests: ['test/platform/prepared.test.ts'],
  },
  {
    name: 'statements_of_a_pooler_stay_prepared',
    file: 'shared/platform/connections/prepared.ts',
    from: '      if (isOff) return undefined;\n',
    to: '',
    tests: ['test/platform/prepared.test.ts'],
  },
];
