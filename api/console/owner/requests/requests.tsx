import type { AnswerOf } from '../../answers.ts';
import { page, type PageQuery } from '../../page.ts';
import { useShown } from '../../page_state.ts';
import { Card, Empty, Lead, Missing, Pages, Table } from '../../parts/card.tsx';
import { Do } from '../../parts/do.tsx';
import { Fields } from '../../parts/fields.tsx';
import { Badge, plural, Usd, When } from '../../parts/text.tsx';
import { FilterChoice } from '../../parts/lists/filter.tsx';
import { given, pathWith } from '../../parts/lists/query.ts';
import { OwnAgent, TREE } from '../agents/names.tsx';
import { filterOf, Filters } from './filters.tsx';

const PATH = '/console/requests';

const STATUSES = {
  '': 'all',
  error: 'errors',
  '2xx': 'successes (2xx)',
  '4xx': 'refused (4xx)',
  '5xx': 'failed (5xx)',
};

export const requests = page({
  path: PATH,
  title: 'Requests',
  access: 'owner',
  nav: { group: 'Build', icon: 'log' },
  reads: {
    requests: [
      'list_requests',
      ({ query }: PageQuery) => ({
        limit: 20,
        ...filterOf(query),
        ...given(query, 'status', 'operation', 'cursor'),
      }),
    ],
  },
  cards: { names: TREE, alert: 'get_call_alert' },
  does: ['set_call_alert'],
  view: ({ requests: found, names, alert }, { query, agentId }) => (
    <>
      <Lead title="Requests">
        <p>
          Calls with the keys of your agents, by REST and MCP, newest first.{' '}
          <a href={pathWith(`${PATH}/costs`, { agent_id: query.agent_id })}>
            Costs by operation and agent
          </a>
        </p>
      </Lead>
      <Filters path={PATH} query={query} names={names}>
        <FilterChoice name="status" label="Status" value={query.status} choices={STATUSES} />
        <Operations chosen={query.operation} />
      </Filters>
      <Card id="requests" title="Requests">
        {found.count === 0 ? (
          <Empty>
            No requests here. Each call appears within a second or two.{' '}
            <a href="/console/keys">Connect an agent</a>
          </Empty>
        ) : (
          <RequestTable requests={found.requests} root={agentId} />
        )}
        <Pages path={PATH} of={found} query={query} />
      </Card>
      <Card id="alert" title="Alerts">
        <p>
          You are told by mail, at most once an hour, when too many calls of an hour are errors or
          when they cost too much. Webhooks get <code>agent.calls_failing</code> and{' '}
          <code>agent.calls_costly</code>.
        </p>
        {alert ? (
          <Do op="set_call_alert" label="Save">
            <Fields
              op="set_call_alert"
              only={['errors_percent', 'calls_min', 'cost_above']}
              values={alert}
            />
          </Do>
        ) : (
          <Missing />
        )}
      </Card>
    </>
  ),
});

/** Selects one of the operations that a key can call. */
function Operations({ chosen }: { chosen: string | undefined }) {
  const { operations } = useShown();
  const callable = [...operations.values()].filter(({ rest }) => rest);
  const names = callable.map(({ name }) => name).toSorted((a, b) => a.localeCompare(b));
  const choices = Object.fromEntries(names.map((name) => [name, name]));
  return (
    <FilterChoice
      name="operation"
      label="Operation"
      value={chosen}
      choices={{ '': 'all', ...choices }}
    />
  );
}

type Request = AnswerOf<'list_requests'>['requests'][number];

const RequestTable = ({ requests: rows, root }: RequestTableProps) => (
  <Table
    label="Requests"
    rows={rows}
    columns={[
      { head: 'When', wide: true, cell: ({ at }) => <When at={at} /> },
      { head: 'Request', cell: (one) => <What request={one} root={root} /> },
      {
        head: 'Agent',
        wide: true,
        cell: ({ agent_id, agent_name }) => (
          <OwnAgent agent_id={agent_id} username={agent_name} root={root} />
        ),
      },
      { head: 'Status', cell: ({ status }) => <Badge state={`${status}`} kind={hueOf(status)} /> },
      { head: 'Duration', right: true, wide: true, cell: ({ ms }) => `${ms} ms` },
      {
        head: 'Cost',
        right: true,
        cell: ({ cost }) => (cost === null ? '' : <Usd amount={cost} />),
      },
    ]}
  />
);

interface RequestTableProps {
  requests: readonly Request[];
  /** The signed-in agent. */
  root: number | undefined;
}

const hueOf = (status: number): string =>
  status >= 400 ? 'owed' : status === 202 ? 'held' : 'yours';

function What({ request, root }: { request: Request; root: number | undefined }) {
  const { agent_id, agent_name, operation, calls, error, answer, request_id, job_id } = request;
  return (
    <>
      <strong>{operation ?? 'Several operations'}</strong>{' '}
      {calls > 1 && <span class="dim">{plural(calls, 'call')} summed up</span>}
      <span class="note narrow-only">
        <When at={request.at} />, <OwnAgent agent_id={agent_id} username={agent_name} root={root} />
      </span>
      <details>
        <summary>{error ?? 'Details'}</summary>
        <p class="note">
          {request.interface === 'mcp' ? 'MCP' : 'REST'}, {request.ms} ms
          {calls > 1 && ' on average'}
          {request_id && (
            <>
              , request <code>{request_id}</code>
            </>
          )}
          {job_id && (
            <>
              , <a href={`/console/jobs/${job_id}`}>its job</a>
            </>
          )}
        </p>
        {answer !== null && (
          <pre tabIndex={0}>
            <code>{indented(answer)}</code>
          </pre>
        )}
      </details>
    </>
  );
}

/** The JSON of an answer in lines; one that was cut is shown as it is. */
function indented(answer: string): string {
  try {
    return JSON.stringify(JSON.parse(answer), null, 2);
  } catch {
    return `${answer} …`;
  }
}
