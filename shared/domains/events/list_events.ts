import { operation } from '../../kernel/operation.ts';
import { cursorWith, positionIn } from '../../kernel/paging.ts';
import { Id, Input, invalid, List, OneOf, Paging, Type } from '../../kernel/schema.ts';
import type { EventReader } from '../../kernel/terms/awaited.ts';
import { assertEventTypes, objectKindOf } from './event_types.ts';
import { EventView, viewOf } from './event_view.ts';
import { findEvents, findEventsBefore, findWatermark } from './find_events.ts';

const LIMIT = 20;
const BEYOND = 'is beyond the newest event: list without it, or with from=now';

export const listEvents = operation({
  name: 'list_events',
  title: 'List events',
  summary:
    'Lists events of your orders and other objects, oldest first; the root of a tree of agents ' +
    'sees those of its children too. Free. Continue with next_cursor; with wait it answers at ' +
    'the next event. Events are kept for 30 days.',
  phrasings: `
    what happened lately; event log, changes since a cursor; stream of updates, wait for news;
    feed of what changed; poll for notifications; wait until something happens; activity since
    yesterday; was I notified; event stream; what changed; recent activity; notifications feed;
    events since last time; log of what happened; wait for the next event; updates about my
    orders; watch for changes; audit trail; keep me posted; what went on while I was away; tell
    me when something happens; history of events; what is the latest; follow what happens to my
    orders`,
  access: 'any',
  mode: 'read',
  rest: 'GET /api/v1/events',
  input: Input({
    type: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        pattern: '^[a-z_]+\\.([a-z_]+|\\*)$',
        description: 'Only this type, as order.created, or kind, as order.*.',
      }),
    ),
    from: Type.Optional(OneOf(['oldest', 'now', 'newest'], 'oldest if absent; newest goes back.')),
    object_kind: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 40,
        pattern: '^[a-z_]+$',
        description: 'Only one object of this kind, as order.',
      }),
    ),
    object_id: Type.Optional(Id('Its id.')),
    ...Paging,
  }),
  output: List('events', EventView),
  reads: { allEvents: true },

  wait: {
    awaits: ({ count, has_more, next_cursor }, { caller, input }) =>
      count > 0 || has_more || next_cursor === null
        ? undefined
        : { reader: readerOf(caller, input), after: Number(positionOf(next_cursor)) },

    stream: {
      begin: (lastEventId) =>
        lastEventId === undefined
          ? { from: 'now' as const }
          : { cursor: cursorOf(idOf(lastEventId)) },
      messages: ({ events }) =>
        events.map((event) => ({ id: event.id, event: event.type, data: event })),
      next: ({ next_cursor: cursor }) => {
        if (cursor !== null && !isBackwards(cursor)) return { cursor };
        const message = 'must not be newest: a stream goes forwards';
        throw invalid([{ message, pointer: '/from' }]);
      },
    },
  },

  async handle(tx, { from, limit = LIMIT, cursor, ...wanted }) {
    if (wanted.type !== undefined) assertEventTypes('/type', [wanted.type]);
    const reader = readerOf(tx.caller, wanted);
    if (cursor === undefined ? from === 'newest' : isBackwards(cursor)) {
      const before = cursor === undefined ? undefined : positionOf(cursor);
      const { events, until } = await findEventsBefore(tx.db, reader, { before, limit });
      return {
        events: events.map(viewOf),
        count: events.length,
        next_cursor: until === undefined ? null : cursorBefore(until),
        has_more: until !== undefined,
      };
    }
    const start = () => (from === 'now' ? findWatermark(tx.db) : 0n);
    const after = cursor === undefined ? await start() : positionOf(cursor);
    const { events, until, more, end } = await findEvents(tx.db, reader, { after, limit });
    // No list gave it, so it would wait for others' events and then miss its own.
    if (after > end) throw invalid([{ pointer: '/cursor', message: BEYOND }]);
    return {
      events: events.map(viewOf),
      count: events.length,
      // Always present: after the last event of now it leads to future events.
      next_cursor: cursorOf(until),
      has_more: more,
    };
  },
});

interface Filter {
  readonly type?: string | undefined;
  readonly object_kind?: string | undefined;
  readonly object_id?: number | undefined;
}

function readerOf(
  { agentId, rootId }: EventReader,
  { type, object_kind: kind, object_id: id }: Filter,
): EventReader {
  if (kind === undefined && id === undefined) return { agentId, rootId, type };
  if (kind !== undefined && id !== undefined) {
    return { agentId, rootId, type, object: { kind: objectKindOf(kind), id } };
  }
  const missing = kind === undefined ? '/object_kind' : '/object_id';
  throw invalid([
    { pointer: missing, message: 'is required: object_kind and object_id go together' },
  ]);
}

function idOf(name: string): bigint {
  const [, id] = /^evt_(\d{1,18})$/.exec(name) ?? [];
  if (id !== undefined) return BigInt(id);
  throw invalid([{ pointer: '/Last-Event-ID', message: 'must be the id of an event' }]);
}

/** The id of an event; `<` before it: the list goes back in time. */
const POSITION = /^(<?)(\d{1,18})$/;

const cursorOf = (id: bigint): string => cursorWith(String(id));
const cursorBefore = (id: bigint): string => cursorWith(`<${id}`);
const isBackwards = (cursor: string): boolean => positionIn(cursor, POSITION)[1] === '<';
const positionOf = (cursor: string): bigint => BigInt(positionIn(cursor, POSITION)[2]!);
