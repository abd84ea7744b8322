import type { Mutation } from '../mutation.ts';

const tests = ['test/kernel/audit.test.ts'];

/** Proofs that look at less than they say. */
export const AUDIT: readonly Mutation[] = [
  {
    name: 'audit_leaves_a_domain_out',
    file: 'shared/composition/audit.ts',
    from: `  ...productsProofs,
`,
    to: '',
    tests,
    grep: 'has a sabotage here',
  },
  {
    name: 'trial_balance_is_of_both_funds_together',
    file: 'shared/domains/ledger/proofs.ts',
    from: `select funds, sum(amount) as difference from ledger.balance_change
           group by funds having`,
    to: `select sum(amount) as difference from ledger.balance_change
           having`,
    tests,
    grep: 'the trial balance',
  },
  {
    name: 'treasury_is_compared_by_its_cash',
    file: 'shared/domains/ledger/proofs.ts',
    from: `where (coalesce(t.credit, 0), coalesce(t.cash, 0))
              <> (coalesce(p.credit, 0), coalesce(p.cash, 0))`,
    to: 'where t.cash <> coalesce(p.cash, 0)',
    tests,
    grep: 'each treasury holds',
  },
  {
    name: 'escrows_of_a_treasury_are_compared_by_their_cash',
    file: 'shared/domains/ledger/proofs.ts',
    from: '(t.escrow_credit, t.escrow_cash) <> (coalesce(e.credit, 0), coalesce(e.cash, 0))',
    to: 't.escrow_cash <> coalesce(e.cash, 0)',
    tests,
    grep: 'counts what the escrows hold',
  },
  {
    name: 'treasury_without_escrows_is_not_compared',
    file: 'shared/domains/ledger/proofs.ts',
    from: `left join (
              select root, sum(credit)`,
    to: `join (
              select root, sum(credit)`,
    tests,
    grep: 'counts what the escrows hold',
  },
  {
    name: 'escrow_pays_more_credit_than_it_held',
    file: 'shared/domains/ledger/proofs.ts',
    from: 'where credit < 0 or cash < 0`',
    to: 'where cash < 0`',
    tests,
    grep: 'has paid out more',
  },
  {
    name: 'open_order_without_an_escrow_is_right',
    file: 'shared/domains/orders/proofs.ts',
    from: 'where e.id is null or (e.credit, e.cash)',
    to: 'where (e.credit, e.cash)',
    tests,
    grep: 'each open order',
  },
  {
    name: 'closed_order_may_keep_its_escrow',
    file: 'shared/domains/orders/proofs.ts',
    from: 'case when o.closed_at is null then o.cash else 0 end)`',
    to: 'case when o.closed_at is null then o.cash else e.cash end)`',
    tests,
    grep: 'each open order',
  },
  {
    name: 'refund_is_not_compared_with_what_its_order_says',
    file: 'shared/domains/orders/proofs.ts',
    from: `back <> refunded
              or released`,
    to: 'released',
    tests,
    grep: 'paid its seller',
  },
  {
    name: 'fee_is_not_compared_with_what_its_order_says',
    file: 'shared/domains/orders/proofs.ts',
    from: `              or kept <> div(fee * released, subtotal)
`,
    to: '',
    tests,
    grep: 'paid its seller',
  },
  {
    name: 'release_may_go_to_any_seller',
    file: 'shared/domains/orders/proofs.ts',
    from: "t.kind = 'order.release' and t.to_id = seller.root_id), 0)",
    to: "t.kind = 'order.release'), 0)",
    tests,
    grep: 'paid its seller',
  },
  {
    name: 'refund_may_go_to_any_buyer',
    file: 'shared/domains/orders/proofs.ts',
    from: "t.kind = 'order.refund' and t.to_id = buyer.root_id), 0)",
    to: "t.kind = 'order.refund'), 0)",
    tests,
    grep: 'paid its seller',
  },
  {
    name: 'order_may_be_paid_by_any_tree',
    file: 'shared/domains/orders/proofs.ts',
    from: "e.from_account <> 'treasury' or e.from_id <> buyer.root_id",
    to: "e.from_account <> 'treasury'",
    tests,
    grep: 'by the tree of its buyer',
  },
  {
    name: 'order_may_be_of_a_product_of_another',
    file: 'shared/domains/orders/proofs.ts',
    from: 'where buyer.id is null or p.id is null',
    to: 'where buyer.id is null',
    tests,
    grep: 'is of a product of its seller',
  },
  {
    name: 'finished_purchase_may_have_no_order',
    file: 'shared/domains/orders/proofs.ts',
    from: 'where j.id is null and exists (select from job where id = o.job_id) or o.id is null`',
    to: 'where j.id is null and exists (select from job where id = o.job_id)`',
    tests,
    grep: 'has its order',
  },
  {
    name: 'order_may_have_a_purchase_that_failed',
    file: 'shared/domains/orders/proofs.ts',
    from: 'where j.id is null and exists (select from job where id = o.job_id) or o.id is null`',
    to: 'where o.id is null`',
    tests,
    grep: 'has its order',
  },
  {
    name: 'sessions_of_an_audit_see_different_moments',
    file: 'shared/platform/connections/snapshot.ts',
    from: "await execute(db, `set transaction snapshot '${snapshot}'`);",
    to: '',
    tests: ['test/platform/snapshot.test.ts'],
  },
  {
    name: 'session_of_an_audit_begins_again_alone',
    file: 'shared/platform/connections/snapshot.ts',
    from: '{ readOnly: true, attemptsMax: 1 }',
    to: '{ readOnly: true }',
    tests: ['test/platform/snapshot.test.ts'],
  },
  {
    name: 'receipt_of_another_kind_has_the_settlement',
    file: 'shared/domains/receipts/proofs.ts',
    from: 'n.deal is distinct from t.deal',
    to: 'n.receipt is null',
    tests,
    grep: 'each receipt names transfers',
  },
];
