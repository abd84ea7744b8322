import { timer } from '../../../jobs/timers/timer.ts';
import { Output, Type } from '../../../kernel/schema.ts';
import { execute } from '../../../platform/rows.ts';

/** Records what the providers of chains are asked, which all processes count in Redis. */
export const noteProviders = timer({
  name: 'note_providers',
  title: 'Note providers',
  summary: 'Internal: records what the providers of the chains were asked, and their limits.',
  everyMs: 60_000,
  output: Output({ providers: Type.Integer({ description: 'Number of rows written.' }) }),

  gather: ({ providers }) => providers.report(),

  async handle({ db }, _input, days) {
    const written = await execute(
      db,
      `insert into chain_provider_day as known
         (rail, provider, day, calls, requests, refused, blocks, batch, log_blocks, gap_ms, fault)
       select rail, provider, day::date, calls, requests, refused, blocks, batch, "logBlocks",
              "gapMs", fault
         from jsonb_to_recordset($1) as told
              (rail text, provider text, day text, calls bigint, requests bigint, refused bigint,
               blocks bigint, batch int, "logBlocks" int, "gapMs" int, fault text)
        order by rail, provider, day
       on conflict (rail, provider, day) do update
         set calls = greatest(known.calls, excluded.calls),
             requests = greatest(known.requests, excluded.requests),
             refused = greatest(known.refused, excluded.refused),
             blocks = greatest(known.blocks, excluded.blocks),
             batch = excluded.batch, log_blocks = excluded.log_blocks, gap_ms = excluded.gap_ms,
             fault = excluded.fault, seen_at = now()
        where (known.calls, known.fault) is distinct from (excluded.calls, excluded.fault)
       returning rail`,
      [JSON.stringify(days)],
    );
    return { providers: written };
  },
});
