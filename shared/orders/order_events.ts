import type { EntityManager } from 'typeorm';

import type { EventData } from '../events/event_data.ts';
import { emit } from '../events/events.ts';
import type { Order } from './order.ts';

/** What happened to an order: it has the status already, or gets it in this transaction. */
export interface OrderEvent {
  readonly order: Pick<Order, 'id' | 'buyer_id' | 'seller_id' | 'status'>;
  readonly type: `order.${string}`;
  readonly data?: EventData;
}

/** One event for the buyer and one for the seller. */
export async function notifyParties(
  db: EntityManager,
  events: readonly OrderEvent[],
): Promise<void> {
  await emit(
    db,
    events.flatMap(({ order: { id, buyer_id, seller_id, status }, type, data }) =>
      [buyer_id, seller_id].map((agentId) => ({
        agentId,
        type,
        object: { kind: 'order', id, status },
        data: { order_id: id, ...data },
      })),
    ),
  );
}
