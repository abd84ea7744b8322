import type { Sabotage } from '../kernel/sabotage.ts';

const UNITS = 'each order of single units has as many as it paid for';
const OWN_UNITS = 'each unit that is sold is of an order of its product';
const COUNTED = 'each counted product has sold or reserved what it has no more';

export const STOCK_SABOTAGES: readonly Sabotage[] = [
  {
    proof: UNITS,
    what: 'one that lost its unit',
    sql: `update stock set order_id = null, status = 'available' where order_id = :open`,
  },
  {
    proof: UNITS,
    what: 'one that was refunded and kept its unit',
    sql: `update stock set order_id = :refunded, status = 'sold'
           where id = (select min(id) from stock where status = 'available')`,
  },
  {
    proof: OWN_UNITS,
    what: 'one of another product',
    sql: `update stock set product_id = (
            select min(id) from product
             where id <> (select product_id from orders where id = :open))
           where order_id = :open`,
  },
  ...[
    ['more than was sold', 0],
    ['less than was sold', 4],
  ].map(([what, left]) => ({
    proof: COUNTED,
    what: `${what} is missing`,
    sql: `update product set stock_kind = 'counted', listed = 6, quantity = ${left}`,
  })),
];
