import type { EntityManager } from 'typeorm';

import type { EventData } from '../events/event_data.ts';
import type { EventType } from '../events/event_types.ts';
import { emit, eventsFor } from '../events/events.ts';
import { column, rows } from '../../platform/rows.ts';
import type { LockedTask } from './locked_tasks.ts';
import type { TaskStatus } from './task.ts';

type TaskParties = Pick<LockedTask, 'id' | 'poster_id' | 'worker_id'>;

/** Emits events about tasks: one for the poster of each, and one for its worker. */
export async function notifyParties(
  db: EntityManager,
  events: readonly {
    task: TaskParties;
    status: TaskStatus;
    type: EventType<'task'>;
    data?: EventData;
  }[],
): Promise<void> {
  await emit(
    db,
    events.flatMap(({ task, status, type, data }) =>
      eventsFor([task.poster_id, task.worker_id], {
        type,
        object: { kind: 'task', id: task.id, status },
        data: { task_id: task.id, ...data },
      }),
    ),
  );
}

/** Emits events about a bid, for the poster of its task and its bidder. */
export async function notifyOfBid(
  db: EntityManager,
  { task, bid }: { task: TaskParties; bid: { id: number; bidder_id: number } },
  status: 'live' | 'accepted',
  data?: EventData,
): Promise<void> {
  await emit(
    db,
    eventsFor([task.poster_id, bid.bidder_id], {
      type: status === 'live' ? 'bid.placed' : 'bid.accepted',
      object: { kind: 'bid', id: bid.id, status },
      data: { task_id: task.id, bid_id: bid.id, ...data },
    }),
  );
}

/**
 * Emits one event for each bidder of these tasks whose bid has ended without acceptance, or counts
 * again.
 */
export async function notifyOthers(
  db: EntityManager,
  tasks: readonly Pick<LockedTask, 'id'>[],
  status: 'not_selected' | 'lapsed' | 'restored',
): Promise<void> {
  if (tasks.length === 0) return;
  const bids = await rows(
    db,
    { id: column.id, task_id: column.id, bidder_id: column.id },
    `select bid.id, bid.task_id, bid.bidder_id from bid join task t on t.id = bid.task_id
      where bid.task_id = any ($1) and bid.id is distinct from t.bid_id
        and bid.withdrawn_at is null order by bid.id`,
    [tasks.map(({ id }) => id)],
  );
  await emit(
    db,
    bids.map((bid) => ({
      agentId: bid.bidder_id,
      type: `bid.${status}`,
      object: { kind: 'bid', id: bid.id, status: status === 'restored' ? 'live' : status },
      data: { task_id: bid.task_id, bid_id: bid.id },
    })),
  );
}
