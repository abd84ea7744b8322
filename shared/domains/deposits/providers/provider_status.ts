import { Nullable, Output, Time, Type } from '../../../kernel/schema.ts';
import { column, nullable, rows, type Database } from '../../../platform/rows.ts';

/** Days that a month at the present pace is counted from. */
const DAYS = 7;

export const ProviderView = Output('Provider', {
  rail: Type.String({ description: 'The rail it is asked for, or prices.' }),
  provider: Type.String({ description: 'Its host, with a number if several have the same.' }),
  calls_today: Type.Integer({ description: 'Questions since midnight UTC. A batch has many.' }),
  requests_today: Type.Integer({ description: 'Requests since midnight UTC.' }),
  refused_today: Type.Integer({
    description: 'Questions it refused because of their size, rate or age since midnight UTC.',
  }),
  calls_per_month: Nullable(
    Type.Integer({
      description: `Questions in 30 days at the pace of the last ${DAYS}; null: not known yet.`,
    }),
  ),
  blocks_per_day: Nullable(
    Type.Integer({ description: 'Blocks read whole in a day at the same pace.' }),
  ),
  batch: Type.Integer({ description: 'Questions that it takes in one request.' }),
  log_blocks: Type.Integer({ description: 'Blocks whose logs it tells in one question.' }),
  gap_ms: Type.Integer({ description: 'Time between two requests that it wants, in ms.' }),
  fault: Nullable(Type.String({ description: 'Why it did not answer last; null: it answered.' })),
  seen_at: Time('Last time it was noted that it was asked.'),
});

const PROVIDER = {
  rail: column.text,
  provider: column.text,
  calls_today: column.int,
  requests_today: column.int,
  refused_today: column.int,
  calls_per_month: nullable(column.int),
  blocks_per_day: nullable(column.int),
  batch: column.int,
  log_blocks: column.int,
  gap_ms: column.int,
  fault: nullable(column.text),
  seen_at: column.time,
};

/** The providers that were asked in the last two days. */
export async function providerStatus(db: Database) {
  const found = await rows(db, PROVIDER, STATUS_SQL);
  return found.map(({ seen_at, ...provider }) => ({
    ...provider,
    seen_at: seen_at.toISOString(),
  }));
}

const PER_DAY = (sum: string) =>
  `case when seconds >= 3600 then (${sum} * 86400 / seconds)::bigint end`;

/** SQL: of each provider its days, and the time that they were counted in. */
const STATUS_SQL = `
  with today as (select (now() at time zone 'UTC')::date as day),
  counted as (
    select rail, provider, sum(d.calls) as calls, sum(d.blocks) as blocks,
           extract(epoch from max(seen_at) - min(first_at)) as seconds
      from chain_provider_day d, today where d.day > today.day - ${DAYS}
     group by rail, provider),
  newest as (
    select distinct on (rail, provider) d.*
      from chain_provider_day d, today where d.day > today.day - 2
     order by rail, provider, d.day desc)
  select n.rail, n.provider, n.batch, n.log_blocks, n.gap_ms, n.fault, n.seen_at,
         case when n.day = today.day then n.calls else 0 end as calls_today,
         case when n.day = today.day then n.requests else 0 end as requests_today,
         case when n.day = today.day then n.refused else 0 end as refused_today,
         ${PER_DAY('c.calls * 30')} as calls_per_month, ${PER_DAY('c.blocks')} as blocks_per_day
    from today, newest n join counted c using (rail, provider)
   order by n.rail, n.provider`;
