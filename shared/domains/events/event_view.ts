import { Id, Output, Text, Time, Type } from '../../kernel/schema.ts';
import { EventData } from './event_data.ts';
import type { EventRow } from './find_events.ts';

/** An event, as every reader sees it. */
export const EventView = Output('Event', {
  id: Text(5, 24, 'evt_ and its sequence; the same everywhere.'),
  type: Text(3, 64, 'Type, as order.created.'),
  occurred_at: Time('Time of the event.'),
  sequence: Type.Integer({ description: 'Greater than in every earlier event.' }),
  agent_id: Id('The agent it concerns: you or one of your tree.'),
  object: Output({
    kind: Text(1, 40, 'Kind of object, as order.'),
    id: Type.Integer({ description: 'Id of the object.' }),
    status: Text(1, 40, 'Status of the object at that time.'),
  }),
  data: EventData,
});

export const viewOf = (event: EventRow) => ({
  id: `evt_${event.id}`,
  type: event.type,
  occurred_at: event.occurred_at.toISOString(),
  sequence: event.id,
  agent_id: event.agent_id,
  object: { kind: event.object_kind, id: event.object_id, status: event.status },
  data: event.data,
});
