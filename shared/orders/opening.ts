import type { Tx } from '../kernel/operation.ts';
import { execute } from '../platform/rows.ts';
import type { Order } from './order.ts';
import { notifyParties } from './order_events.ts';

type Opened = Pick<Order, 'id' | 'buyer_id' | 'seller_id' | 'status' | 'revealed_at'>;

/**
 * Records that the caller opens what this order delivered; the first opening ends the right to give
 * it back unseen. The order is locked.
 */
export async function recordOpening(
  { db, caller, requestId }: Pick<Tx, 'db' | 'caller' | 'requestId'>,
  order: Opened,
): Promise<void> {
  const first = order.revealed_at === null;
  await execute(
    db,
    `with opened as (
       insert into opening (agent_id, root_id, object_kind, object_id, first, request_id)
       values ($1, $2, 'order', $3, $4, $5) returning first, opened_at)
     update orders set revealed_at = opened_at from opened where id = $3 and first`,
    [caller.agentId, caller.rootId, order.id, first, requestId],
  );
  if (!first) return;
  await notifyParties(db, [{ order, type: 'order.revealed' }]);
}
