import type { Mutation } from '../mutation.ts';

const ADD = 'shared/domains/products/add_stock.ts';
const STOCK = 'shared/domains/products/stock.ts';
const UPDATE = 'shared/domains/products/update_product.ts';
const SELLING = 'shared/domains/products/selling.ts';
const REVIEW = 'shared/domains/products/review_product.ts';
const ADDS = 'test/products/add_stock.test.ts';
const CREATES = 'test/products/create_product.test.ts';
const UPDATES = 'test/products/update_product.test.ts';
const REVIEWS = 'test/products/review_product.test.ts';
const STATUSES = 'test/products/stock_status.test.ts';
const LISTS = 'test/products/list_products.test.ts';
const GETS = 'test/products/get_product.test.ts';
const REFERENCES = 'test/orders/references.test.ts';
const STATS = 'shared/domains/market/market_stats.ts';
const MARKET = 'test/console/front.test.ts';

export const PRODUCTS: readonly Mutation[] = [
  {
    name: 'goods_are_nothing',
    file: 'shared/domains/products/delivery.ts',
    from: 'if (NOTHING.test(text))',
    to: "if (text === '')",
    tests: [CREATES],
    grep: 'out of range',
  },
  {
    name: 'added_stock_is_not_listed',
    file: ADD,
    from: 'listed = listed + $2, quantity',
    to: 'listed = listed + 0 * $2, quantity',
    tests: [ADDS],
  },
  {
    name: 'stock_beyond_what_can_be_kept',
    file: ADD,
    from: ' and listed <= $4::int - $2',
    to: ' and $4::int > 0',
    tests: [ADDS],
  },
  {
    name: 'archived_product_gets_stock',
    file: ADD,
    from: "    if (product.status === 'archived') throw archived();\n",
    to: '',
    tests: [ADDS],
  },
  {
    name: 'suspended_agent_adds_stock',
    file: ADD,
    from: '    await refuseSuspended(tx);\n',
    to: '',
    tests: [ADDS],
  },
  {
    name: 'suspended_agent_lists',
    file: 'shared/domains/products/create_product.ts',
    from: '    await refuseSuspended(tx);\n',
    to: '',
    tests: [CREATES],
  },
  {
    name: 'secret_is_listed_twice_and_left_out',
    file: STOCK,
    from: 'if (n >= 0) throw',
    to: 'if (n >= 1_000) throw',
    tests: [ADDS],
  },
  {
    name: 'sold_units_are_available',
    file: STOCK,
    from: "where product_id = $1 and status = 'available')",
    to: 'where product_id = $1)',
    tests: [STATUSES],
  },
  {
    name: 'product_of_another_is_changed',
    file: SELLING,
    from: 'and seller_id = $2 for no key update',
    to: 'and $2::bigint > 0 for no key update',
    tests: [UPDATES],
  },
  {
    name: 'two_changes_make_one_version',
    file: SELLING,
    from: 'and seller_id = $2 for no key update`',
    to: 'and seller_id = $2`',
    tests: [UPDATES],
  },
  {
    name: 'change_makes_no_version',
    file: UPDATE,
    from: 'after.version += 1;',
    to: 'after.version += 0;',
    tests: [UPDATES],
  },
  {
    name: 'new_price_makes_no_version',
    file: UPDATE,
    from: 'price: after.price !== before.price',
    to: 'price: false',
    tests: [UPDATES],
  },
  {
    name: 'new_content_is_not_reviewed',
    file: UPDATE,
    from: "before === 'approved' && (words || content)",
    to: "before === 'approved' && words",
    tests: [UPDATES],
  },
  {
    name: 'rejected_product_is_never_judged_again',
    file: UPDATE,
    from: "before === 'rejected' && (words || content || price)",
    to: "before === 'rejected' && content && price",
    tests: [UPDATES],
  },
  {
    name: 'archived_product_is_changed',
    file: UPDATE,
    from: "    if (before.status === 'archived') throw archived();\n",
    to: '',
    tests: [UPDATES],
  },
  {
    name: 'verdict_on_a_version_that_was_not_seen',
    file: REVIEW,
    from: ' and version = coalesce($5, version)',
    to: ' and coalesce($5::int, 1) > 0',
    tests: [REVIEWS],
  },
  {
    name: 'verdict_from_any_status',
    file: REVIEW,
    from: 'and status = any ($4) and',
    to: 'and cardinality($4::text[]) > 0 and',
    tests: [REVIEWS],
  },
  {
    name: 'unapproved_products_are_shown',
    file: 'shared/domains/products/products.ts',
    from: "`p.status = 'approved' and p.active`",
    to: '`p.active`',
    tests: [LISTS, REVIEWS],
  },
  {
    name: 'inactive_products_are_shown',
    file: 'shared/domains/products/products.ts',
    from: "`p.status = 'approved' and p.active`",
    to: "`p.status = 'approved'`",
    tests: [LISTS, GETS, UPDATES],
  },
  {
    name: 'product_that_was_bought_changes_hands',
    file: 'migrations/functions/is_referred_to.sql',
    from: 'raise exception',
    to: 'return null;\n  raise exception',
    tests: [REFERENCES],
  },
  {
    name: 'unit_is_sold_to_no_order',
    file: 'migrations/0003_products.sql',
    from: "check ((status in ('available', 'reserved')) = (order_id is null))",
    to: 'check (true)',
    tests: [REFERENCES],
  },
  {
    name: 'suspension_above_does_not_stop_listing',
    file: SELLING,
    from: 'above.id = any (a.lineage)',
    to: 'above.id = a.id',
    tests: [CREATES],
    grep: 'suspended',
  },
  {
    name: 'listing_counts_sold_units',
    file: STOCK,
    from: "where product_id = ${product} and status = 'available'",
    to: 'where product_id = ${product}',
    tests: [STATUSES],
    grep: 'every kind of stock',
  },
  {
    name: 'content_of_the_first_version_is_delivered',
    file: 'shared/domains/products/versions.ts',
    from: 'version = $2 - 1) end)',
    to: 'version = 1) end)',
    tests: [UPDATES],
    grep: 'the version that they bought',
  },
  {
    name: 'product_has_less_than_nothing_left',
    file: 'migrations/0003_products.sql',
    from: 'quantity      int check (quantity >= 0)',
    to: 'quantity      int',
    tests: [REFERENCES],
    grep: 'less than nothing left',
  },
  {
    name: 'market_counts_orders_of_all_time',
    file: STATS,
    from: '24 * HOUR_MS',
    to: '24e4 * HOUR_MS',
    tests: [MARKET],
    grep: 'JSON for programs',
  },
  {
    name: 'market_counts_what_is_not_on_sale',
    file: STATS,
    from: 'from product p where ${ON_SALE}',
    to: 'from product p where true',
    tests: [MARKET],
    grep: 'JSON for programs',
  },
  {
    name: 'market_counts_one_category',
    file: STATS,
    from: 'sum + on_sale, 0)',
    to: 'on_sale, 0)',
    tests: [MARKET],
    grep: 'JSON for programs',
  },
];
