import type { EntityManager } from 'typeorm';

import { execute } from '../../platform/rows.ts';
import type { EventData } from './event_data.ts';
import type { EventType, ObjectKind } from './event_types.ts';

/** A change of an object, for one agent that it concerns. Holds no secrets. */
interface Event {
  readonly agentId: number;
  readonly type: EventType;
  readonly object: { readonly kind: ObjectKind; readonly id: number; readonly status: string };
  readonly data: EventData;
}

/** The event once for each of these agents; none for null. */
export const eventsFor = (
  agentIds: readonly (number | null)[],
  event: Omit<Event, 'agentId'>,
): Event[] =>
  [...new Set(agentIds)].flatMap((agentId) => (agentId === null ? [] : [{ agentId, ...event }]));

/** Writes events in the transaction that causes them. */
export async function emit(db: EntityManager, events: readonly Event[]): Promise<void> {
  await execute(
    db,
    `insert into event (agent_id, root_id, type, object_kind, object_id, status, data)
     select e.agent_id, a.root_id, type, kind, object_id, e.status, data
       from unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::jsonb[])
            with ordinality as e(agent_id, type, kind, object_id, status, data, n)
       join agent a on a.id = e.agent_id
      where ${HAS_NUMBER} order by n`,
    [
      events.map(({ agentId }) => agentId),
      events.map(({ type }) => type),
      events.map(({ object }) => object.kind),
      events.map(({ object }) => object.id),
      events.map(({ object }) => object.status),
      events.map(({ data }) => JSON.stringify(data)),
    ],
  );
}

/**
 * Gives the transaction its number, if it has none, before it draws the id of an event. The
 * watermark relies on that order.
 */
const HAS_NUMBER = 'pg_current_xact_id() is not null';
