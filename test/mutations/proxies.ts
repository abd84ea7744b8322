import type { Mutation } from './mutation.ts';

const listTests = ['test/proxies/proxy_list.test.ts'];
const moneyTests = ['test/proxies/proxy_list_money.test.ts'];
const reportTests = ['test/proxies/report_proxy.test.ts'];
const keyTests = ['test/proxies/proxy_my_key.test.ts'];

/** Proxies that are sold: what they cost, what is refunded, and keys. */
export const PROXIES: readonly Mutation[] = [
  {
    name: 'proxies_that_are_not_returned_are_charged',
    file: 'shared/domains/proxies/sale/proxy_list.ts',
    from: 'charged: await sell(tx, proxies) }',
    to: 'charged: await sell(tx, found) }',
    tests: moneyTests,
    grep: 'with partial',
  },
  {
    name: 'a_format_is_not_taken_by_accept',
    file: 'api/rest/rest.ts',
    from: 'Object.values(forms).find(({ type }) => type === accepted)',
    to: 'undefined',
    tests: ['test/proxies/list_forms.test.ts'],
    grep: 'by Accept',
  },
  {
    name: 'an_empty_list_is_charged',
    file: 'shared/domains/proxies/sale/sell.ts',
    from: 'if (proxies.length === 0) return 0;',
    to: '',
    tests: listTests,
    grep: 'empty list',
  },
  {
    name: 'partial_gives_nothing_free_of_charge_to_an_empty_wallet',
    file: 'shared/domains/proxies/sale/proxy_list.ts',
    from: 'return Math.max(1, await',
    to: 'return Math.max(0, await',
    tests: moneyTests,
    grep: 'with partial',
  },
  {
    name: 'what_left_the_hot_pool_is_sold_as_hot',
    file: 'shared/domains/proxies/proxies.ts',
    from: ` and (not $3 or state = 'hot')`,
    to: ' and $3::boolean is not null',
    tests: listTests,
    grep: 'left the market',
  },
  {
    name: 'a_proxy_that_moved_is_sold_for_its_old_country',
    file: 'shared/domains/proxies/proxies.ts',
    from: '($2::text is null or country_code = $2)',
    to: `($2::text is null or $2 <> '')`,
    tests: listTests,
    grep: 'left the market',
  },
  {
    name: 'a_page_is_filled_up_from_the_next_one',
    file: 'shared/domains/proxies/sale/sell.ts',
    from: 'if (ids.length === 0 || offset !== undefined) break;',
    to: 'if (ids.length === 0) break;',
    tests: listTests,
    grep: 'none of the next page',
  },
  {
    name: 'every_agent_begins_at_one_proxy',
    file: 'shared/domains/proxies/sale/sell.ts',
    from: 'start = randomInt(POSITIONS)',
    to: 'start = 0',
    tests: listTests,
    grep: 'different proxies',
  },
  {
    name: 'a_proxy_that_works_is_refunded',
    file: 'shared/domains/proxies/sale/report_proxy.ts',
    from: 'const credited = works',
    to: 'const credited = !works',
    tests: reportTests,
    grep: 'proxy that works',
  },
  {
    name: 'a_sale_may_be_reported_for_ever',
    file: 'shared/domains/proxies/sale/report_proxy.ts',
    from: `and s.sold_at > now() - interval '\${HOURS} hour'`,
    to: '',
    tests: reportTests,
    grep: 'in the last hour',
  },
  {
    name: 'anybody_reports_a_sale',
    file: 'shared/domains/proxies/sale/report_proxy.ts',
    from: 'where s.agent_id = $1 and',
    to: 'where $1 > 0 and',
    tests: reportTests,
    grep: 'in the last hour',
  },
  {
    name: 'reports_of_two_at_once_are_not_counted_together',
    file: 'shared/domains/proxies/sale/report_proxy.ts',
    from: 'await lockTreasuries(tx.db, [tx.caller.rootId]);',
    to: '',
    tests: reportTests,
    grep: 'that come at the same moment',
  },
  {
    name: 'each_agent_of_a_tree_reports_a_hundred_times',
    file: 'shared/domains/proxies/sale/report_proxy.ts',
    from: 'left join proxy_report r on r.root_id = $1',
    to: 'left join proxy_report r on r.root_id = $1 and r.proxy_id > 0',
    tests: reportTests,
    grep: 'hundred times',
  },
  {
    name: 'a_proxy_key_outlives_the_api_key_that_read_it',
    file: 'shared/domains/proxies/sale/keys.ts',
    from: `set read_by = read_by || $2::bigint`,
    to: 'set read_by = array_remove(read_by || $2::bigint, $2)',
    tests: keyTests,
  },
  {
    name: 'a_revoked_api_key_reads_a_proxy_key',
    file: 'shared/domains/proxies/sale/keys.ts',
    from: `could still read a new one.
  await holdLiveKey(tx);`,
    to: '',
    tests: keyTests,
    grep: 'revoked a moment ago',
  },
];
