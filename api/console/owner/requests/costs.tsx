import type { AnswerOf } from '../../answers.ts';
import { page, type PageQuery } from '../../page.ts';
import { Card, Empty, Lead, Table } from '../../parts/card.tsx';
import { plural, Usd } from '../../parts/text.tsx';
import { FilterChoice } from '../../parts/lists/filter.tsx';
import { given, pathWith, type Query } from '../../parts/lists/query.ts';
import { TREE, withoutRoot } from '../agents/names.tsx';
import { filterOf, Filters } from './filters.tsx';

const REQUESTS = '/console/requests';
const PATH = `${REQUESTS}/costs`;

export const requestCosts = page({
  path: PATH,
  title: 'Costs of requests',
  access: 'owner',
  reads: {
    costs: [
      'request_costs',
      ({ query }: PageQuery) => ({ ...filterOf(query), ...given(query, 'by') }),
    ],
  },
  cards: { names: TREE },
  view: ({ costs, names }, { query, agentId }) => (
    <>
      <Lead title="Costs of requests">
        <p>
          <Usd amount={costs.cost} /> for {plural(costs.calls, 'call')},{' '}
          {plural(costs.errors, 'error')}.{' '}
          {costs.pending > 0 &&
            `${plural(costs.pending, 'call')} answered 202 and not ended, whose costs are not counted yet. `}
          Refunds are on the <a href="/console/money">statement</a>.
        </p>
      </Lead>
      <Filters path={PATH} query={query} names={names} fallback="24">
        <FilterChoice
          name="by"
          label="By"
          value={query.by}
          choices={{ operation: 'operation', agent: 'agent' }}
        />
      </Filters>
      <Card
        id="costs"
        title={query.by === 'agent' ? 'By agent' : 'By operation'}
        aside={
          <a
            class="link"
            href={pathWith(REQUESTS, { agent_id: query.agent_id, hours: query.hours })}
          >
            All requests
          </a>
        }
      >
        {costs.parts.length === 0 ? (
          <Empty>No requests in this time.</Empty>
        ) : (
          <Table
            label="Costs of requests"
            rows={costs.parts}
            columns={[
              {
                head: query.by === 'agent' ? 'Agent' : 'Operation',
                cell: (part) => <a href={requestsOf(part, query)}>{nameOf(part, agentId)}</a>,
              },
              { head: 'Calls', right: true, cell: ({ calls }) => calls },
              {
                head: 'Errors',
                right: true,
                cell: (part) =>
                  part.errors === 0 ? (
                    0
                  ) : (
                    <a
                      href={requestsOf(part, { ...query, status: 'error' })}
                      aria-label={`${part.errors}, errors of ${nameOf(part, agentId)}`}
                    >
                      {part.errors}
                    </a>
                  ),
              },
              { head: 'Mean duration', right: true, wide: true, cell: ({ ms }) => `${ms} ms` },
              { head: 'Cost', right: true, cell: ({ cost }) => <Usd amount={cost} /> },
            ]}
          />
        )}
      </Card>
    </>
  ),
});

type Part = AnswerOf<'request_costs'>['parts'][number];

function nameOf({ operation, agent_id, agent_name }: Part, root: number | undefined): string {
  if (agent_id !== null) return agent_id === root ? 'you' : withoutRoot(agent_name ?? '');
  return operation ?? 'Several operations';
}

const requestsOf = ({ operation, agent_id }: Part, { hours = '24', status, ...query }: Query) =>
  pathWith(REQUESTS, {
    agent_id: agent_id === null ? query.agent_id : String(agent_id),
    operation: operation ?? undefined,
    hours,
    status,
  });
