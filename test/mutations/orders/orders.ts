import type { Mutation } from '../mutation.ts';

const VAULT = 'shared/domains/orders/get_vault_item.ts';
const SCHEMA = 'migrations/0005_orders.sql';
const REFUNDS = 'test/orders/refund_order.test.ts';
const VAULTS = 'test/orders/get_vault_item.test.ts';
const REFERENCES = 'test/orders/references.test.ts';

export const ORDERS: readonly Mutation[] = [
  {
    name: 'orders_of_any_status_are_listed',
    file: 'shared/domains/orders/get_orders.ts',
    from: "`status = '${status}'`",
    to: "`status <> '${status}x'`",
    tests: ['test/orders/get_orders.test.ts'],
  },
  {
    name: 'vault_opens_to_everybody',
    file: VAULT,
    from: '$2 = any (buyer.lineage) for no key',
    to: '$2::bigint is not null for no key',
    tests: [VAULTS],
  },
  {
    name: 'vault_opens_to_no_owner',
    file: VAULT,
    from: '$2 = any (buyer.lineage) for no key',
    to: '$2 = o.buyer_id for no key',
    tests: [VAULTS],
  },
  {
    name: 'vault_of_a_refunded_order_opens',
    file: VAULT,
    from: "if (order.status === 'refunded') {",
    to: "if (order.status === ('none' as string)) {",
    tests: [REFUNDS],
  },
  {
    name: 'two_openings_are_the_first',
    file: VAULT,
    from: '= any (buyer.lineage) for no key update of o`',
    to: '= any (buyer.lineage)`',
    tests: [VAULTS],
  },
  {
    name: 'opening_is_not_noted',
    file: 'shared/domains/orders/opening.ts',
    from: 'set revealed_at = opened_at,',
    to: 'set revealed_at = null,',
    tests: [VAULTS],
  },
  {
    name: 'vault_gives_the_newest_version',
    file: 'shared/domains/orders/goods/delivered_items.ts',
    from: 'bought.version = $2',
    to: 'bought.version >= $2 order by bought.version desc limit 1',
    tests: [VAULTS],
  },
  {
    name: 'buyer_of_another_tree',
    file: 'migrations/functions/order_references.sql',
    from: ' and a.root_id = o.buyer_root',
    to: '',
    tests: [REFERENCES],
  },
  {
    name: 'product_of_another_seller',
    file: 'migrations/functions/order_references.sql',
    from: ' and p.seller_id = o.seller_id\n',
    to: '\n',
    tests: [REFERENCES],
  },
  {
    name: 'unit_is_sold_to_an_order_that_does_not_exist',
    file: 'migrations/functions/orders/stock_references.sql',
    from: 'where s.order_id is not null and (',
    to: 'where s.order_id is null and (',
    tests: [REFERENCES],
  },
  {
    name: 'unit_is_listed_as_sold_to_an_order_that_does_not_exist',
    file: 'migrations/0048_stock_references.sql',
    from: `after insert on stock\n  referencing new table`,
    to: `after delete on stock\n  referencing old table`,
    tests: [REFERENCES],
  },
  {
    name: 'order_of_a_unit_is_deleted',
    file: 'migrations/0048_stock_references.sql',
    from: 'before delete or truncate or update of id on orders',
    to: 'before update of id on orders',
    tests: [REFERENCES],
  },
  {
    name: 'order_changes_its_product',
    file: 'migrations/functions/order_references.sql',
    from: "if tg_op = 'UPDATE' then",
    to: "if tg_op = 'UPDATE' then\n    return null;",
    tests: [REFERENCES],
  },
  {
    name: 'order_of_a_closed_escrow_stays_open',
    file: SCHEMA,
    from: "check ((status in ('escrow', 'disputed')) = (closed_at is null))",
    to: 'check (true)',
    tests: [REFERENCES],
  },
  {
    name: 'refund_of_an_order_is_any_amount',
    file: SCHEMA,
    from: "when 'refunded' then refunded = subtotal + fee",
    to: "when 'refunded' then true",
    tests: [REFERENCES],
  },
  {
    name: 'call_makes_two_orders',
    file: SCHEMA,
    from: 'uuid not null unique, -- one call makes one order',
    to: 'uuid not null,',
    tests: [REFERENCES],
  },
  {
    name: 'two_orders_share_an_escrow',
    file: SCHEMA,
    from: 'escrow_id    bigint not null unique',
    to: 'escrow_id    bigint not null',
    tests: [REFERENCES],
  },
  {
    name: 'order_costs_no_fee',
    file: SCHEMA,
    from: 'check (fee = (subtotal + 5) / 10)',
    to: 'check (fee >= 0)',
    tests: [REFERENCES],
  },
  {
    name: 'order_is_paid_in_part',
    file: SCHEMA,
    from: ' and credit + cash = subtotal + fee',
    to: ' and credit + cash <= subtotal + fee',
    tests: [REFERENCES],
  },
  {
    name: 'finished_job_is_rewritten',
    file: 'migrations/functions/jobs/job_is_final.sql',
    from: 'raise exception',
    to: 'return new;\n  raise exception',
    tests: [REFERENCES],
  },
  {
    name: 'vault_is_opened_again_without_end',
    file: 'shared/domains/orders/opening.ts',
    from: 'if (!first) await takeOpening(tx);',
    to: '',
    tests: ['test/orders/opening_limits.test.ts'],
  },
  {
    name: 'first_opening_is_refused_by_a_limit',
    file: 'shared/domains/orders/opening.ts',
    from: 'if (!first) await takeOpening(tx);',
    to: 'await takeOpening(tx);',
    tests: ['test/orders/opening_limits.test.ts'],
  },
];
