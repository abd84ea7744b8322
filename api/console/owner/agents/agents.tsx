import { page, type PageQuery } from '../../page.ts';
import { Card, Empty, Lead, Pages, Table } from '../../parts/card.tsx';
import { Do } from '../../parts/do.tsx';
import { Fields } from '../../parts/fields.tsx';
import { Once } from '../../parts/message.tsx';
import { Badge, Usd, usdOf, When } from '../../parts/text.tsx';
import { given } from '../../parts/lists/query.ts';
import { NewKey } from '../build/new_key.tsx';
import { BY_TIME, sortOf } from '../trade/orders.tsx';
import { isFiltered, AgentFilter } from './agent_filter.tsx';
import { DailyLimit } from './daily_limit.tsx';

const PATH = '/console/agents';

export const agents = page({
  path: PATH,
  title: 'Agents',
  access: 'owner',
  nav: { group: 'Agents and trade', icon: 'agents', tab: 'Agents', key: 'a' },
  live: ['agent', 'policy', 'order'],
  reads: {
    agents: [
      'list_children',
      ({ query }: PageQuery) => ({
        sort: sortOf(query),
        ...given(query, 'name', 'status', 'cursor'),
      }),
    ],
  },
  does: ['set_policy'],
  shows: ['spawn_agent'],
  view: ({ agents: found }, { query, agentId }) => (
    <>
      <Lead title="Agents">
        <p>
          All spend from your wallet, each within its own limits and those of every agent above it.
          Your own limits are <a href={`${PATH}/${agentId}`}>here</a>.
        </p>
      </Lead>
      <Once id="key">
        <NewKey op="spawn_agent" />
      </Once>
      <Card id="agents" title="Below you">
        {(found.total_count !== 0 || isFiltered(query)) && <AgentFilter query={query} />}
        {found.count === 0 && isFiltered(query) ? (
          <Empty>No agent has such a name and state.</Empty>
        ) : found.count === 0 ? (
          <Empty>
            No agents yet. Make one below: it gets a key, and you say what it may spend.
          </Empty>
        ) : (
          <Table
            label="Agents"
            sorted={{ path: PATH, query, by: sortOf(query) }}
            rows={found.children}
            columns={[
              {
                head: 'Agent',
                sort: [['name', 'ascending'], BY_TIME[0]],
                cell: ({ agent_id, agent_name }) => (
                  <a href={`${PATH}/${agent_id}`}>{agent_name}</a>
                ),
              },
              {
                head: 'State',
                cell: ({ status }) => (
                  <Badge state={status} kind={status === 'active' ? 'yours' : 'owed'} />
                ),
              },
              {
                head: 'May',
                wide: true,
                cell: ({ permissions }) => permissions.join(', ') || 'nothing',
              },
              {
                head: 'Keys',
                wide: true,
                cell: ({ agent_id, agent_name }) => (
                  <a href={`/console/keys?agent=${agent_id}`} aria-label={`Keys of ${agent_name}`}>
                    Keys
                  </a>
                ),
              },
              {
                head: 'Made',
                wide: true,
                sort: BY_TIME,
                cell: ({ created_at }) => <When at={created_at} />,
              },
              {
                head: 'Spent today',
                right: true,
                sort: [['spent_desc', 'descending']],
                cell: ({ spent_today, daily_spend_limit: limit }) => (
                  <>
                    <Usd amount={spent_today} />
                    {limit !== null && <span class="dim"> of {usdOf(limit)}</span>}
                  </>
                ),
              },
            ]}
          />
        )}
        <Pages path={PATH} of={found} query={query} what="agent" />
      </Card>
      <Card id="new" title="New agent">
        <Do
          op="spawn_agent"
          label="Make this agent"
          main
          afterwards={{ op: 'set_policy', input: {} }}
        >
          <Fields op="spawn_agent" values={{ permissions: ['read', 'buy'] }} />
          <DailyLimit />
        </Do>
      </Card>
    </>
  ),
});
