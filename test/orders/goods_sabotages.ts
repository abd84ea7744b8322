import type { Sabotage } from '../kernel/sabotage.ts';

const VERDICT =
  'each verdict on goods is of an opened order of its buyer, paid in time if it confirms';

const opened = (releaseAt = 'release_at') =>
  `update orders set revealed_at = now(), release_at = ${releaseAt} where id = :open;`;
const verdict = (buyer: string, confirms = false) =>
  `insert into goods_verdict (order_id, buyer_id, passes, failures, confirms)
   values (:open, ${buyer}, true, '[]', ${confirms})`;

/** Verdicts on an order of the buyer that is in escrow. */
export const GOODS_SABOTAGES: readonly Sabotage[] = [
  { proof: VERDICT, what: 'one of an order that nobody opened', sql: verdict(':buyer') },
  { proof: VERDICT, what: 'one of another agent', sql: opened() + verdict(':other') },
  {
    proof: VERDICT,
    what: 'one that confirms and did not bring the payment forward',
    sql: opened(`now() + interval '73 hours'`) + verdict(':buyer', true),
  },
];
