import { noStrayEscrow, type Proof } from '../ledger/proof.ts';

/** Proofs that escrows, pay-outs and jobs agree with the orders. */
export const ordersProofs: readonly Proof[] = [
  {
    name: 'each open order is held for in full, and each closed one paid out in full',
    sql: `select o.id as order_id, o.status, o.credit, o.cash, e.credit as held_credit,
                 e.cash as held_cash
            from orders o left join ledger.escrow e
              on e.id = o.escrow_id and e.kind = 'order.hold' and e.ref = o.id
           where e.id is null or (e.credit, e.cash) <> (
             case when o.closed_at is null then o.credit else 0 end,
             case when o.closed_at is null then o.cash else 0 end)`,
  },
  {
    name: 'each closed order paid its seller, the platform and its buyer what its status says',
    sql: `select id as order_id, status, subtotal, fee, refunded, released, kept, back,
                 credit_released, credit_kept
            from (
              select o.*,
                     coalesce(sum(t.credit + t.cash) filter (
                       where t.kind = 'order.release' and t.to_id = seller.root_id), 0)
                       as released,
                     coalesce(sum(t.credit + t.cash) filter (where t.kind = 'order.fee'), 0)
                       as kept,
                     coalesce(sum(t.credit + t.cash) filter (
                       where t.kind = 'order.refund' and t.to_id = buyer.root_id), 0) as back,
                     coalesce(sum(t.credit) filter (where t.kind = 'order.release'), 0)
                       as credit_released,
                     coalesce(sum(t.credit) filter (where t.kind = 'order.fee'), 0)
                       as credit_kept
                from orders o join agent seller on seller.id = o.seller_id
                join agent buyer on buyer.id = o.buyer_id
                left join ledger.transfer t
                  on t.from_account = 'escrow' and t.from_id = o.escrow_id
               where o.closed_at is not null group by o.id) paid
           where back <> refunded
              or released + kept <> subtotal + fee - refunded
              or kept <> div(fee * released, subtotal)
              or credit_released <> least(credit, released)
              or credit_kept <> least(credit - credit_released, kept)`,
  },
  {
    name: 'each order was paid by the tree of its buyer',
    sql: `select o.id as order_id, e.from_id as paid_by, buyer.root_id
            from orders o join agent buyer on buyer.id = o.buyer_id
            join ledger.transfer e on e.id = o.escrow_id
           where e.from_account <> 'treasury' or e.from_id <> buyer.root_id`,
  },
  {
    name: 'each order has its buyer, and is of a product of its seller',
    sql: `select o.id as order_id, o.buyer_id, o.product_id, o.seller_id
            from orders o
            left join agent buyer on (buyer.id, buyer.root_id) = (o.buyer_id, o.buyer_root)
            left join product p
              on (p.id, p.seller_id, p.root_id) = (o.product_id, o.seller_id, o.seller_root)
           where buyer.id is null or p.id is null`,
  },
  noStrayEscrow('order', 'an order', 'orders'),
  {
    name: 'each purchase that waits for an owner is shown as an order, and no other is',
    sql: `select coalesce(j.id, p.job_id) as job, p.id as order_id, p.status
            from (select * from pending_order where status = 'pending_approval') p
            full join (select * from job where operation = 'purchase_product'
                          and status = 'pending' and deferral is not null) j on j.id = p.job_id
           where p.id is null
              or j.id is null and not exists (
                select from job where id = p.job_id and status = 'pending')`,
  },
  {
    name: 'each reservation of single units has as many as it is for, and no other unit is kept',
    sql: `select coalesce(p.id, u.reserved_for) as order_id, p.quantity, u.units
            from (select id, product_id, quantity from pending_order
                   where reserved_until is not null
                  union all
                  select id, product_id, quantity from quote where holds) p
            join product on product.id = p.product_id and stock_kind = 'serial_pool'
            full join (select reserved_for, count(*) as units
                         from stock join product on product.id = product_id
                                                and stock_kind = 'serial_pool'
                        where reserved_for is not null group by reserved_for) u
              on u.reserved_for = p.id
           where p.quantity is distinct from u.units`,
  },
  {
    name: 'no order is pending and placed',
    sql: `select o.id as order_id from orders o join pending_order p
              on p.id = o.id or p.job_id = o.job_id`,
  },
  {
    name: 'each order by a quote is what the quote says, and each quote is bought once',
    sql: `select q.id as quote_id, q.status, q.agent_id, o.buyer_id, q.subtotal + q.fee as quoted,
                 o.subtotal + o.fee as charged
            from quote q left join orders o on o.id = q.id
           where (q.status = 'bought') <> (o.id is not null)
              or (q.agent_id, q.root_id, q.product_id, q.version, q.quantity, q.unit_price,
                  q.subtotal, q.fee)
                 <> (o.buyer_id, o.buyer_root, o.product_id, o.version, o.quantity, o.unit_price,
                     o.subtotal, o.fee)`,
  },
  {
    name: 'each quote that waits for an owner is the pending order of its price',
    sql: `select q.id as quote_id, q.status, p.status as order_status
            from quote q left join pending_order p
              on (p.id, p.buyer_id, p.product_id, p.quantity, p.unit_price)
                 = (q.id, q.agent_id, q.product_id, q.quantity, q.unit_price)
           where (q.status = 'waiting') <> coalesce(p.status = 'pending_approval', false)`,
  },
  {
    name: 'each verdict on goods is of an opened order of its buyer, paid in time if it confirms',
    sql: `select order_id, v.buyer_id as judged_for, o.buyer_id, o.revealed_at, o.release_at
            from goods_verdict v join orders o on o.id = v.order_id
           where v.buyer_id <> o.buyer_id or o.revealed_at is null
              or v.confirms and o.release_at > v.checked_at + interval '72 hours'`,
  },
  {
    name: 'each finished purchase has its order, each order a finished purchase',
    sql: `select coalesce(j.id, o.job_id) as job, o.id as order_id, j.status
            from (select * from job where operation = 'purchase_product'
                     and status = 'complete' and http_status = 200) j
            full join orders o on o.job_id = j.id
           where j.id is null and exists (select from job where id = o.job_id) or o.id is null`,
  },
];
