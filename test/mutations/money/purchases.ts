import type { Mutation } from '../mutation.ts';

const REFUSALS = 'shared/domains/orders/purchase/purchasable.ts';
const PURCHASE = 'shared/domains/orders/purchase_product.ts';
const TERMS = 'test/orders/purchase_terms.test.ts';
const PURCHASES = 'test/orders/purchase_product.test.ts';
const LOCKS = 'test/orders/purchase_locks.test.ts';
const PREVIEWS = 'test/orders/prepare_purchase_payload.test.ts';

export const EXPLAINED_PURCHASES: readonly Mutation[] = [
  {
    name: 'refusal_names_no_inactive_product',
    file: REFUSALS,
    from: ' || !product.active',
    to: '',
    tests: [PURCHASES],
  },
  {
    name: 'preview_of_ones_own_product',
    file: REFUSALS,
    from: 'product.root_id === caller.rootId',
    to: 'product.root_id === caller.agentId',
    tests: [PURCHASES],
  },
  {
    name: 'last_unit_is_out_of_stock',
    file: REFUSALS,
    from: 'in_stock < quantity',
    to: 'in_stock <= quantity',
    tests: [PREVIEWS],
  },
  {
    name: 'preview_affords_what_costs_a_micro_dollar_more',
    file: 'shared/domains/orders/prepare_purchase_payload.ts',
    from: 'balance >= total',
    to: 'balance >= subtotal',
    tests: [PREVIEWS],
  },
  {
    name: 'preview_judges_policies_by_the_subtotal',
    file: 'shared/domains/orders/purchase/purchasable.ts',
    from: 'amount: priceOf(price, quantity).total',
    to: 'amount: priceOf(price, quantity).subtotal',
    tests: [PREVIEWS],
  },
  {
    name: 'preview_pays_with_credit_where_only_cash_may',
    file: 'shared/domains/orders/prepare_purchase_payload.ts',
    from: 'product.accepts_credit ? sumOf(holds) : holds.cash',
    to: 'sumOf(holds)',
    tests: [TERMS],
  },
  {
    name: 'explained_price_limit_excludes_itself',
    file: PURCHASE,
    from: 'total > maxTotal)',
    to: 'total >= maxTotal)',
    tests: [TERMS],
  },
  {
    name: 'refused_purchase_pays_with_credit_where_only_cash_may',
    file: PURCHASE,
    from: 'product.accepts_credit ? locked : cashOnly(locked)',
    to: 'locked',
    tests: [TERMS],
  },
  {
    name: 'buyers_of_several_units_do_not_wait',
    file: PURCHASE,
    from: '&& quantity > 1) await lockUnits',
    to: '&& quantity > 1_000) await lockUnits',
    tests: [LOCKS],
  },
];
