import type { Mutation } from '../mutation.ts';

const SCHEMA = 'migrations/0002_ledger.sql';
const ATTACKS = 'test/ledger/attacks.test.ts';
const ROUTES = 'test/ledger/route_attacks.test.ts';
const QUOTES = 'test/orders/orders.test.ts';
const DECISIONS = 'test/orders/decide_dispute.test.ts';
const CHARGES = 'test/wallet/charge.test.ts';

export const LEDGER_SCHEMA: readonly Mutation[] = [
  {
    name: 'transfer_happens_twice',
    file: SCHEMA,
    from: 'transfer_once unique (ref, kind)',
    to: 'transfer_once unique (ref, kind, id)',
    tests: [ATTACKS],
  },
  {
    name: 'transfer_of_nothing',
    file: SCHEMA,
    from: 'cash >= 0 and credit + cash > 0),\n  constraint transfer_two',
    to: 'cash >= 0),\n  constraint transfer_two',
    tests: [ATTACKS],
  },
  {
    name: 'transfer_of_a_negative_amount',
    file: SCHEMA,
    from: 'check (credit >= 0 and cash >= 0 and credit + cash > 0)',
    to: 'check (credit + cash > 0)',
    tests: [ATTACKS],
  },
  {
    name: 'transfer_to_itself',
    file: SCHEMA,
    from: 'from_account <> to_account or from_id <> to_id',
    to: 'true',
    tests: [ROUTES],
  },
  {
    name: 'foreign_escrow_is_topped_up',
    file: SCHEMA,
    from: "to_account <> 'escrow' or to_id = id",
    to: 'true',
    tests: [ATTACKS],
  },
  {
    name: 'another_tree_pays',
    file: SCHEMA,
    from: "'treasury' then from_root is not null and from_root = from_id",
    to: "'treasury' then from_root is not null",
    tests: [ROUTES],
  },
  {
    name: 'escrow_of_no_tree',
    file: SCHEMA,
    from: "when 'escrow' then from_root is not null\n",
    to: "when 'escrow' then true\n",
    tests: [ROUTES],
  },
  {
    name: 'platform_account_of_a_tree',
    file: SCHEMA,
    from: 'else from_root is null end',
    to: 'else true end',
    tests: [ROUTES],
  },
  {
    name: 'escrow_filled_for_another_tree',
    file: SCHEMA,
    from: 'to_root is not null and to_root = from_root',
    to: 'to_root is not null',
    tests: [ROUTES],
  },
  {
    name: 'treasury_owes_cash',
    file: SCHEMA,
    from: 'check (credit >= 0 and cash >= 0 and escrow_credit',
    to: 'check (credit >= 0 and escrow_credit',
    tests: [ATTACKS],
  },
  {
    name: 'treasury_owes_credit',
    file: SCHEMA,
    from: 'check (credit >= 0 and cash >= 0 and escrow_credit',
    to: 'check (cash >= 0 and escrow_credit',
    tests: [ATTACKS],
  },
  {
    name: 'replica_skips_the_ledgers_triggers',
    file: SCHEMA,
    from: 'enable always trigger apply_transfers, enable always trigger append_only',
    to: 'enable trigger apply_transfers, enable trigger append_only',
    tests: [ATTACKS],
  },
  {
    name: 'welcome_may_be_cash',
    file: SCHEMA,
    from: 'null, null, true,  false, false)',
    to: 'null, null, true,  true,  false)',
    tests: [ROUTES],
  },
  {
    name: 'purchase_fee_goes_to_any_revenue',
    file: SCHEMA,
    from: 'null, 1,    true,  true,  false)',
    to: 'null, null, true,  true,  false)',
    tests: [ROUTES],
  },
  {
    name: 'proxies_are_refunded_from_any_revenue',
    file: SCHEMA,
    from: '2,    null, true,  true,  false)',
    to: 'null, null, true,  true,  false)',
    tests: [ROUTES],
  },
  {
    name: 'credit_leaves_the_platform',
    file: SCHEMA,
    from: "not allows_credit or (from_account <> 'asset'",
    to: "true or (from_account <> 'asset'",
    tests: [ROUTES],
  },
  {
    name: 'application_says_when_a_transfer_was',
    file: 'migrations/grants.sql',
    from: 'credit, cash)\n  on ledger.transfer',
    to: 'credit, cash, created_at)\n  on ledger.transfer',
    tests: [ATTACKS],
  },
  {
    name: 'application_makes_routes',
    file: 'migrations/grants.sql',
    from: 'grant insert (id) on ledger.treasury to :app;',
    to: 'grant insert (id) on ledger.treasury to :app;\ngrant insert on ledger.route to :app;',
    tests: [ROUTES],
  },
  {
    name: 'transfers_insert_what_is_empty',
    file: 'shared/domains/ledger/ledger.ts',
    from: 'credit + cash > 0n',
    to: 'credit + cash >= 0n',
    tests: [DECISIONS],
  },
  {
    name: 'credit_pays_more_than_the_price',
    file: 'shared/domains/ledger/ledger.ts',
    from: 'amount < credit ? amount : credit',
    to: 'credit',
    tests: [CHARGES],
  },
  {
    name: 'cash_is_spent_first',
    file: 'shared/domains/ledger/ledger.ts',
    from: '{ credit: fromCredit, cash: amount - fromCredit }',
    to: '{ credit: 0n, cash: amount }',
    tests: [CHARGES],
  },
  {
    name: 'dollars_round_down',
    file: 'shared/kernel/money.ts',
    from: 'Math.round(usd',
    to: 'Math.floor(usd',
    tests: [QUOTES],
  },
  {
    name: 'fee_rounds_half_down',
    file: 'shared/kernel/money.ts',
    from: '(subtotal + 5n)',
    to: '(subtotal + 4n)',
    tests: [QUOTES],
  },
];
