import type { Mutation } from './mutation.ts';

const log = ['test/operators/list_audit_log.test.ts'];
const goodwill = ['test/wallet/give_goodwill.test.ts'];
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
    from: 'suspension, audit_log,\n               goodwill\n',
    to: 'suspension, goodwill\n',
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
  {
    name: 'goodwill_may_be_cash',
    file: 'migrations/0010_operators.sql',
    from: 'null, null, true, false)',
    to: 'null, null, true, true)',
    tests: ['test/ledger/route_attacks.test.ts'],
    grep: 'goodwill in cash',
  },
  {
    name: 'goodwill_has_no_limit_at_once',
    file: 'shared/wallet/give_goodwill.ts',
    from: 'if (amount > fromUsd(perCredit))',
    to: 'if (amount > 10n * fromUsd(perCredit))',
    tests: goodwill,
    grep: 'refuses too much',
  },
  {
    name: 'goodwill_of_a_day_has_no_limit',
    file: 'shared/wallet/give_goodwill.ts',
    from: 'where today.granted + excluded.granted <= $2::bigint\n',
    to: '\n',
    tests: goodwill,
    grep: 'exactly its limit',
  },
  {
    name: 'goodwill_that_is_refused_for_today_is_paid',
    file: 'shared/wallet/give_goodwill.ts',
    from: 'await countToday(tx, amount);',
    to: 'await countToday(tx, amount).catch(() => undefined);',
    tests: goodwill,
    grep: 'exactly its limit',
  },
  {
    name: 'goodwill_is_paid_again',
    file: 'migrations/0010_operators.sql',
    from: 'reference  text not null unique',
    to: 'reference  text not null',
    tests: goodwill,
    grep: 'pays a reference once',
  },
  {
    name: 'goodwill_of_another_amount_is_answered_with_the_first',
    file: 'shared/wallet/give_goodwill.ts',
    from: 'given.agent_id === asked.agent_id && given.amount === asked.amount',
    to: 'given.agent_id === asked.agent_id',
    tests: goodwill,
    grep: 'pays a reference once',
  },
  {
    name: 'goodwill_of_another_agent_is_answered_with_the_first',
    file: 'shared/wallet/give_goodwill.ts',
    from: 'given.agent_id === asked.agent_id && given.amount',
    to: 'given.amount',
    tests: goodwill,
    grep: 'pays a reference once',
  },
];
