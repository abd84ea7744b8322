import type { EntityManager } from 'typeorm';

import type { EventData } from '../events/event_data.ts';
import type { EventType } from '../events/event_types.ts';
import { emit, eventsFor } from '../events/events.ts';
import type { Order } from './order.ts';

/** A change of an order, which has its new status already or gets it in this transaction. */
interface OrderEvent {
  readonly order: Pick<Order, 'id' | 'buyer_id' | 'seller_id' | 'status'>;
  readonly type: EventType<'order'>;
  readonly data?: EventData;
}

/** Emits one event for the buyer and one for the seller. */
export async function notifyParties(
  db: EntityManager,
  events: readonly OrderEvent[],
): Promise<void> {
  await emit(
    db,
    events.flatMap(({ order: { id, buyer_id, seller_id, status }, type, data }) =>
      eventsFor([buyer_id, seller_id], {
        type,
        object: { kind: 'order', id, status },
        data: { order_id: id, ...data },
      }),
    ),
  );
}
