import type { Mutation } from './mutation.ts';

const log = ['test/operators/list_audit_log.test.ts'];
const grants = ['test/migrations/grants.test.ts'];

/** What operators may do, and what is recorded of it. */
export const OPERATORS: readonly Mutation[] = [
  {
    name: 'what_operators_do_is_not_recorded',
    file: 'shared/kernel/perform.ts',
    from: 'if (isLogged(op, call)) await logOperation(tx, op, input);',
    to: '',
    tests: log,
    grep: 'says who did what',
  },
  {
    name: 'what_operators_do_is_recorded_apart',
    file: 'shared/kernel/perform.ts',
    from: 'if (isLogged(op, call)) await logOperation(tx, op, input);',
    to: `if (isLogged(op, call)) {
      await inTransaction(context, call, (own) => logOperation(own, op, input));
    }`,
    tests: log,
    grep: 'rolled back',
  },
  {
    name: 'what_operators_were_refused_is_not_recorded',
    file: 'shared/kernel/perform.ts',
    from: 'error instanceof Refusal && isLogged',
    to: 'error instanceof TypeError && isLogged',
    tests: log,
    grep: 'refused too',
  },
  {
    name: 'job_of_an_operator_is_given_up_without_a_record',
    file: 'workers/run_job.ts',
    from: 'if (isLogged(op, tx)) await',
    to: 'if (!isLogged(op, tx)) await',
    tests: ['test/jobs/give_up.test.ts'],
    grep: 'in the audit log',
  },
  {
    name: 'audit_log_keeps_secrets_of_texts',
    file: 'shared/operators/audit_log.ts',
    from: 'scrub(value)',
    to: 'String(scrub && value)',
    tests: log,
    grep: 'keeps no secret',
  },
  {
    name: 'job_forgets_which_operator_started_it',
    file: 'shared/jobs/jobs.ts',
    from: 'operator ?? null',
    to: '(operator && null) ?? null',
    tests: log,
    grep: 'names who started a job',
  },
  {
    name: 'audit_log_may_be_changed',
    file: 'migrations/grants.sql',
    from: 'suspension, audit_log\n',
    to: 'suspension\n',
    tests: grants,
    grep: 'what an operator did changed',
  },
  {
    name: 'audit_log_may_be_dated_back',
    file: 'migrations/grants.sql',
    from: 'grant insert (operator, operation,',
    to: 'grant insert (created_at, operator, operation,',
    tests: grants,
    grep: 'dated back',
  },
];
