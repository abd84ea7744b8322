import { operation } from '../../../kernel/operation.ts';
import { Input, Output, Type } from '../../../kernel/schema.ts';
import { column, jsonOf, nullable, rows } from '../../../platform/rows.ts';
import { NONE_REFUSED, SourceReport } from './sources.ts';

const Count = (description: string) => Type.Integer({ minimum: 0, description });

export const proxySources = operation({
  name: 'proxy_sources',
  title: 'Sources of proxies',
  summary:
    'Operators: lists the sources of proxies, each with its last answer and the number of its ' +
    'proxies by state. Free.',
  access: 'operator',
  mode: 'read',
  rest: 'GET /api/v1/admin/proxy/sources',
  bindings: { tool: false },
  input: Input({}),
  output: Output('SourceList', {
    sources: Type.Array(
      Output({
        ...SourceReport.properties,
        states: Output({
          hot: Count('The best on sale.'),
          warm: Count('On sale.'),
          degraded: Count('Worked a moment ago.'),
          quarantined: Count('Unproven, or failed too often.'),
          dead: Count('Not checked any more.'),
        }),
      }),
      { maxItems: 1_000 },
    ),
  }),

  async handle(tx) {
    const found = await rows(
      tx.db,
      COLUMNS,
      `select s.name, s.fault, s.listed, s.listed_before, s.added, s.refused, s.asked_at,
              coalesce(counts.states, '{}') as states
         from proxy_source s left join (
              select source, jsonb_object_agg(state, n) as states
                from (select source, state, count(*) as n from proxy group by source, state) c
               group by source) counts on counts.source = s.name
        order by s.name limit 1000`,
    );
    const sources = found.map(({ name, refused, asked_at, states, ...counts }) => ({
      source: name,
      ...counts,
      refused: { ...NONE_REFUSED, ...refused },
      asked_at: asked_at.toISOString(),
      states: { ...NONE, ...states },
    }));
    return { sources };
  },
});

const NONE = { hot: 0, warm: 0, degraded: 0, quarantined: 0, dead: 0 };

const COLUMNS = {
  name: column.text,
  fault: nullable(column.text),
  listed: column.int,
  listed_before: column.int,
  added: column.int,
  refused: jsonOf<Partial<typeof NONE_REFUSED>>(),
  asked_at: column.time,
  states: jsonOf<Partial<typeof NONE>>(),
};
