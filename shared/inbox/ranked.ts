import { hourOf, type InboxPart } from './inbox_part.ts';
import { column, nullable, rows, type Database, type Row } from '../platform/rows.ts';
import { invalid } from '../kernel/schema.ts';

/** More of a kind are not counted. */
export const COUNT_MAX = 1_000;

const FOUND = {
  /** The position of its part among those that were asked. */
  part: column.int,
  id: column.id,
  deadline: nullable(column.time),
  amount: column.micros,
  facts: column.json,
  /** Of its deadline, as SQL writes it; infinity: there is none. */
  hour: column.text,
};
export type Found = Row<typeof FOUND>;

/** What comes later in the list than this. */
type Position = readonly [hour: string, minusAmount: string, part: number, id: number];
const START: Position = ['-infinity', '-9223372036854775807', -1, 0];

interface Asked {
  readonly agentId: number;
  readonly rootId: number;
}

/**
 * What waits for an agent, from a position on: by the hour of its deadline, then the most money
 * first. Each part reads its own index no further than the page goes.
 */
export async function findRanked(
  db: Database,
  parts: readonly InboxPart[],
  { agentId, rootId }: Asked,
  { after, limit }: { after: Position; limit: number },
): Promise<Found[]> {
  const each = parts.map(
    ({ sql, hasDeadline }, n) =>
      `(select * from (
          select ${n} as part, id, deadline, amount, facts, ${hourIn(hasDeadline)} as hour
            from (${sql}) waits
           where $2::bigint > 0 ${hasDeadline ? 'and deadline > now()' : ''}) item
         where (hour, -amount, part, id) > ($3::timestamp, $4::bigint, $5::int, $6::bigint)
         order by hour, -amount, id limit $7)`,
  );
  return rows(
    db,
    FOUND,
    `select part, id, deadline, amount, facts, hour::text as hour
       from (${each.join(' union all ')}) item
      order by item.hour, -amount, part, id limit $7`,
    [agentId, rootId, ...after, limit],
  );
}

const hourIn = (hasDeadline: boolean) =>
  hasDeadline ? hourOf('deadline') : `'infinity'::timestamp`;

/** How many of each kind wait, up to COUNT_MAX, in the order of the parts. */
export const countEach = (
  db: Database,
  parts: readonly InboxPart[],
  { agentId, rootId }: Asked,
): Promise<{ part: number; count: number }[]> =>
  rows(
    db,
    { part: column.int, count: column.int },
    // offset 0: each is counted once, and not once more for `where`.
    `select part, count from (select * from (values ${parts
      .map(
        ({ sql, hasDeadline }, n) =>
          `(${n}, (select count(*)::int from (
             select from (${sql}) waits
              where $2::bigint > 0 ${hasDeadline ? 'and deadline > now()' : ''}
              limit ${COUNT_MAX}) one))`,
      )
      .join(', ')}) each (part, count) offset 0) counted where count > 0 order by part`,
    [agentId, rootId],
  );

export const cursorOf = ({ hour, amount, part, id }: Found): string =>
  Buffer.from(JSON.stringify([hour, String(-amount), part, id])).toString('base64url');

const HOUR = /^(infinity|\d{4,6}-\d\d-\d\d \d\d:00:00)$/;

export function positionOf(cursor: string | undefined): Position {
  if (cursor === undefined) return START;
  try {
    const [hour, amount, part, id, ...more] = JSON.parse(
      Buffer.from(cursor, 'base64url').toString(),
    ) as unknown[];
    if (
      typeof hour === 'string' &&
      HOUR.test(hour) &&
      !Number.isNaN(new Date(hour === 'infinity' ? 0 : hour).getTime()) &&
      typeof amount === 'string' &&
      /^-?\d{1,15}$/.test(amount) &&
      isCount(part) &&
      isCount(id) &&
      more.length === 0
    ) {
      return [hour, amount, part, id];
    }
  } catch {
    // It is refused below.
  }
  throw invalid([{ pointer: '/cursor', message: 'is not a next_cursor of this list' }]);
}

const isCount = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 31;
