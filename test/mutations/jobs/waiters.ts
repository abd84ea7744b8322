import type { Mutation } from '../mutation.ts';

/** How callers that wait get the answers of jobs. */
export const WAITERS: readonly Mutation[] = [
  {
    name: 'published_answers_are_not_heard',
    file: 'shared/jobs/waiters.ts',
    from: '(JSON.parse(text) as JobAnswer[]).forEach(deliver));',
    to: 'void (JSON.parse(text) as JobAnswer[]));',
    tests: ['test/jobs/waiters.test.ts'],
  },
  {
    name: 'answers_are_not_published',
    file: 'workers/worker.ts',
    from: 'if (!channel || answers.length === 0) return;',
    to: 'if (channel || answers.length === 0) return;',
    tests: ['test/jobs/waiters.test.ts'],
  },
  {
    name: 'lost_answers_are_not_looked_up',
    file: 'shared/jobs/waiters.ts',
    from: '(await findJobAnswers(database, [...waiters.keys()])).forEach(deliver);',
    to: 'await findJobAnswers(database, [...waiters.keys()]);',
    tests: ['test/jobs/waiters.test.ts'],
  },
  {
    name: 'one_failed_look_ends_all_looks',
    file: 'shared/jobs/waiters.ts',
    from: '      polling = false;',
    to: '',
    tests: ['test/jobs/waiters.test.ts'],
  },
  {
    name: 'waiter_outlives_its_caller',
    file: 'shared/jobs/waiters.ts',
    from: "disconnect?.addEventListener('abort', stop);",
    to: '',
    tests: ['test/jobs/waiters.test.ts'],
  },
  {
    name: 'share_of_the_waiters_is_never_given_back',
    file: 'shared/jobs/waiters.ts',
    from: 'if (holder !== undefined) shares.release(holder);',
    to: '',
    tests: ['test/jobs/waiters.test.ts'],
  },
  {
    name: 'one_agent_takes_all_waiters',
    file: 'shared/jobs/waiters.ts',
    from: 'if (holder !== undefined && !shares.acquire(holder)) {',
    to: 'if (waitMs < 0) {',
    tests: ['test/jobs/waiters.test.ts'],
  },
  {
    name: 'only_the_last_of_two_waiters_is_answered',
    file: 'shared/jobs/waiters.ts',
    from: '(waiters.get(jobId) ?? new Set()).add(settle)',
    to: 'new Set([settle])',
    tests: ['test/jobs/waiters.test.ts'],
  },
  {
    name: 'who_gets_no_waiter_hears_so_at_once',
    file: 'shared/jobs/waiters.ts',
    from: 'refusals?.wait(holder, waitMs).then(() => null)',
    to: 'undefined as Promise<null> | undefined',
    tests: ['test/faults/shares.test.ts'],
    grep: 'leaves others waiters',
  },
  {
    name: 'call_that_waits_for_an_owner_is_not_waited_for',
    file: 'shared/jobs/waiters.ts',
    from: "          if (untilEnd && result?.status === 'pending') return;\n",
    to: '',
    tests: ['test/approvals/approvals.test.ts'],
    grep: 'is waited for',
  },
];
