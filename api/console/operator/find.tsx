import type { AnswerOf } from '../answers.ts';
import { page, type PageQuery } from '../page.ts';
import { Card, Empty, Lead, Table } from '../parts/card.tsx';
import { Do } from '../parts/do.tsx';
import { Fields } from '../parts/fields.tsx';
import { Badge, Usd, usdOf, When, Words, wordsOf } from '../parts/text.tsx';
import { AgentLink } from './agent_link.tsx';

/** Search by any id or name. */
export const find = page({
  path: '/admin/find',
  title: 'Look up',
  access: 'operator',
  nav: { group: '', icon: 'find', key: 'f' },
  cards: {
    hits: [
      'operator_find',
      ({ query }: PageQuery) => (query.query ? { query: query.query } : undefined),
    ],
    agents: [
      'find_agents',
      ({ query }: PageQuery) =>
        isNumber(query.agent) ? { agent_id: Number(query.agent) } : undefined,
    ],
  },
  does: ['operator_suspend_agent', 'operator_resume_agent', 'give_goodwill'],
  view: ({ hits, agents }, { query }) => (
    <>
      <Lead title="Look up">
        <form method="get" action="/admin/find" class="form" role="search">
          <p class="field">
            <label for="query">
              Number, name, email address, job, transaction, the beginning of a key
            </label>
            <input id="query" name="query" value={query.query ?? ''} maxLength={200} required />
          </p>
          <p class="buttons">
            <button class="button main">Find</button>
          </p>
        </form>
      </Lead>
      {hits && (
        <Card id="hits" title="Found">
          {hits.found.length === 0 ? (
            <Empty>Nothing has that name.</Empty>
          ) : (
            hits.found.map((hit) => <Hit hit={hit} />)
          )}
        </Card>
      )}
      {query.agent && (agents?.agents.length ?? 0) === 0 && (
        <Card id="agent" title="Found">
          <Empty>There is no agent with this number.</Empty>
        </Card>
      )}
      {agents?.agents.map((agent) => (
        <Account agent={agent} />
      ))}
    </>
  ),
});

const isNumber = (text: string | undefined) => text !== undefined && /^\d{1,9}$/.test(text);

type SearchHit = AnswerOf<'operator_find'>['found'][number];

const Hit = ({ hit }: { hit: SearchHit }) => (
  <section aria-label={`${hit.kind} ${hit.id}`}>
    <h3>
      {wordsOf(hit.kind)}{' '}
      {hit.kind === 'job' ? <a href={`/admin/jobs/${hit.id}`}>{hit.id}</a> : hit.id}{' '}
      <Badge state={hit.status} />
    </h3>
    <p>
      Made <When at={hit.created_at} />
      {hit.agent_id !== null && hit.username !== null && (
        <>
          , of <AgentLink id={hit.agent_id} username={hit.username} />
        </>
      )}
    </p>
    {hit.transfers.length > 0 && (
      <Table
        label={`Money of ${hit.kind} ${hit.id}`}
        rows={hit.transfers}
        columns={[
          { head: 'When', wide: true, cell: ({ created_at }) => <When at={created_at} /> },
          { head: 'For', cell: ({ kind }) => kind },
          { head: 'From', wide: true, cell: (one) => accountOf(one.from, one.from_username) },
          { head: 'To', wide: true, cell: (one) => accountOf(one.to, one.to_username) },
          { head: 'Cash', right: true, cell: ({ cash }) => <Usd amount={cash} /> },
          { head: 'Credit', right: true, cell: ({ credit }) => <Usd amount={credit} /> },
        ]}
      />
    )}
  </section>
);

const accountOf = (account: string, username: string | null) =>
  username === null ? (
    account
  ) : (
    <>
      treasury of <Words>{username}</Words>
    </>
  );

type AgentAccount = AnswerOf<'find_agents'>['agents'][number];

function Account({ agent }: { agent: AgentAccount }) {
  const input = { agent_id: agent.agent_id };
  const change = agent.status === 'active' ? 'operator_suspend_agent' : 'operator_resume_agent';
  return (
    <Card id="agent" title={`Agent ${agent.agent_id}`}>
      <p>
        <Words>{agent.username}</Words> <Badge state={agent.status} />{' '}
        {agent.owner_id === null || agent.owner_username === null ? (
          'root of its tree'
        ) : (
          <>
            child of <AgentLink id={agent.owner_id} username={agent.owner_username} />
          </>
        )}
        , {agent.tier}, {agent.keys} keys that work.
        {agent.email !== null && (
          <>
            {' '}
            <Words>{agent.email}</Words>
          </>
        )}
      </p>
      <p>
        Its tree has {usdOf(agent.cash)} cash and {usdOf(agent.credit)} credit,{' '}
        {usdOf(agent.in_escrow)} in escrow; it spent {usdOf(agent.spent_today)} today.
      </p>
      <Do
        op={change}
        input={input}
        label={agent.status === 'active' ? 'Suspend' : 'Let it go on'}
        confirm={{
          title: agent.status === 'active' ? 'Suspend this agent?' : 'Let this agent go on?',
          lines: [
            `${agent.username} and all below it.`,
            agent.status === 'active'
              ? 'They spend, list and withdraw nothing more. What is owed goes on.'
              : 'They may spend again, within their limits.',
          ],
        }}
      >
        <Fields op={change} only={['note']} />
      </Do>
      <Do op="give_goodwill" input={input} label="Give credit">
        <Fields op="give_goodwill" only={['amount', 'reference', 'note']} />
      </Do>
    </Card>
  );
}
