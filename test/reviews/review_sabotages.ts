import type { Sabotage } from '../kernel/sabotage.ts';

const SETTLED = 'each review is of a settled order, and weighs the fee that it paid in cash';
const VERSIONS = 'each review is its newest version, by the side of its buyer, and none is missing';

export const REVIEW_SABOTAGES: readonly Sabotage[] = [
  {
    proof: SETTLED,
    what: 'one of an open order',
    sql: `insert into review (order_id, product_id, seller_id, buyer_root, fee, rating, text)
          select id, product_id, seller_id, buyer_root, 0, 5, '' from orders where id = :open;
          insert into review_version values (:open, 1, 5, '', :buyer)`,
  },
  { proof: SETTLED, what: 'one that weighs more', sql: 'update review set fee = fee + 1' },
  {
    proof: VERSIONS,
    what: 'an edit that was not kept',
    sql: `update review set rating = 1, version = version + 1, edited_at = now()`,
  },
  {
    proof: VERSIONS,
    what: 'one that its seller wrote',
    sql: 'update review_version set written_by = :seller',
  },
];
