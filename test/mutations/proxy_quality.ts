import type { Mutation } from './mutation.ts';

const targetTests = ['test/proxies/second_target.test.ts'];
const qualityTests = ['test/proxies/quality.test.ts'];
const filterTests = ['test/proxies/filters.test.ts'];

/** What checks show of a proxy beside that it works, and what buyers choose by. */
export const PROXY_QUALITY: readonly Mutation[] = [
  {
    name: 'a_proxy_may_be_honest_to_the_judge_only',
    file: 'shared/domains/proxies/checks/judge.ts',
    from: `if (result.page === 'different') return { passed: false, forged: true };`,
    to: '',
    tests: targetTests,
    grep: 'never comes on sale',
  },
  {
    name: 'a_page_that_changes_is_the_proxys_fault',
    file: 'workers/gateways/proxies/pages.ts',
    from: `if (!(await isUnchanged({ url, text }))) return 'unknown';`,
    to: '',
    tests: targetTests,
    grep: 'a page that changes',
  },
  {
    name: 'what_fails_together_stays_on_sale',
    file: 'shared/domains/proxies/checks/record.ts',
    from: `case when state in ('hot', 'warm') then 'degraded' else state end`,
    to: `case when state in ('hot', 'warm') then state else state end`,
    tests: ['test/proxies/outage.test.ts'],
  },
  {
    name: 'what_fails_together_is_doubted_for_ever',
    file: 'shared/domains/proxies/checks/record.ts',
    from: `state_since > now() - interval '\${DOUBT_MINUTES} minutes'`,
    to: `state_since <= now()`,
    tests: ['test/proxies/outage.test.ts'],
  },
  {
    name: 'what_the_judge_saw_is_not_signed',
    file: 'shared/domains/proxies/checks/judge.ts',
    from: '[nonce, address, seen].join',
    to: '[nonce, address].join',
    tests: ['test/proxies/proxy_judge.test.ts'],
  },
  {
    name: 'a_proxy_that_shows_our_address_is_anonymous',
    file: 'shared/domains/proxies/checks/forwarding.ts',
    from: `words.includes(direct.address) ? 'transparent'`,
    to: `words.length < 0 ? 'transparent'`,
    tests: qualityTests,
    grep: 'is transparent',
  },
  {
    name: 'headers_of_our_own_routers_are_a_proxys',
    file: 'shared/domains/proxies/checks/forwarding.ts',
    from: '!isAddress(word) && !usual.has(word)',
    to: '!isAddress(word)',
    tests: qualityTests,
    grep: 'is elite',
  },
  {
    name: 'time_after_a_failed_check_counts_as_up',
    file: 'shared/domains/proxies/checks/last_day.ts',
    from: 'if (since.passed) add(',
    to: 'if (since) add(',
    tests: ['test/proxies/last_day.test.ts'],
  },
  {
    name: 'ipv6_is_looked_up_among_ipv4',
    file: 'workers/gateways/proxies/locations.ts',
    from: 'ipVersion === 6 || isIPv4(address)',
    to: 'ipVersion !== 0 || isIPv4(address)',
    tests: qualityTests,
    grep: 'is read of MaxMind files',
  },
  {
    name: 'a_page_of_the_judges_host_is_not_told_of',
    file: 'shared/domains/proxies/settings.ts',
    from: 'filter((host) => ofJudges.has(host))',
    to: 'filter((host) => !ofJudges.has(host))',
    tests: targetTests,
    grep: 'named to the operator',
  },
  {
    name: 'a_list_by_anonymity_has_all',
    file: 'shared/domains/proxies/pool/filters.ts',
    from: '`anonymity = ${name}`',
    to: '`anonymity <= greatest(anonymity, ${name})`',
    tests: filterTests,
    grep: 'anonymity=anonymous',
  },
  {
    name: 'a_filtered_list_draws_from_beyond_the_hot_pool',
    file: 'shared/domains/proxies/pool/filters.ts',
    from: "country === undefined ? [`state = 'hot'`] : []",
    to: "country === '' ? [`state = 'hot'`] : []",
    tests: filterTests,
    grep: 'do not overlap',
  },
];
