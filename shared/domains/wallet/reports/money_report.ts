import type { EntityManager } from 'typeorm';

import { idsBelow } from '../../agents/tree/below.ts';
import { dailyMoney } from '../../ledger/daily_money.ts';
import { toUsd, type Micros } from '../../../kernel/money.ts';
import { Amount, Id, Nullable, Output, Type, type Static } from '../../../kernel/schema.ts';
import { column, nullable, rows, type Row } from '../../../platform/rows.ts';

export const DAYS = 30;
const DAYS_MAX = 90;
const PARTS_MAX = 20;
const DAY_MS = 86_400_000;

const Day = (description: string) =>
  Type.String({ description: `UTC, YYYY-MM-DD. ${description}` });
const Count = Type.Integer({ description: 'Number of payments, refunded ones included.' });

export const ReportDays = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: DAYS_MAX,
    description: `UTC days, today included; ${DAYS} if absent.`,
  }),
);

export const MoneyReport = Output('MoneyReport', {
  from: Day('The first day.'),
  to: Day('The last day: today.'),
  total: Amount('Sum of these days.'),
  count: Count,
  previous: Amount('Sum of the same number of days before.'),
  parts: Type.Array(
    Output({
      id: Nullable(Id('The agent or product; null: none.')),
      name: Type.String({ description: 'Name of the agent, product or category.' }),
      amount: Amount('Sum of these days.'),
      count: Count,
      previous: Amount('Sum of the same number of days before.'),
    }),
    { maxItems: PARTS_MAX, description: 'Parts, largest first; the rest is in the total only.' },
  ),
  by_day: Type.Array(
    Output({
      day: Day('One of these days.'),
      amount: Amount('Sum of the day.'),
      count: Count,
      parts: Type.Array(Type.Number(), {
        maxItems: PARTS_MAX,
        description: 'USD. Amounts of the parts, in their order.',
      }),
    }),
    { maxItems: DAYS_MAX, description: 'Every day, oldest first.' },
  ),
});

type Grouping = 'agent' | 'category' | 'product';

interface Asked {
  readonly rootId: number;
  /** The agent to report on, with those below it. */
  readonly agentId: number;
  readonly isSale: boolean;
  readonly by: Grouping;
  readonly days: number;
  readonly now: Date;
}

/** SQL: the key of a part as text: an id or a category. Ids are cheaper to group than names. */
const KEYS: Readonly<Record<Grouping, string>> = {
  agent: 'agent_id',
  category: 'category',
  product: 'coalesce(product_id::text, category)',
};

const SUMS = {
  /** The day; null: all days before the period. */
  day: nullable(column.text),
  /** The part; null: not one of the largest. */
  key: nullable(column.text),
  amount: column.micros,
  count: column.int,
};
type Sum = Row<typeof SUMS>;

/** Reports the spending or earnings of a tree or a part of it, in a period and the one before. */
export async function moneyReport(
  db: EntityManager,
  asked: Asked,
): Promise<Static<typeof MoneyReport>> {
  const { rootId, agentId, isSale, by, days, now } = asked;
  const dayBefore = (count: number) =>
    new Date(now.getTime() - count * DAY_MS).toISOString().slice(0, 10);
  const from = dayBefore(days - 1);
  const isSeen = agentId === rootId ? '$4::bigint > 0' : `agent_id in ${idsBelow('$1', '$4')}`;
  const sums = await rows(
    db,
    SUMS,
    `with moved as materialized (
       select case when day >= $5::date then day end as day, ${KEYS[by]} as key,
              sum(amount)::bigint as amount, sum(count) as count
         from (${dailyMoney({ root: '$1', isSale: '$2', since: '$3' })}) d
        where ${isSeen}
        group by 1, 2),
     largest as (
       select key from moved group by key
        order by coalesce(sum(amount) filter (where day is not null), 0) desc, sum(amount) desc,
                 key::text
        limit ${PARTS_MAX})
     select day::text, key::text, amount::bigint, count::int from (
       select day, case when key in (select key from largest) then key end as key,
              sum(amount) as amount, sum(count) as count
         from moved group by 1, 2) found`,
    [rootId, isSale, dayBefore(2 * days - 1), agentId, from],
  );
  const current = sums.filter(({ day }) => day !== null);
  const previous = sums.filter(({ day }) => day === null);
  const keys = [...new Set(sums.flatMap(({ key }) => key ?? []))]
    .map((key) => ({ key, amount: sumOf(current, key) }))
    .toSorted((a, b) => Number(b.amount - a.amount) || (a.key < b.key ? -1 : 1));
  const ofDay = new Map<string, Sum[]>();
  for (const sum of current) {
    const own = ofDay.get(sum.day!);
    if (own) own.push(sum);
    else ofDay.set(sum.day!, [sum]);
  }
  const names = await namesOfParts(
    db,
    by,
    keys.map(({ key }) => key),
  );
  return {
    from,
    to: dayBefore(0),
    total: toUsd(sumOf(current)),
    count: countOf(current),
    previous: toUsd(sumOf(previous)),
    parts: keys.map(({ key, amount }) => ({
      id: names.has(key) ? Number(key) : null,
      name: names.get(key) ?? key,
      amount: toUsd(amount),
      count: countOf(current, key),
      previous: toUsd(sumOf(previous, key)),
    })),
    by_day: Array.from({ length: days }, (_, n) => {
      const day = dayBefore(days - 1 - n);
      const own = ofDay.get(day) ?? [];
      return {
        day,
        amount: toUsd(sumOf(own)),
        count: countOf(own),
        parts: keys.map(({ key }) => toUsd(sumOf(own, key))),
      };
    }),
  };
}

const sumOf = (sums: readonly Sum[], of?: string): Micros =>
  sums.reduce((sum, { key, amount }) => (of === undefined || key === of ? sum + amount : sum), 0n);

const countOf = (sums: readonly Sum[], of?: string): number =>
  sums.reduce((sum, { key, count }) => (of === undefined || key === of ? sum + count : sum), 0);

/** Finds the names of the agents or products of these ids. Categories are their own names. */
async function namesOfParts(
  db: EntityManager,
  by: Grouping,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const ids = keys.filter((key) => /^\d+$/.test(key));
  if (by === 'category' || ids.length === 0) return new Map();
  const found = await rows(
    db,
    { id: column.text, name: column.text },
    by === 'agent'
      ? 'select id::text, username as name from agent where id = any ($1)'
      : 'select id::text, title as name from product where id = any ($1)',
    [ids],
  );
  return new Map(found.map(({ id, name }) => [id, name]));
}
