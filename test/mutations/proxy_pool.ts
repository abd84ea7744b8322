import type { Mutation } from './mutation.ts';

const listTests = ['test/proxies/proxy_list.test.ts'];
const stateTests = ['test/proxies/states.test.ts'];
const hostileTests = ['test/proxies/hostile/hostile_proxies.test.ts'];
const listingTests = ['test/proxies/listing.test.ts'];
const judgeTests = ['test/proxies/proxy_judge.test.ts'];
const refreshTests = ['test/proxies/refresh_proxies.test.ts'];

/** Where proxies come from, and what is believed of checks. */
export const PROXY_POOL: readonly Mutation[] = [
  {
    name: 'proxies_unchecked_for_long_are_sold',
    file: 'shared/proxies/checks/states.ts',
    from: `
  and passed_at > now() - interval '\${FRESH_HOURS} hours'\``,
    to: '`',
    tests: listTests,
    grep: 'unchecked for too long',
  },
  {
    name: 'a_source_may_list_private_addresses',
    file: 'shared/proxies/sources/listing.ts',
    from: `if (!isOpen(hostPort, exceptions)) return 'not_public';`,
    to: '',
    tests: listingTests,
  },
  {
    name: 'a_source_may_list_names',
    file: 'shared/proxies/sources/listing.ts',
    from: '!hostPort || !isAddress(hostPort.host)',
    to: '!hostPort',
    tests: listingTests,
  },
  {
    name: 'proxies_with_a_password_are_taken_without_it',
    file: 'shared/proxies/sources/listing.ts',
    from: `if (behind > 0) return 'password';`,
    to: '',
    tests: listingTests,
  },
  {
    name: 'http_proxies_are_taken_for_socks5',
    file: 'shared/proxies/sources/listing.ts',
    from: `if (!/^(socks5h?|socks|)$/i.test(scheme)) return 'protocol';`,
    to: '',
    tests: listingTests,
  },
  {
    name: 'an_error_page_is_a_list_of_proxies',
    file: 'shared/proxies/sources/listing.ts',
    from: 'refused.unreadable / read > UNREADABLE_SHARE_MAX',
    to: 'refused.unreadable / read > 1',
    tests: listingTests,
  },
  {
    name: 'private_addresses_are_checked',
    file: 'workers/gateways/proxies/checks.ts',
    from: 'if (!hostPort || !isOpen(hostPort, egressAllow)) return NO_ANSWER;',
    to: 'if (!hostPort) return NO_ANSWER;',
    tests: ['test/proxies/forbidden_sources.test.ts'],
    grep: 'has none checked',
  },
  {
    name: 'a_source_is_named_with_its_query',
    file: 'workers/gateways/proxies/sources.ts',
    from: 'return `${host}${pathname}`;',
    to: 'return location;',
    tests: ['test/proxies/forbidden_sources.test.ts'],
  },
  {
    name: 'no_judge_means_that_all_proxies_are_dead',
    file: 'workers/gateways/proxies/checks.ts',
    from: 'if (!judge) return undefined;',
    to: 'if (!judge) return addresses.map(() => NO_ANSWER);',
    tests: refreshTests,
    grep: 'no judge answers',
  },
  {
    name: 'a_proof_is_believed_unread',
    file: 'shared/proxies/checks/judge.ts',
    from: 'isAddress(result.address) && secrets.isHashOf(proof, PURPOSE, signed(result))',
    to: 'isAddress(result.address)',
    tests: judgeTests,
    grep: 'signs it',
  },
  {
    name: 'a_proof_may_be_used_again',
    file: 'shared/proxies/checks/judge.ts',
    from: '`${nonce} ${address}`',
    to: '`${address}`',
    tests: judgeTests,
    grep: 'signs it',
  },
  {
    name: 'a_forged_answer_is_one_failure',
    file: 'shared/proxies/checks/states.ts',
    from: 'const FAILS_OF_FORGED = 3;',
    to: 'const FAILS_OF_FORGED = 1;',
    tests: stateTests,
  },
  {
    name: 'slow_proxies_are_hot',
    file: 'shared/proxies/checks/states.ts',
    from: 'rate >= HOT_RATE && latencyMs <= HOT_LATENCY_MS',
    to: 'rate >= HOT_RATE',
    tests: stateTests,
  },
  {
    name: 'checks_are_counted_for_ever',
    file: 'shared/proxies/checks/states.ts',
    from: ' & (2 ** CHECKS_MAX - 1);',
    to: ';',
    tests: stateTests,
  },
  {
    name: 'an_outage_of_ours_takes_all_proxies_off_the_market',
    file: 'shared/proxies/checks/record.ts',
    from: 'worked >= OUTAGE && passed === 0',
    to: 'worked < 0 && passed === 0',
    tests: refreshTests,
    grep: 'our own network is broken',
  },
  {
    name: 'a_source_says_where_a_proxy_leads_out',
    file: 'shared/proxies/checks/record.ts',
    from: `kindOf(address) === 'public' ? result.country : declared`,
    to: 'declared ?? result.country',
    tests: refreshTests,
  },
  {
    name: 'a_dead_proxy_lives_again',
    file: 'shared/proxies/checks/record.ts',
    from: ` and state <> 'dead' order by id`,
    to: ' order by id',
    tests: ['test/proxies/report_proxy.test.ts'],
    grep: 'dead by now',
  },
  {
    name: 'a_batch_that_was_given_up_is_recorded',
    file: 'shared/proxies/checks/check_proxies.ts',
    from: 'if (!(await lockSlot(tx.db, batch))) return',
    to: 'if (!(await lockSlot(tx.db, batch)) && !checks) return',
    tests: ['test/proxies/refresh_proxies.test.ts'],
    grep: 'its slot has another',
  },
  {
    name: 'dead_proxies_are_forgotten_at_once',
    file: 'shared/proxies/checks/check_due_proxies.ts',
    from: `state_since < now() - interval '7 days'`,
    to: `state_since < now()`,
    tests: refreshTests,
    grep: 'dead for a week',
  },
  {
    name: 'a_check_of_a_silent_proxy_never_ends',
    file: 'workers/gateways/proxies/judge.ts',
    from: 'reject(new Error(fault));',
    to: '',
    tests: hostileTests,
  },
  {
    name: 'a_proxy_may_answer_100_without_end',
    file: 'workers/gateways/proxies/judge.ts',
    from: 'if (interim > INTERIM_MAX)',
    to: 'if (interim < 0)',
    tests: hostileTests,
  },
  {
    name: 'a_json_entry_may_have_any_size',
    file: 'shared/proxies/sources/json_items.ts',
    from: 'if (tokens > TOKENS_MAX)',
    to: 'if (tokens < 0)',
    tests: listingTests,
  },
  {
    name: 'a_json_value_may_have_any_length',
    file: 'shared/proxies/sources/json_items.ts',
    from: 'silentBytes > VALUE_BYTES_MAX + bytes.length',
    to: 'silentBytes < 0',
    tests: ['test/proxies/hostile/hostile_sources.test.ts'],
  },
];
