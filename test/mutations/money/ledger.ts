import type { Mutation } from '../mutation.ts';

const APPLY = 'migrations/functions/ledger/apply_transfers.sql';
const ATTACKS = 'test/ledger/attacks.test.ts';
const ROUTES = 'test/ledger/route_attacks.test.ts';
const PURCHASES = 'test/orders/purchase_races.test.ts';
const CHARGES = 'test/wallet/charge.test.ts';

export const LEDGER: readonly Mutation[] = [
  {
    name: 'transfers_may_be_edited',
    file: 'migrations/functions/ledger/append_only.sql',
    from: 'raise exception',
    to: 'return null;\n  raise exception',
    tests: [ATTACKS],
  },
  {
    name: 'balances_may_be_set_by_hand',
    file: 'migrations/functions/ledger/only_by_transfers.sql',
    from: 'pg_trigger_depth() < 2',
    to: 'pg_trigger_depth() < 1',
    tests: [ATTACKS],
  },
  {
    name: 'treasury_opens_with_money_in_escrow',
    file: 'migrations/functions/ledger/opens_empty.sql',
    from: '(credit, cash, escrow_credit, escrow_cash, inflow, owed) <> (0, 0, 0, 0, 0, 0)',
    to: '(credit, cash, inflow, owed) <> (0, 0, 0, 0)',
    tests: [ATTACKS],
  },
  {
    name: 'treasuries_locked_for_nobody',
    file: 'migrations/functions/ledger/lock_treasuries.sql',
    from: ' order by id for no key update',
    to: '',
    tests: [CHARGES, PURCHASES],
  },
  {
    name: 'unknown_kind_is_allowed',
    file: APPLY,
    from: 'r.kind is null or ',
    to: '',
    tests: [ROUTES],
  },
  {
    name: 'route_does_not_say_from_where',
    file: APPLY,
    from: 't.from_id <> r.from_id or ',
    to: '',
    tests: [ROUTES],
  },
  {
    name: 'route_does_not_say_to_where',
    file: APPLY,
    from: 'or t.to_id <> r.to_id',
    to: '',
    tests: [ROUTES],
  },
  {
    name: 'credit_goes_every_route',
    file: APPLY,
    from: 'or t.credit > 0 and not r.allows_credit',
    to: '',
    tests: [ROUTES],
  },
  {
    name: 'cash_goes_every_route',
    file: APPLY,
    from: 'or t.cash > 0 and not r.allows_cash',
    to: '',
    tests: [ROUTES],
  },
  {
    name: 'escrow_counts_credit_as_cash',
    file: APPLY,
    from: "'escrow' then cash else 0 end)::bigint as escrow_cash",
    to: "'escrow' then credit else 0 end)::bigint as escrow_cash",
    tests: [ATTACKS],
  },
  {
    name: 'payer_keeps_the_credit',
    file: APPLY,
    from: '-credit as credit',
    to: '0 as credit',
    tests: [ATTACKS],
  },
  {
    name: 'missing_treasury_is_ignored',
    file: APPLY,
    from: 'moved <> cardinality',
    to: 'moved > cardinality',
    tests: [ATTACKS],
  },
  {
    name: 'escrow_pays_more_credit_than_it_holds',
    file: APPLY,
    from: 'spent.credit > hold.credit or ',
    to: '',
    tests: [ATTACKS],
  },
  {
    name: 'escrow_pays_more_cash_than_it_holds',
    file: APPLY,
    from: ' or spent.cash > hold.cash',
    to: '',
    tests: [ATTACKS],
  },
  {
    name: 'escrow_that_is_none_pays',
    file: APPLY,
    from: 'hold.id is null or ',
    to: '',
    tests: [ATTACKS],
  },
  {
    name: 'escrow_paid_out_from_an_old_snapshot',
    file: APPLY,
    from: "<> 'read committed'",
    to: "= 'serializable'",
    tests: [ATTACKS],
  },
  {
    name: 'escrow_not_locked_for_its_payout',
    file: APPLY,
    from: 'where id = any (escrows) order by id for no key update',
    to: 'where id = any (escrows)',
    tests: [ATTACKS],
    equivalent: 'both payouts lock the tree that filled the escrow before',
  },
  {
    name: 'escrow_of_another_order',
    file: APPLY,
    from: 't.ref <> hold.ref and not r.in_parts',
    to: 'false',
    tests: [ATTACKS],
  },
  {
    name: 'escrow_of_another_tree',
    file: APPLY,
    from: 't.from_root <> hold.to_root or',
    to: '',
    tests: [ROUTES],
  },
];
