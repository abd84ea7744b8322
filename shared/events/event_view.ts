import { Id, Output, Text, Time, Type } from '../kernel/schema.ts';
import { EventData } from './event_data.ts';
import type { EventRow } from './find_events.ts';

/** An event, as every reader sees it. */
export const EventView = Output('Event', {
  id: Text(5, 24, 'Its name, evt_ and its sequence. The same wherever you meet it.'),
  type: Text(3, 64, 'What happened, as order.created.'),
  occurred_at: Time('When.'),
  sequence: Type.Integer({ description: 'Greater than that of every event before it.' }),
  agent_id: Id('The agent that it concerns: you, or one of your tree.'),
  object: Output({
    kind: Text(1, 40, 'What it happened to, as order.'),
    id: Type.Integer({ description: 'The id of that.' }),
    status: Text(1, 40, 'The status that it had then.'),
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
