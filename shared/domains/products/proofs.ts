import type { Proof } from '../ledger/proof.ts';

/** Proofs that the stock agrees with the orders. */
export const productsProofs: readonly Proof[] = [
  {
    name: 'each order of single units has as many as it paid for',
    sql: `select o.id as order_id, o.quantity, count(s.id) as units
            from orders o join product p on p.id = o.product_id and p.stock_kind = 'serial_pool'
            left join stock s on s.order_id = o.id
           group by o.id
          having count(s.id) <> case when o.status = 'refunded' and o.revealed_at is null
                                     then 0 else o.quantity end`,
  },
  {
    name: 'each unit that is sold is of an order of its product',
    sql: `select s.id as unit, s.product_id, s.order_id
            from stock s left join orders o on (o.id, o.product_id) = (s.order_id, s.product_id)
           where s.order_id is not null and o.id is null`,
  },
  {
    name: 'each counted product has sold or reserved what it has no more',
    sql: `select p.id as product_id, p.listed, p.quantity, sold.units
            from product p left join (
              select product_id, sum(quantity) as units
                from (select product_id, quantity from orders
                       where status <> 'refunded' or revealed_at is not null
                      union all
                      select product_id, quantity from pending_order
                       where reserved_until is not null
                      union all
                      select product_id, quantity from quote where holds) gone
               group by product_id) sold
              on sold.product_id = p.id
           where p.stock_kind = 'counted' and p.listed - p.quantity <> coalesce(sold.units, 0)`,
  },
];
