import { operation } from '../../../kernel/operation.ts';
import { Input, Output, Type, type Static } from '../../../kernel/schema.ts';
import { checkDueProxies } from '../checks/check_due_proxies.ts';
import { addListing, SourceReport } from './sources.ts';

export const refreshProxies = operation({
  name: 'refresh_proxies',
  title: 'Refresh the proxy pool',
  summary:
    'Operators: reads all lists of PROXY_SOURCES, adds new proxies and starts ' +
    'the checks that put them on sale. Runs by itself every half hour. Free.',
  access: 'operator',
  mode: 'job',
  queue: 'network',
  rest: 'POST /api/v1/admin/proxy/refresh',
  bindings: { tool: false },
  effects: { actsOn: { kind: 'proxy_sources' } },
  everyMs: 30 * 60_000,
  gatherMs: 60_000,
  input: Input({}),
  output: Output('PoolRefresh', { sources: Type.Array(SourceReport, { maxItems: 1_000 }) }),

  gather: ({ proxies }) => proxies.list(),

  async handle(tx, _input, results) {
    const sources: Static<typeof SourceReport>[] = [];
    for (const result of results) sources.push(await addListing(tx.db, result, tx.now));
    await tx.enqueue(checkDueProxies, {}, { cause: 'checks' });
    return { sources };
  },
});
