import type { Mutation } from './mutation.ts';

const leaseTests = ['test/platform/leases.test.ts'];
const limiterTests = ['test/platform/limiter.test.ts'];
const shareTests = ['test/platform/shares.test.ts'];
const transactTests = ['test/platform/transact.test.ts'];

/** Limits of a process, and what it does when PostgreSQL or Redis does not answer. */
export const PLATFORM: readonly Mutation[] = [
  {
    name: 'a_permit_is_acquired_as_often_as_it_is_asked_for',
    file: 'shared/platform/limiter.ts',
    from: 'if (this.#isHeld) return;',
    to: '',
    tests: limiterTests,
  },
  {
    name: 'a_permit_is_never_taken_back',
    file: 'shared/platform/limiter.ts',
    from: '    takeBackOverdue();\n',
    to: '',
    tests: limiterTests,
  },
  {
    name: 'searches_take_no_turns',
    file: 'shared/composition/invoke/read.ts',
    from: 'op.reads?.costly ? costlyReads.run(holderOf(call), attempt) : attempt()',
    to: 'attempt()',
    tests: ['test/products/search_turns.test.ts'],
  },
  {
    name: 'one_tree_may_do_all_searches_of_a_process',
    file: 'shared/composition/open_context.ts',
    from: 'perFree: COSTLY_READS_PER_FREE,',
    to: '',
    tests: ['test/products/search_turns.test.ts'],
  },
  {
    name: 'a_holder_may_have_more_than_its_share',
    file: 'shared/platform/shares/shares.ts',
    from: 'heldBy(holder) < perFree * free',
    to: 'heldBy(holder) <= perFree * free',
    tests: shareTests,
  },
  {
    name: 'who_has_some_gets_what_is_for_those_that_have_none',
    file: 'shared/platform/shares/shares.ts',
    from: 'free > -loneMax && heldBy(holder) === 0',
    to: 'free > -loneMax',
    tests: shareTests,
  },
  {
    name: 'a_holder_keeps_its_turn',
    file: 'shared/platform/shares/fair_queue.ts',
    from: `queues.delete(holder);
        queues.set(holder, queue); // At the end, behind all others.`,
    to: '',
    tests: shareTests,
  },
  {
    name: 'the_newest_of_anybody_is_dropped',
    file: 'shared/platform/shares/fair_queue.ts',
    from: 'entry[1].length > (most?.[1].length ?? 0)',
    to: 'entry[1].length > 0',
    tests: shareTests,
  },
  {
    name: 'a_turn_is_kept_after_work_that_fails',
    file: 'shared/platform/shares/turns.ts',
    from: `return await work();
      } finally {
        shares.release(holder);
        startNext();
      }`,
    to: `const result = await work();
        shares.release(holder);
        startNext();
        return result;
      } finally {}`,
    tests: shareTests,
  },
  {
    name: 'one_lease_more_is_granted',
    file: 'shared/platform/shares/leases.ts',
    from: `redis.call('zcard', KEYS[1]) >= tonumber(ARGV[3])`,
    to: `redis.call('zcard', KEYS[1]) > tonumber(ARGV[3])`,
    tests: leaseTests,
  },
  {
    name: 'leases_of_processes_that_are_gone_count',
    file: 'shared/platform/shares/leases.ts',
    from: `redis.call('zremrangebyscore', KEYS[1], '-inf', now)`,
    to: '',
    tests: leaseTests,
  },
  {
    name: 'leases_of_a_holder_at_its_limit_are_not_renewed',
    file: 'shared/platform/shares/leases.ts',
    from: 'acquire(key, lease, Number.MAX_SAFE_INTEGER)',
    to: 'acquire(key, lease, leasesMax)',
    tests: leaseTests,
  },
  {
    name: 'a_lease_that_was_not_granted_is_renewed',
    file: 'shared/platform/shares/leases.ts',
    from: 'release(holder, lease); // It may have been acquired.',
    to: '',
    tests: leaseTests,
  },
  {
    name: 'a_subscription_is_waited_for_without_end',
    file: 'shared/platform/pubsub.ts',
    from: 'Promise.race([connected().subscribe(channel), timeUp])',
    to: 'connected().subscribe(channel)',
    tests: ['test/platform/pubsub.test.ts'],
  },
  {
    name: 'a_deadlock_is_a_fault',
    file: 'shared/platform/fault.ts',
    from: `['40P01', '40001', '55P03']`,
    to: `['40001', '55P03']`,
    tests: transactTests,
  },
  {
    name: 'a_lock_that_is_not_available_is_a_fault',
    file: 'shared/platform/fault.ts',
    from: `['40P01', '40001', '55P03']`,
    to: `['40P01', '40001']`,
    tests: transactTests,
  },
  {
    name: 'a_conflict_on_a_standby_is_a_fault',
    file: 'shared/platform/fault.ts',
    from: `['40P01', '40001', '55P03']`,
    to: `['40P01', '55P03']`,
    tests: transactTests,
  },
  {
    name: 'a_primary_that_was_demoted_is_not_lost',
    file: 'shared/platform/fault.ts',
    from: `  '25006', // read-only`,
    to: `  // read-only`,
    tests: ['test/faults/demoted_primary.test.ts'],
  },
  {
    name: 'a_write_in_a_read_is_repeated_as_if_the_primary_was_demoted',
    file: 'shared/platform/database.ts',
    from: 'if (isDemoted(error) && readOnly) throw new ReadOnlyTransaction(error);',
    to: '',
    tests: ['test/kernel/perform.test.ts'],
    grep: 'read that writes',
  },
  {
    name: 'a_session_that_postgres_ended_is_a_fault',
    file: 'shared/platform/fault.ts',
    from: '/^(08|57P0)/',
    to: '/^08/',
    tests: transactTests,
  },
  {
    name: 'a_connection_that_the_driver_lost_is_a_fault',
    file: 'shared/platform/fault.ts',
    from: '/Connection terminated|timeout',
    to: '/timeout',
    tests: transactTests,
  },
  {
    name: 'a_pool_without_a_free_connection_is_a_fault',
    file: 'shared/platform/fault.ts',
    from: '|timeout exceeded when trying to connect|',
    to: '|',
    tests: transactTests,
  },
  {
    name: 'a_refusal_that_speaks_of_a_connection_is_repeated',
    file: 'shared/platform/fault.ts',
    from: `code === '' &&`,
    to: '',
    tests: transactTests,
  },
  {
    name: 'a_statement_that_took_too_long_is_a_fault',
    file: 'shared/platform/fault.ts',
    from: `isConnectionLost(error) || codeOf(error) === '57014';`,
    to: 'isConnectionLost(error);',
    tests: ['test/faults/postgres.test.ts'],
    grep: 'too slow',
  },
  {
    name: 'a_transaction_that_may_be_committed_is_repeated',
    file: 'shared/platform/database.ts',
    from: 'if (committing && isConnectionLost(error)) throw new LostCommit();',
    to: '',
    tests: ['test/faults/lost_commits.test.ts'],
  },
  {
    name: 'a_permit_that_was_taken_back_is_released_again',
    file: 'shared/platform/limiter.ts',
    from: 'if (!lent) return;',
    to: 'if (!lent) return void shares.release(0);',
    tests: limiterTests,
  },
  {
    name: 'a_subscription_that_is_refused_ends_the_process',
    file: 'shared/platform/redis.ts',
    from: "        if (redis.status === 'ready') warn('Redis refuses a subscription', error);",
    to: '        throw error;',
    tests: ['test/platform/redis.test.ts'],
    grep: 'renew a subscription',
  },
  {
    name: 'a_process_that_stood_still_closes_its_connections',
    file: 'shared/platform/connections/waking_time.ts',
    from: 'awake += Math.min(now - lookedAt, 2 * everyMs);',
    to: 'awake += now - lookedAt;',
    tests: ['test/platform/redis.test.ts'],
    grep: 'stood still',
  },
];
