import { operation } from '../../kernel/operation.ts';
import { Input, Output, Type, type Static } from '../../kernel/schema.ts';
import { NONE_REFUSED, SourceReport } from './sources.ts';

const Count = (description: string) => Type.Integer({ minimum: 0, description });

export const proxySources = operation({
  name: 'proxy_sources',
  title: 'Sources of proxies',
  summary:
    'Operators: what each source of proxies said when it was last asked, and what became of what ' +
    'it brought: how many of its proxies are in which state. Free.',
  access: 'operator',
  mode: 'read',
  domain: 'proxies',
  rest: 'GET /api/v1/admin/proxy/sources',
  tool: false,
  input: Input({}),
  output: Output({
    sources: Type.Array(
      Output({
        ...SourceReport.properties,
        states: Output({
          hot: Count('On sale, the best.'),
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
    const rows: Row[] = await tx.db.query(
      `select s.*, coalesce(counted.states, '{}') as states
         from proxy_source s left join (
              select source, jsonb_object_agg(state, n) as states
                from (select source, state, count(*) as n from proxy group by source, state) c
               group by source) counted on counted.source = s.name
        order by s.name limit 1000`,
    );
    const sources = rows.map((row) => ({
      source: row.name,
      fault: row.fault,
      listed: row.listed,
      listed_before: row.listed_before,
      added: row.added,
      refused: { ...NONE_REFUSED, ...row.refused },
      asked_at: row.asked_at.toISOString(),
      states: { ...NONE, ...row.states },
    }));
    return { sources };
  },
});

interface Row {
  readonly name: string;
  readonly fault: string | null;
  readonly listed: number;
  readonly added: number;
  readonly refused: Partial<Static<typeof SourceReport>['refused']>;
  readonly asked_at: Date;
  readonly listed_before: number;
  readonly states: Partial<typeof NONE>;
}

const NONE = { hot: 0, warm: 0, degraded: 0, quarantined: 0, dead: 0 };
