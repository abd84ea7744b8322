import type { Mutation } from '../mutation.ts';

const FOLDER = 'migrations/functions/records';
const SELLER = 'shared/domains/records/seller_record.ts';
const AGENT = 'shared/domains/records/agent_record.ts';
const TESTS = ['test/records/seller_record.test.ts'];
const AGENT_TESTS = ['test/records/agent_record.test.ts'];
const POLICY_TESTS = ['test/records/seller_policy.test.ts'];
const MATCHES = 'shared/domains/products/search/matches.ts';
const RANKING = ['test/records/ranking.test.ts'];
const SIMULATION = ['test/records/simulation.test.ts'];

/** Records: what they count, for whom, and who sees it. */
export const RECORDS_OF_DEALS: readonly Mutation[] = [
  {
    name: 'record_is_gathered_by_two_timers',
    file: 'shared/domains/records/gather_records.ts',
    from: ' for update of r',
    to: '',
    tests: TESTS,
  },
  {
    name: 'record_has_a_deal_twice_that_two_runs_have_met',
    file: `${FOLDER}/deals_between.sql`,
    from: 'where e.ref = m.ref and e.id <= p_after',
    to: 'where e.ref = m.ref and e.id < 0',
    tests: AGENT_TESTS,
  },
  {
    name: 'record_weighs_welcome_credit',
    file: `${FOLDER}/deals_between.sql`,
    from: "sum(t.cash) filter (where t.kind = 'order.fee')",
    to: "sum(t.cash + t.credit) filter (where t.kind = 'order.fee')",
    tests: SIMULATION,
  },
  {
    name: 'record_loses_nothing_by_a_lost_dispute',
    file: `${FOLDER}/deals_between.sql`,
    from: 'then part.back / 11 else 0 end',
    to: 'then 0 else 0 end',
    tests: TESTS,
  },
  {
    name: 'record_of_a_poster_forgets_lost_disputes',
    file: `${FOLDER}/deals_between.sql`,
    from: "coalesce(d.verdict <> 'refund', false)",
    to: 'false',
    tests: AGENT_TESTS,
  },
  {
    name: 'buyer_of_small_change_is_established',
    file: `${FOLDER}/pair_counts.sql`,
    from: 'p_fees >= 100000',
    to: 'p_fees >= 10000',
    tests: TESTS,
  },
  {
    name: 'buyer_that_owes_is_established',
    file: `${FOLDER}/pair_counts.sql`,
    from: 'owed > 0);',
    to: 'owed < 0);',
    tests: TESTS,
  },
  {
    name: 'buyer_that_owes_stays_established_for_old_deals',
    file: `${FOLDER}/gather_records.sql`,
    from: 'and p.other_root = any (v_owing)',
    to: 'and p.other_root < 0',
    tests: TESTS,
  },
  {
    name: 'agents_of_one_owner_are_many_buyers',
    file: `${FOLDER}/pairs_between.sql`,
    from: '(payee_id, payee_role, payer_root, fee,',
    to: '(payee_id, payee_role, payer_id, fee,',
    tests: TESTS,
  },
  {
    name: 'record_says_who_is_an_agent',
    file: SELLER,
    from: "where status = 'approved' and active and (seller_id",
    to: "where status = 'approved' and (seller_id",
    tests: TESTS,
  },
  {
    name: 'record_is_shown_to_outsiders',
    file: AGENT,
    from: 'and ($2 = any (buyer.lineage) or $2 = any (seller.lineage))',
    to: 'and $2::bigint is not null',
    tests: AGENT_TESTS,
  },
  {
    name: 'record_shows_sums_to_the_other_side',
    file: AGENT,
    from: 'case when $2 then amount end as amount',
    to: 'case when $2 or not $2 then amount end as amount',
    tests: AGENT_TESTS,
  },
  {
    name: 'record_limits_no_batch',
    file: 'migrations/functions/policy_checks.sql',
    from: 'then established_buyers(s.seller) end',
    to: 'then null::int end',
    tests: POLICY_TESTS,
  },
  {
    name: 'record_limits_no_lone_purchase',
    file: 'migrations/functions/purchase_alone.sql',
    from: 'then established_buyers(v_product.seller_id) end)',
    to: 'then null::int end)',
    tests: POLICY_TESTS,
  },
  {
    name: 'record_limits_by_one_buyer_less',
    file: 'migrations/functions/broken_rule.sql',
    from: 'p_buyers < p_policy.min_seller_buyers',
    to: 'p_buyers + 1 < p_policy.min_seller_buyers',
    tests: POLICY_TESTS,
  },
  {
    name: 'record_limits_by_buyers_of_small_change',
    file: `${FOLDER}/established_buyers.sql`,
    from: 'select established from',
    to: 'select counterparties from',
    tests: POLICY_TESTS,
  },
  {
    name: 'record_limit_is_loosened_without_the_owner',
    file: 'shared/domains/policies/loosening.ts',
    from: 'before !== null && (after === null || after < before),\n};',
    to: 'before !== null && after === null,\n};',
    tests: ['test/policies/loosening.test.ts'],
  },
  {
    name: 'record_does_not_rank_a_search',
    file: MATCHES,
    from: 'coalesce(r.score, 0)',
    to: '0 * coalesce(r.score, 0)',
    tests: RANKING,
  },
  {
    name: 'record_outweighs_every_word',
    file: MATCHES,
    from: '/ 100000) / 10) desc',
    to: '/ 100000) * 1000) desc',
    tests: RANKING,
  },
  {
    name: 'record_of_what_is_sold_out_comes_first',
    file: MATCHES,
    from: 'p.quantity is not distinct from 0',
    to: 'p.quantity is null',
    tests: RANKING,
  },
  {
    name: 'record_lists_what_is_off_sale',
    file: MATCHES,
    from: 'p.seller_id = best.agent_id and ${ON_SALE} ',
    to: 'p.seller_id = best.agent_id ',
    tests: RANKING,
  },
  {
    name: 'record_lists_the_worst_first',
    file: MATCHES,
    from: '(order by score desc, agent_id desc, p.id desc) as place',
    to: '(order by score, agent_id desc, p.id desc) as place',
    tests: RANKING,
  },
  {
    name: 'record_takes_an_escrow_for_a_claim',
    file: 'migrations/functions/records/deals_between.sql',
    from: "         and e.kind <> 'labor.refund')), -- its ref is no claim",
    to: ')),',
    tests: ['test/records/gathered_work.test.ts'],
  },
];
