import type { Proof } from '../ledger/proof.ts';

/** Proofs that reviews are of settled deals, by their buyers. */
export const reviewsProofs: readonly Proof[] = [
  {
    name: 'each review is of a settled order, and weighs the fee that it paid in cash',
    sql: `select r.order_id, o.status, r.product_id, o.product_id as bought, r.fee,
                 fee.cash as paid
            from review r join orders o on o.id = r.order_id
            left join ledger.transfer fee on (fee.ref, fee.kind) = (o.id, 'order.fee')
           where o.status in ('escrow', 'disputed') or r.fee <> coalesce(fee.cash, 0)
              or (r.product_id, r.seller_id, r.buyer_root)
                 <> (o.product_id, o.seller_id, o.buyer_root)`,
  },
  {
    name: 'each review is its newest version, by the side of its buyer, and none is missing',
    sql: `select r.order_id, r.version, v.versions, n.rating, n.written_by
            from review r join orders o on o.id = r.order_id
            join agent buyer on buyer.id = o.buyer_id
            left join (select order_id, count(*) as versions from review_version group by 1) v
              on v.order_id = r.order_id
            left join review_version n on (n.order_id, n.version) = (r.order_id, r.version)
           where v.versions is distinct from r.version
              or (n.rating, n.text) is distinct from (r.rating, r.text)
              or n.written_by <> all (buyer.lineage)`,
  },
];
