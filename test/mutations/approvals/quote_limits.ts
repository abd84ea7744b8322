import type { Mutation } from '../mutation.ts';

const HOLD = 'shared/domains/orders/quotes/hold_quote.ts';
const BUY = 'shared/domains/orders/quotes/purchase_quoted.ts';
const PROOFS = 'shared/domains/orders/proofs.ts';
const limited = { tests: ['test/orders/quote_limits.test.ts'] };
const audits = { tests: ['test/kernel/audit.test.ts'] };

/** Limits of the quotes of a tree, and what the audit finds of quotes. */
export const QUOTE_LIMITS: readonly Mutation[] = [
  {
    name: 'quote_is_held_for_keys_that_may_not_buy',
    file: 'shared/domains/orders/prepare_purchase_payload.ts',
    from: "hold && tx.caller.scopes.includes('buy')",
    to: 'hold',
    ...limited,
    grep: 'keys that may not buy',
  },
  {
    name: 'tree_has_any_number_of_quotes',
    file: HOLD,
    from: "if (open.of_tree >= TREE_MAX) return 'tree_limit';",
    to: '',
    ...limited,
    grep: 'twenty in all',
  },
  {
    name: 'tree_has_any_number_of_quotes_of_a_product',
    file: HOLD,
    from: "if (open.of_product >= PRODUCT_MAX) return 'product_limit';",
    to: '',
    ...limited,
    grep: 'of one product too',
  },
  {
    name: 'calls_at_once_are_not_counted',
    file: HOLD,
    from: '  await lockTreasuries(db, [caller.rootId]);\n',
    to: '  void caller;\n',
    ...limited,
    grep: 'asked for at once',
  },
  {
    name: 'tree_holds_more_than_it_can_pay_for',
    file: HOLD,
    from: '(await heldBy(db, caller.rootId)) + total > balance',
    to: 'total > balance',
    ...limited,
    grep: 'no more than the tree has',
  },
  {
    name: 'quotes_hold_all_units',
    file: HOLD,
    from: "if (!are_left) return 'units_limit';",
    to: '',
    ...limited,
    grep: 'half of the units',
  },
  {
    name: 'tree_lets_quotes_go_without_end',
    file: HOLD,
    from: "if (!(await isTaken(tx, HOLDING_QUOTES, holder))) return 'daily_limit';",
    to: 'await isTaken(tx, HOLDING_QUOTES, holder);',
    ...limited,
    grep: 'fifty a day',
  },
  {
    name: 'quote_that_was_bought_counts_as_let_go',
    file: BUY,
    from: "if (product.stock_kind !== 'unlimited') {\n    await giveBack",
    to: "if (product.stock_kind === 'unlimited') {\n    await giveBack",
    ...limited,
    grep: 'fifty a day',
  },
  {
    name: 'audit_misses_a_quote_of_another_price',
    file: PROOFS,
    from: "(q.status = 'bought') <> (o.id is not null)\n              or (",
    to: "(q.status = 'bought') <> (o.id is not null)\n              or false and (",
    ...audits,
    grep: 'promised less',
  },
  {
    name: 'audit_misses_a_quote_that_was_not_bought',
    file: PROOFS,
    from: "where (q.status = 'bought') <> (o.id is not null)\n              or (",
    to: 'where (',
    ...audits,
    grep: 'without an order',
  },
  {
    name: 'audit_misses_a_quote_that_waits_for_nothing',
    file: PROOFS,
    from: "where (q.status = 'waiting') <>",
    to: "where q.status <> 'waiting' and (q.status = 'waiting') <>",
    ...audits,
    grep: 'one without a call',
  },
  {
    name: 'audit_counts_units_of_quotes_as_lost',
    file: 'shared/domains/products/proofs.ts',
    from: 'from quote where holds) gone',
    to: 'from quote where holds and false) gone',
    tests: ['test/orders/quote_limits.test.ts'],
    grep: 'at once are three',
  },
  {
    name: 'unit_is_reserved_for_nobody',
    file: 'migrations/functions/orders/reserved_references.sql',
    from: 'if not exists (select from quote',
    to: 'if false and not exists (select from quote',
    tests: ['test/orders/references.test.ts'],
    grep: 'nobody asked for',
  },
];
