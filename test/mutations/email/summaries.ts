import type { Mutation } from '../mutation.ts';

const TESTS = ['test/mail/digests.test.ts'];

/** Summaries of a day or a week. */
export const SUMMARIES: readonly Mutation[] = [
  {
    name: 'summary_goes_to_any_address',
    file: 'shared/domains/digests/mail_digests.ts',
    from: 'if (!is_proven) return;',
    to: '',
    tests: TESTS,
  },
  {
    name: 'summary_of_a_day_is_mailed_twice',
    file: 'shared/domains/digests/mail_digests.ts',
    from: 'const key = `digest/${id}/${every}/${digest.to}`;',
    to: 'const key = `digest/${id}/${every}/${tx.key}`;',
    tests: TESTS,
  },
  {
    name: 'summary_cannot_be_stopped',
    file: 'shared/domains/mail/unsubscribe.ts',
    from: "'delete from digest where agent_id = $1'",
    to: "'delete from digest where agent_id = -$1'",
    tests: TESTS,
  },
];
