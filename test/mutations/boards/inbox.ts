import type { Mutation } from '../mutation.ts';

const RANKED = 'shared/domains/inbox/inbox_rank.ts';
const ORDERS = 'shared/domains/orders/parties/inbox.ts';
const TASKS = 'shared/domains/tasks/parties/inbox.ts';
const INBOX = 'test/inbox/inbox.test.ts';

export const INBOX_RULES: readonly Mutation[] = [
  {
    name: 'inbox_has_the_least_money_first',
    file: RANKED,
    from: 'order by item.hour, -amount, part, id limit $7',
    to: 'order by item.hour, amount, part, id limit $7',
    tests: [INBOX],
    grep: 'five deals',
  },
  {
    name: 'pages_of_an_inbox_repeat_an_item',
    file: RANKED,
    from: '(hour, -amount, part, id) > (',
    to: '(hour, -amount, part, id) >= (',
    tests: [INBOX],
    grep: 'five deals',
  },
  {
    name: 'inbox_shows_what_is_too_late',
    file: RANKED,
    from: "${hasDeadline ? 'and deadline > now()' : ''}) item",
    to: ') item',
    tests: [INBOX],
    grep: 'too late',
  },
  {
    name: 'money_of_an_inbox_counts_without_its_hour',
    file: 'shared/kernel/terms/inbox_part.ts',
    from: "`date_trunc('hour', ${deadline} at time zone 'UTC')`",
    to: "`date_trunc('day', ${deadline} at time zone 'UTC')`",
    tests: [INBOX],
    grep: 'five deals',
  },
  {
    name: 'inbox_shows_the_orders_of_sellers_as_their_own',
    file: ORDERS,
    from: "where o.buyer_id = $1 and o.status = 'escrow'",
    to: "where $1 in (o.buyer_id, o.seller_id) and o.status = 'escrow'",
    tests: [INBOX],
    grep: 'for others',
  },
  {
    name: 'answered_disputes_stay_in_the_inbox',
    file: ORDERS,
    from: "o.status = 'disputed' and d.responded_at is null",
    to: "o.status = 'disputed'",
    tests: [INBOX],
    grep: 'of a seller',
  },
  {
    name: 'one_of_several_bids_is_chosen_for_the_poster',
    file: TASKS,
    from: 'and b.withdrawn_at is null having count(*) = 1)) as facts',
    to: 'and b.withdrawn_at is null)) as facts',
    tests: [INBOX],
    grep: 'two bids',
  },
  {
    name: 'posters_do_not_hear_of_appeals',
    file: 'shared/domains/labor/labor_appeal.ts',
    from: 'for_poster = true',
    to: 'for_poster = false',
    tests: ['test/inbox/inbox.test.ts'],
    grep: 'of labor has',
  },
  {
    name: 'posters_do_not_hear_of_a_failed_consensus',
    file: 'shared/domains/labor/judging.ts',
    from: 'update labor_claim set for_poster = true, due_at',
    to: 'update labor_claim set for_poster = false, due_at',
    tests: ['test/inbox/inbox.test.ts'],
    grep: 'of labor has|of a draw',
  },
  {
    name: 'each_message_is_an_item_of_its_own',
    file: 'shared/domains/messages/inbox.ts',
    from: 'from (select distinct on (sender_id, order_id, bid_id, claim_id)',
    to: 'from (select distinct on (sender_id, order_id, bid_id, claim_id, id)',
    tests: [INBOX],
    grep: 'one item for all',
  },
  {
    name: 'inbox_offers_calls_that_the_key_may_not_make',
    file: 'shared/domains/inbox/next_calls.ts',
    from: 'if (!allows(op.access, caller.scopes)) return [];',
    to: '',
    tests: [INBOX],
    grep: 'key may not',
  },
  {
    name: 'siblings_see_a_suspended_agent',
    file: 'shared/domains/policies/inbox.ts',
    from: '$1::bigint = any (a.lineage)',
    to: '$1::bigint > 0',
    tests: [INBOX],
    grep: 'has suspended',
  },
  {
    name: 'owners_are_asked_about_what_they_suspended',
    file: 'shared/domains/policies/inbox.ts',
    from: ' and last.anomaly_id is not null',
    to: '',
    tests: [INBOX],
    grep: 'has suspended',
  },
];
