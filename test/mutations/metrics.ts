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
    file: 'workers/health.ts',
    from: "await authenticate(context, tokenOf(req, 'operator'), { access: 'operator' }, sender);",
    to: '',
    tests: ['test/jobs/worker_health.test.ts'],
  },
  {
    name: 'money_is_counted_twice',
    file: 'shared/ledger/moved_money.ts',
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
];
