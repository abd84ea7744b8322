import type { AnswerOf } from '../answers.ts';
import { page } from '../page.ts';
import { Card, Empty, Missing, Table } from '../parts/card.tsx';
import { Places } from '../parts/money.tsx';
import { plural, Usd, usdOf, When } from '../parts/text.tsx';
import { ToDo } from './todo_list.tsx';

export const home = page({
  path: '/console',
  title: 'Home',
  access: 'owner',
  nav: { group: '', icon: 'home' },
  live: ['wallet', 'order', 'task', 'labor', 'approval', 'deposit', 'withdrawal', 'agent', 'job'],
  reads: { wallet: 'get_wallet', todo: ['inbox', { limit: 5 }] },
  cards: {
    agents: ['list_children', { limit: 6 }],
    movements: ['wallet_statement', { limit: 6 }],
  },
  view: ({ wallet, todo, agents, movements }) => (
    <>
      <div class="lead">
        <h1>Home</h1>
        <Sentence wallet={wallet} todo={todo} />
      </div>
      <Card id="money" title="Where the money is">
        <Places wallet={wallet} />
      </Card>
      <Card id="todo" title="To do">
        <ToDo items={todo.inbox} />
      </Card>
      <Card id="agents" title="Agents">
        {agents ? <Agents agents={agents} /> : <Missing />}
      </Card>
      <Card id="latest" title="Latest movements">
        {movements ? <Movements entries={movements.entries} /> : <Missing />}
      </Card>
    </>
  ),
});

/** All of it in words: the first thing that a screen reader hears. */
function Sentence({ wallet, todo }: { wallet: AnswerOf<'get_wallet'>; todo: AnswerOf<'inbox'> }) {
  const waiting = todo.counts.reduce((sum, { count }) => sum + count, 0);
  return (
    <p>
      You can spend <strong>{usdOf(wallet.balance)}</strong>.{' '}
      {wallet.owed > 0
        ? `You owe ${usdOf(wallet.owed)}: spending is stopped until that much has come in.`
        : 'You owe nothing.'}{' '}
      {waiting > 0 ? (
        <a href="#todo">{plural(waiting, 'thing')} wait for you.</a>
      ) : (
        'Nothing waits for you.'
      )}
    </p>
  );
}

function Agents({ agents }: { agents: AnswerOf<'list_children'> }) {
  if (agents.count === 0) {
    return (
      <Empty>No agents yet. What each of yours spends, and of which limit, stands here.</Empty>
    );
  }
  return (
    <ul class="rows">
      {agents.children.map((agent) => (
        <li id={`agent-${agent.agent_id}`}>
          <span class="face" aria-hidden="true">
            {agent.agent_name.charAt(0).toUpperCase()}
          </span>
          <strong>{agent.agent_name}</strong>
          {agent.status === 'suspended' && <span class="badge owed">suspended</span>}
          <span class="end">
            <Usd amount={agent.spent_today} /> <span class="dim">today</span>
          </span>
        </li>
      ))}
    </ul>
  );
}

export function Movements({ entries }: { entries: AnswerOf<'wallet_statement'>['entries'] }) {
  if (entries.length === 0) return <Empty>No money has moved yet.</Empty>;
  return (
    <Table
      label="Movements of money"
      rows={entries}
      columns={[
        { head: 'When', cell: (entry) => <When at={entry.created_at} /> },
        { head: 'What', cell: (entry) => entry.description },
        { head: 'Amount', right: true, cell: (entry) => <Usd amount={entry.amount} signed /> },
        { head: 'Balance', right: true, cell: (entry) => <Usd amount={entry.balance_after} /> },
      ]}
    />
  );
}
