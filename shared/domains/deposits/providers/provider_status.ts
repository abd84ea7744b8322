import { field, view } from '../../../kernel/view.ts';
import { rows, type Database } from '../../../platform/rows.ts';

/** Days that a month at the present pace is counted from. */
const DAYS = 7;

export const ProviderView = view('Provider', {
  rail: field.text('The rail it is asked for, or prices.'),
  provider: field.text('Its host, with a number if several have the same.'),
  calls_today: field.whole('Questions since midnight UTC. A batch has many.'),
  requests_today: field.whole('Requests since midnight UTC.'),
  refused_today: field.whole(
    'Questions it refused because of their size, rate or age since midnight UTC.',
  ),
  calls_per_month: field.orNull(
    field.whole(`Questions in 30 days at the pace of the last ${DAYS}; null: not known yet.`),
  ),
  blocks_per_day: field.orNull(field.whole('Blocks read whole in a day at the same pace.')),
  batch: field.whole('Questions that it takes in one request.'),
  log_blocks: field.whole('Blocks whose logs it tells in one question.'),
  gap_ms: field.whole('Time between two requests that it wants, in ms.'),
  fault: field.orNull(field.text('Why it did not answer last; null: it answered.')),
  seen_at: field.time('Last time it was noted that it was asked.'),
});

/** The providers that were asked in the last two days. */
export const providerStatus = async (db: Database) =>
  (await rows(db, ProviderView.columns, STATUS_SQL)).map(ProviderView.show);

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
