import { operation } from '../kernel/operation.ts';
import { Id, Input, invalid, List, OneOf, Paging, Type } from '../kernel/schema.ts';
import type { EventReader } from './event_reader.ts';
import { EventView, viewOf } from './event_view.ts';
import { findEvents, findWatermark } from './find_events.ts';

const LIMIT = 20;

export const listEvents = operation({
  name: 'list_events',
  title: 'List events',
  summary:
    'Lists what happened to your orders and other objects, oldest first; the owner of a tree ' +
    'of agents sees those of its children too. Free. Go on with next_cursor; with wait it ' +
    'answers as soon as something happens. Events are kept for 30 days.',
  access: 'any',
  mode: 'read',
  domain: 'events',
  rest: 'GET /api/v1/events',
  input: Input({
    type: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        pattern: '^[a-z_]+\\.([a-z_]+|\\*)$',
        description: 'Only events of a type, as order.created, or of all of a kind, as order.*.',
      }),
    ),
    from: Type.Optional(
      OneOf(['oldest', 'now'], 'Where to begin without a cursor; the oldest if absent.'),
    ),
    object_kind: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 40,
        pattern: '^[a-z_]+$',
        description: 'Only those of one object, as order; needs object_id.',
      }),
    ),
    object_id: Type.Optional(Id('Which one; needs object_kind.')),
    ...Paging,
  }),
  output: List('events', EventView),
  readsEvents: true,

  awaits: ({ count, has_more, next_cursor }, { caller, input }) =>
    count > 0 || has_more
      ? undefined
      : { reader: readerOf(caller, input), after: Number(positionOf(next_cursor!)) },

  stream: {
    begin: (lastEventId) =>
      lastEventId === undefined
        ? { from: 'now' as const }
        : { cursor: cursorOf(idOf(lastEventId)) },
    messages: ({ events }) =>
      events.map((event) => ({ id: event.id, event: event.type, data: event })),
    next: ({ next_cursor }) => ({ cursor: next_cursor! }),
  },

  async handle(tx, { from, limit = LIMIT, cursor, ...wanted }) {
    const start = () => (from === 'now' ? findWatermark(tx.db) : 0n);
    const after = cursor === undefined ? await start() : positionOf(cursor);
    const reader = readerOf(tx.caller, wanted);
    const { events, until, more } = await findEvents(tx.db, reader, { after, limit });
    return {
      events: events.map(viewOf),
      count: events.length,
      // There is always one: after the last event of now, it leads to those that will come.
      next_cursor: cursorOf(until),
      has_more: more,
    };
  },
});

interface Wanted {
  readonly type?: string | undefined;
  readonly object_kind?: string | undefined;
  readonly object_id?: number | undefined;
}

function readerOf(
  { agentId, rootId }: EventReader,
  { type, object_kind: kind, object_id: id }: Wanted,
): EventReader {
  if (kind === undefined && id === undefined) return { agentId, rootId, type };
  if (kind !== undefined && id !== undefined) {
    return { agentId, rootId, type, object: { kind, id } };
  }
  const missing = kind === undefined ? '/object_kind' : '/object_id';
  throw invalid([{ pointer: missing, message: 'is missing: an object has a kind and an id' }]);
}

function idOf(name: string): bigint {
  const [, id] = /^evt_(\d{1,18})$/.exec(name) ?? [];
  if (id !== undefined) return BigInt(id);
  throw invalid([{ pointer: '/Last-Event-ID', message: 'is not the id of an event' }]);
}

const cursorOf = (id: bigint): string => Buffer.from(String(id)).toString('base64url');

function positionOf(cursor: string): bigint {
  const id = Buffer.from(cursor, 'base64url').toString();
  if (/^\d{1,18}$/.test(id)) return BigInt(id);
  throw invalid([{ pointer: '/cursor', message: 'is not a next_cursor of this list' }]);
}
