import type { Mutation } from '../mutation.ts';

const LOOSENING = 'shared/domains/policies/loosening.ts';
const HIGH = 'shared/domains/approvals/ask_at_high.ts';
const PROOFS = 'shared/domains/policies/proofs.ts';
const tests = ['test/policies/loosening.test.ts'];
const waits = { tests, grep: 'waits for an owner of that agent' };
const audits = { tests: ['test/kernel/audit.test.ts'], grep: 'no policy was set' };

/** At level high an owner decides about policies that are to allow more. */
export const LOOSENED_POLICIES: readonly Mutation[] = [
  {
    name: 'policy_is_loosened_without_an_owner',
    file: 'shared/domains/policies/set_policy.ts',
    from: 'if (deferral) throw deferral;',
    to: 'void deferral;',
    ...waits,
  },
  {
    name: 'limit_that_is_lifted_allows_no_more',
    file: LOOSENING,
    from: '(after === null || after > before)',
    to: '(after !== null && after > before)',
    ...waits,
  },
  {
    name: 'stricter_policy_waits_too',
    file: LOOSENING,
    from: 'after > before)',
    to: 'after !== before)',
    ...waits,
  },
  {
    name: 'lower_level_allows_no_more',
    file: LOOSENING,
    from: 'levelOf(after) < levelOf(before)',
    to: 'levelOf(after) > levelOf(before)',
    ...waits,
  },
  {
    name: 'list_of_all_types_allows_no_more',
    file: LOOSENING,
    from: 'after.length === 0 || ',
    to: '',
    ...waits,
  },
  {
    name: 'shorter_list_with_another_type_allows_no_more',
    file: LOOSENING,
    from: 'after.some((type) => !before.includes(type))',
    to: 'after.length > before.length',
    ...waits,
  },
  {
    name: 'policy_that_suspends_no_more_allows_no_more',
    file: LOOSENING,
    from: 'before.auto_suspend_on_anomaly && !after.auto_suspend_on_anomaly',
    to: 'false && before === after',
    ...waits,
  },
  {
    name: 'every_level_asks_about_looser_policies',
    file: HIGH,
    from: " and governance_level = 'high'",
    to: '',
    tests,
    grep: 'an agent above has that level',
  },
  {
    name: 'approved_change_asks_again',
    file: HIGH,
    from: "status = 'approved'\n          and",
    to: "status = 'pending'\n          and",
    tests,
    grep: 'once it is approved',
  },
  {
    name: 'lowest_policy_names_who_decides_about_a_policy',
    file: HIGH,
    from: 'order by l.depth limit 1',
    to: 'order by l.depth desc limit 1',
    tests,
    grep: 'an agent above has that level',
  },
  {
    name: 'audit_misses_a_policy_that_was_not_approved',
    file: PROOFS,
    from: "a.status <> 'approved' or v.approval_id is null",
    to: 'false',
    ...audits,
  },
  {
    name: 'audit_misses_a_policy_with_the_approval_of_another_call',
    file: PROOFS,
    from: 'a.job_id <> v.call_id',
    to: 'false',
    ...audits,
  },
  {
    name: 'approval_of_another_call_is_enough_at_high',
    file: 'shared/domains/approvals/ask_at_high.ts',
    from: 'where job_id = $2 and',
    to: 'where $2::uuid is not null and',
    tests: ['test/policies/loosening.test.ts'],
    grep: 'an agent above has that level',
  },
  {
    name: 'approval_by_a_lower_policy_is_enough_at_high',
    file: 'shared/domains/approvals/ask_at_high.ts',
    from: 'policy_of = any (select unnest(lineage) from agent where id = l.id))',
    to: 'l.id > 0)',
    tests: ['test/policies/loosening.test.ts'],
    grep: 'waits once more',
  },
];
