import type { Mutation } from '../mutation.ts';

const FILE = 'shared/domains/policies/suspension.ts';
const tests = ['test/policies/suspend_agent.test.ts'];

/** Who suspends and resumes an agent, and from when on it holds. */
export const SUSPENSIONS: readonly Mutation[] = [
  {
    name: 'agent_is_suspended_beside_a_spend_that_has_read_its_status',
    file: FILE,
    from: 'await lockTreasuries(db, [await rootOf(tx, agentId)]);',
    to: 'void lockTreasuries;',
    tests,
    grep: 'wait for a spend',
  },
  {
    name: 'suspension_by_the_root_is_lifted_below_it',
    file: FILE,
    from: "isNew && status === 'active' && !isTheirs",
    to: "isNew && status === 'active' && before.set_by === null",
    tests,
    grep: 'let nobody resume',
  },
  {
    name: 'root_takes_no_suspension_over',
    file: FILE,
    from: 'if (isNew || takesOver) await record',
    to: 'if (isNew || (takesOver && !isNew && false)) await record',
    tests,
    grep: 'let nobody resume',
  },
  {
    name: 'suspension_is_taken_over_from_above',
    file: FILE,
    from: "status === 'suspended' && isTheirs && ",
    to: "status === 'suspended' && ",
    tests,
    grep: 'let nobody resume',
  },
  {
    name: 'revoked_key_resumes_an_agent',
    file: FILE,
    from: 'if (by !== PLATFORM.agentId) await holdLiveKey(tx);',
    to: 'void holdLiveKey;',
    tests,
    grep: 'revoked a moment ago',
  },
  {
    name: 'repeated_suspension_is_told_again',
    file: FILE,
    from: 'if (isNew) await tell',
    to: 'await tell',
    tests,
    grep: 'are told of once',
  },
  {
    name: 'suspension_by_an_operator_is_lifted_by_the_root',
    file: FILE,
    from: 's.operator is null) as is_below',
    to: 'true) as is_below',
    tests: ['test/policies/operator_suspend_agent.test.ts'],
    grep: 'lets no owner resume',
  },
  {
    name: 'suspension_by_an_operator_is_taken_over_below',
    file: FILE,
    from: 'isTheirs && !wasTheirs',
    to: '!wasTheirs',
    tests: ['test/policies/operator_suspend_agent.test.ts'],
    grep: 'lets no owner resume',
  },
  {
    name: 'refusal_hides_what_was_odd',
    file: 'shared/domains/agents/status/suspension_refusal.ts',
    from: 'anomaly: isOwn ? anomalyOf(found) : null',
    to: 'anomaly: null',
    tests: ['test/policies/anomalies.test.ts'],
    grep: 'suspends where a policy',
  },
  {
    name: 'refusal_does_not_say_in_words_what_was_odd',
    file: 'shared/domains/agents/status/suspension_refusal.ts',
    from: 'isOwn && found.anomaly_id !== null',
    to: 'isOwn && found.anomaly_id === null',
    tests: ['test/policies/anomalies.test.ts'],
    grep: 'suspends where a policy',
  },
  {
    name: 'agent_learns_why_the_one_above_it_was_suspended',
    file: 'shared/domains/agents/status/suspension_refusal.ts',
    from: 'const isOwn = agentId === caller.agentId;',
    to: 'const isOwn = agentId !== 0;',
    tests: ['test/policies/operator_suspend_agent.test.ts'],
  },
];
