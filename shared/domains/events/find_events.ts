import {
  column,
  jsonOf,
  namesOf,
  row,
  rows,
  type Database,
  type Row,
} from '../../platform/rows.ts';
import { conditionOf } from './event_reader.ts';
import type { EventReader } from '../../kernel/terms/awaited.ts';
import type { EventData } from './event_data.ts';

/** Maximum events scanned for a page; with a narrow filter a page may therefore be empty. */
const SCANNED_MAX = 5_000;

export const EVENT_COLUMNS = {
  id: column.id,
  agent_id: column.id,
  type: column.text,
  object_kind: column.text,
  object_id: column.id,
  status: column.text,
  data: jsonOf<EventData>(),
  occurred_at: column.time,
};
export type EventRow = Row<typeof EVENT_COLUMNS>;

interface EventPage {
  /** Ordered by their ids. */
  readonly events: readonly EventRow[];
  /** The next page begins after this id. */
  readonly until: bigint;
  readonly more: boolean;
  /** The end of the events of now. */
  readonly end: bigint;
}

/** Finds the events for a reader after an id, in a transaction with one snapshot. */
export async function findEvents(
  db: Database,
  reader: EventReader,
  { after, limit, scannedMax = SCANNED_MAX }: { after: bigint; limit: number; scannedMax?: number },
): Promise<EventPage> {
  const { until, watermark } = await findEnd(db, reader, after, scannedMax);
  const { sql, parameters } = conditionOf(reader, 4);
  const found = await rows(
    db,
    EVENT_COLUMNS,
    `select ${namesOf(EVENT_COLUMNS)} from event
      where id > $1 and id <= $2 and ${sql} order by id limit $3`,
    [after, until, limit + 1, ...parameters],
  );
  if (found.length > limit) {
    const events = found.slice(0, limit);
    return { events, until: BigInt(events.at(-1)!.id), more: true, end: watermark };
  }
  return { events: found, until, more: until < watermark, end: watermark };
}

/** The last id that a page may reach. */
async function findEnd(
  db: Database,
  reader: EventReader,
  after: bigint,
  scannedMax: number,
): Promise<{ until: bigint; watermark: bigint }> {
  const { sql, parameters } = conditionOf({ agentId: reader.agentId, rootId: reader.rootId }, 2);
  const scanned = `(select id from event where id > $1 and ${sql}
                     order by id offset $${2 + parameters.length} limit 1)`;
  const isFiltered = isScanned(reader);
  return row(
    db,
    { until: column.micros, watermark: column.micros },
    `select greatest($1::bigint, least(id${isFiltered ? `, ${scanned}` : ''})) as until,
            id as watermark
       from event_watermark`,
    [after, ...(isFiltered ? [...parameters, scannedMax - 1] : [])],
  );
}

interface PageBefore {
  /** The newest first. */
  readonly events: readonly EventRow[];
  /** The next page has ids below this one; undefined: there is none. */
  readonly until: bigint | undefined;
}

/** Finds the events for a reader before an id, or the newest, within one snapshot. */
export async function findEventsBefore(
  db: Database,
  reader: EventReader,
  options: { before: bigint | undefined; limit: number; scannedMax?: number },
): Promise<PageBefore> {
  const { limit, scannedMax = SCANNED_MAX } = options;
  const before = options.before ?? (await findWatermark(db)) + 1n;
  const first = isScanned(reader) ? await findFirst(db, reader, { before, scannedMax }) : 0n;
  const { sql, parameters } = conditionOf(reader, 4);
  const found = await rows(
    db,
    EVENT_COLUMNS,
    `select ${namesOf(EVENT_COLUMNS)} from event
      where id < $1 and id >= $2 and ${sql} order by id desc limit $3`,
    [before, first, limit + 1, ...parameters],
  );
  const events = found.slice(0, limit);
  if (found.length > limit) return { events, until: BigInt(events.at(-1)!.id) };
  return { events, until: first === 0n ? undefined : first };
}

/** The lowest id that a page may reach; 0: there are no more events to scan than it may. */
async function findFirst(
  db: Database,
  { agentId, rootId }: EventReader,
  { before, scannedMax }: { before: bigint; scannedMax: number },
): Promise<bigint> {
  const { sql, parameters } = conditionOf({ agentId, rootId }, 3);
  const { first } = await row(
    db,
    { first: column.micros },
    `select coalesce((select id from event where id < $1 and ${sql}
                       order by id desc offset $2 limit 1), 0) as first`,
    [before, scannedMax - 1, ...parameters],
  );
  return first;
}

/** Whether most events of the reader may be left out. The events of an object have an index. */
const isScanned = ({ type, object }: EventReader): boolean => type !== undefined && !object;

/** The end of the events of now. */
export async function findWatermark(db: Database): Promise<bigint> {
  const { id } = await row(db, { id: column.micros }, 'select id from event_watermark');
  return id;
}
