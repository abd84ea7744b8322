import type { Mutation } from '../mutation.ts';

const REFUND = 'shared/domains/wallet/refund_charge.ts';
const STATEMENT = 'shared/domains/wallet/wallet_statement.ts';
const HELD = 'shared/domains/wallet/places/held.ts';
const INCOMING = 'shared/domains/wallet/places/incoming.ts';
const PLACES = ['test/wallet/places/places.test.ts'];
const FILTERS = ['test/wallet/statement_filters.test.ts'];
const REFUNDS = 'test/wallet/refund_charge.test.ts';
const STATEMENTS = 'test/wallet/wallet_statement.test.ts';
const WALLETS = 'test/wallet/get_wallet.test.ts';

export const WALLET: readonly Mutation[] = [
  {
    name: 'repeated_refund_is_a_fault',
    file: REFUND,
    from: '\n     on conflict (charge_id, cause) do nothing returning id',
    to: ' returning id',
    tests: [REFUNDS],
  },
  {
    name: 'refund_ignores_what_was_given_back',
    file: REFUND,
    from: 'charged.cash - charged.refunded_cash',
    to: 'charged.cash',
    tests: [REFUNDS],
  },
  {
    name: 'refund_gives_more_than_is_left',
    file: REFUND,
    from: 'amount < sumOf(kept) ? amount : sumOf(kept)',
    to: 'amount',
    tests: [REFUNDS],
  },
  {
    name: 'refund_gives_credit_first',
    file: REFUND,
    from: 'const back = cashFirst(amount, kept);',
    to: 'const back = creditFirst(amount, kept);',
    tests: [REFUNDS],
  },
  {
    name: 'refund_does_not_free_the_limits',
    file: REFUND,
    from: 'amount: sumOf(back) });\n  return',
    to: 'amount: 0n });\n  return',
    tests: [REFUNDS],
  },
  {
    name: 'refund_of_a_charge_is_not_noted',
    file: REFUND,
    from: 'refunded_credit = refunded_credit + $2, refunded_cash = refunded_cash + $3',
    to: 'refunded_credit = $2, refunded_cash = $3',
    tests: [REFUNDS],
  },
  {
    name: 'answers_about_emails_are_refunded',
    file: REFUND,
    from: "service !== 'email'",
    to: "service !== ('x' as string)",
    tests: [REFUNDS],
  },
  {
    name: 'statement_adds_what_was_paid',
    file: STATEMENT,
    from: 'balance -= entry.amount;',
    to: 'balance += entry.amount;',
    tests: [STATEMENTS],
  },
  {
    name: 'statement_shows_the_balance_before',
    file: STATEMENT,
    from: 'const after = balance;\n        balance -= entry.amount;',
    to: 'balance -= entry.amount;\n        const after = balance;',
    tests: [STATEMENTS],
  },
  {
    name: 'statement_ends_a_line_early',
    file: STATEMENT,
    from: 'const next = found[taken];',
    to: 'const next = found[taken + 1];',
    tests: [STATEMENTS],
  },
  {
    name: 'statement_of_a_period_forgets_what_moved_since',
    file: STATEMENT,
    from: 'id === undefined ? sumOf',
    to: 'rootId > 0 ? sumOf',
    tests: FILTERS,
  },
  {
    name: 'statement_of_a_period_has_what_came_later',
    file: STATEMENT,
    from: '(!to || entry.created_at < to)',
    to: 'true',
    tests: FILTERS,
  },
  {
    name: 'statement_of_a_period_has_what_was_before',
    file: STATEMENT,
    from: '(!from || entry.created_at >= from)',
    to: 'true',
    tests: FILTERS,
  },
  {
    name: 'statement_of_an_agent_has_those_of_others',
    file: STATEMENT,
    from: 'agents.has(entry.agent_id ?? 0)',
    to: 'agents.size > 0',
    tests: FILTERS,
  },
  {
    name: 'child_is_told_who_its_owner_deals_with',
    file: STATEMENT,
    from: 'agentId === rootId ? undefined',
    to: 'rootId > 0 ? undefined',
    tests: FILTERS,
  },
  {
    name: 'statement_page_repeats_a_line',
    file: 'shared/domains/ledger/statement.ts',
    from: "where from_account = 'treasury' and from_id = $1 and id < $2",
    to: "where from_account = 'treasury' and from_id = $1 and id <= $2",
    tests: [STATEMENTS],
  },
  {
    name: 'statement_leaves_credit_out',
    file: 'shared/domains/ledger/statement.ts',
    from: 'ref, -(credit + cash) as amount',
    to: 'ref, -cash as amount',
    tests: [STATEMENTS],
  },
  {
    name: 'statement_of_everybody',
    file: 'shared/domains/ledger/statement.ts',
    from: "to_account = 'treasury' and to_id = $1 and id < $2",
    to: "to_account = 'treasury' and id < $2",
    tests: [STATEMENTS],
  },
  {
    name: 'wallet_shows_yesterdays_spend',
    file: 'shared/domains/wallet/get_wallet.ts',
    from: "case when spend.day >= (now() at time zone 'UTC')::date",
    to: 'case when true',
    tests: [WALLETS],
  },
  {
    name: 'wallet_shows_the_limit_of_the_root',
    file: 'shared/domains/wallet/get_wallet.ts',
    from: 'policy.agent_id = spend.agent_id',
    to: 'policy.agent_id = spend.root_id',
    tests: [WALLETS],
  },
  {
    name: 'wallet_forgets_credit_in_escrow',
    file: 'shared/domains/wallet/get_wallet.ts',
    from: 'sumOf(escrows)',
    to: 'escrows.cash',
    tests: [WALLETS],
  },
  {
    name: 'held_forgets_disputed_orders',
    file: HELD,
    from: "where o.status = 'disputed'",
    to: "where o.status = 'disputed' and o.id < 0",
    tests: PLACES,
  },
  {
    name: 'held_of_labor_counts_what_was_paid',
    file: HELD,
    from: 'sum(credit + cash - paid)',
    to: 'sum(credit + cash)',
    tests: PLACES,
  },
  {
    name: 'disputed_money_is_on_its_way_to_the_seller',
    file: INCOMING,
    from: "from orders o where o.status = 'escrow'",
    to: "from orders o where o.status in ('escrow', 'disputed')",
    tests: PLACES,
  },
  {
    name: 'rejected_deposits_are_on_their_way',
    file: INCOMING,
    from: "d.status in ('detected', 'confirming')",
    to: "d.status in ('detected', 'confirming', 'rejected')",
    tests: PLACES,
  },
  {
    name: 'child_sees_what_is_held_for_its_owner',
    file: 'shared/domains/wallet/get_wallet.ts',
    from: 'const agents = await selectedAgents(tx, { below: true });',
    to: 'const agents = [tx.caller.rootId];',
    tests: PLACES,
  },
  {
    name: 'refund_goes_without_a_lock_of_the_tree',
    file: REFUND,
    from: '  await lockTreasuries(db, [rootId]);\n',
    to: '',
    tests: [REFUNDS],
    grep: 'lock the tree',
  },
  {
    name: 'charge_is_not_locked_for_its_refund',
    file: REFUND,
    from: 'where id = $1 for update`',
    to: 'where id = $1`',
    tests: [REFUNDS],
    equivalent: 'Whoever gives a charge back has locked the tree that paid it.',
  },
];
