import { hourOf, type InboxPart } from '../../kernel/terms/inbox_part.ts';
import { column, nullable, rows, type Database, type Row } from '../../platform/rows.ts';
import { cursorWith, positionIn, wrongCursor } from '../../kernel/paging.ts';

/** Maximum count of a kind. */
export const COUNT_MAX = 1_000;

const FOUND = {
  /** The agent that it waits for. */
  agent_id: column.id,
  /** Index of its part among the requested parts. */
  part: column.int,
  id: column.id,
  deadline: nullable(column.time),
  amount: column.micros,
  facts: column.json,
  /** Hour of its deadline as SQL text; infinity: no deadline. */
  hour: column.text,
};
export type Found = Row<typeof FOUND>;

/** A position in the list; a page holds the items after it. */
type Position = readonly [hour: string, minusAmount: string, part: number, id: number];
const START: Position = ['-infinity', '-9223372036854775807', -1, 0];

interface Asked {
  readonly agentId: number;
  readonly rootId: number;
  /** The agents below, whose items those above are asked for too. */
  readonly below?: readonly number[];
}

/**
 * Items for an agent after a position, ordered by the hour of the deadline, then by the highest
 * amount. Each part reads its own index no further than the page needs; of the agents below it
 * reads what waits for them.
 */
export async function findRanked(
  db: Database,
  parts: readonly InboxPart[],
  { agentId, rootId, below }: Asked,
  { after, limit }: { after: Position; limit: number },
): Promise<Found[]> {
  const others = othersOf(parts, below);
  const itemsOf = (sql: string, { hasDeadline }: InboxPart, n: number, agent: string) =>
    `(select * from (
        select ${n} as part, ${agent} as agent_id, id, deadline, amount, facts,
               ${hourIn(hasDeadline)} as hour
          from (${sql}) waits
         where $2::bigint > 0 ${hasDeadline ? 'and deadline > now()' : ''}) item
       where (hour, -amount, part, id) > ($3::timestamp, $4::bigint, $5::int, $6::bigint)
       order by hour, -amount, id limit $7)`;
  const each = parts.flatMap((part, n) => [
    itemsOf(part.sql, part, n, '$1::bigint'),
    ...sqlBelow(part, others, '$8').map((sql) => itemsOf(sql, part, n, 'agent_id')),
  ]);
  return rows(
    db,
    FOUND,
    `select part, agent_id, id, deadline, amount, facts, hour::text as hour
       from (${each.join(' union all ')}) item
      order by item.hour, -amount, part, id limit $7`,
    [agentId, rootId, ...after, limit, ...others],
  );
}

/** The last parameter, if the agents below are asked about. */
const othersOf = (parts: readonly InboxPart[], below: Asked['below'] = []) =>
  below.length > 0 && parts.some(({ above }) => above) ? [below] : [];

/** The SQL of a part for the agents below, with their ids; none: it is not asked of those above. */
function sqlBelow({ sql, above }: InboxPart, others: readonly unknown[], parameter: string) {
  if (others.length === 0 || !above) return [];
  const { agent } = above;
  const ofOne = `${agent} = $1`;
  if (!sql.includes(ofOne)) throw new Error(`an inbox is asked of agents above by no ${agent}`);
  return [
    sql
      .replace(ofOne, () => `${agent} = any (${parameter}::bigint[])`)
      .replace('select ', () => `select ${agent} as agent_id, `),
  ];
}

const hourIn = (hasDeadline: boolean) =>
  hasDeadline ? hourOf('deadline') : `'infinity'::timestamp`;

/** Number of items of each kind, up to COUNT_MAX, in the order of the parts. */
export const countEach = (
  db: Database,
  parts: readonly InboxPart[],
  { agentId, rootId, below }: Asked,
): Promise<{ part: number; count: number }[]> => {
  const others = othersOf(parts, below);
  const countOf = (part: InboxPart) => {
    const where = `where $2::bigint > 0 ${part.hasDeadline ? 'and deadline > now()' : ''}`;
    const each = [part.sql, ...sqlBelow(part, others, '$3')].map(
      (sql) => `(select from (${sql}) waits ${where} limit ${COUNT_MAX})`,
    );
    return `select from (${each.join(' union all ')}) waiting limit ${COUNT_MAX}`;
  };
  const counts = parts.map(
    (part, n) => `(${n}, (select count(*)::int from (${countOf(part)}) one))`,
  );
  return rows(
    db,
    { part: column.int, count: column.int },
    // offset 0 keeps PostgreSQL from counting again for `where`.
    `select part, count from (select * from (values ${counts.join(', ')}) each (part, count)
       offset 0) counted where count > 0 order by part`,
    [agentId, rootId, ...others],
  );
};

export const cursorOf = ({ hour, amount, part, id }: Found): string =>
  cursorWith(JSON.stringify([hour, String(-amount), part, id]));

/** The JSON of a position. */
const POSITION =
  /^\["(infinity|\d{4}-\d\d-\d\d \d\d:00:00)","(-?\d{1,15})",(\d{1,9}),(\d{1,10})\]$/;

export function positionOf(cursor: string | undefined): Position {
  if (cursor === undefined) return START;
  const [, hour, amount, part, id] = positionIn(cursor, POSITION);
  if (!isHour(hour!)) throw wrongCursor();
  return [hour!, amount!, Number(part), Number(id)];
}

/** Whether PostgreSQL knows it: the 30th of February has the form of a time. */
function isHour(hour: string): boolean {
  if (hour === 'infinity') return true;
  const time = new Date(`${hour.replace(' ', 'T')}Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(hour.replace(' ', 'T'));
}
