import type { AnswerOf } from '../answers.ts';
import { CHECKED_ELSEWHERE, decisionsIn, TO_CHECK } from '../decisions_in.ts';
import { page, type PageQuery } from '../page.ts';
import { Card, Empty, Lead, Missing } from '../parts/card.tsx';
import { DayChart } from '../parts/chart.tsx';
import { Places } from '../parts/money.tsx';
import { leftOf, Usd, plural, usdOf } from '../parts/text.tsx';
import { useShown } from '../page_state.ts';
import { TREE } from './agents/names.tsx';
import { SIMPLE_CALLS } from './calls.tsx';
import { Movements } from './money/money.tsx';
import { ToDo } from './todo_list.tsx';

export const home = page({
  path: '/console',
  title: 'Home',
  access: 'owner',
  nav: { group: '', icon: 'home', tab: 'Home', key: 'h' },
  live: ['wallet', 'order', 'task', 'labor', 'approval', 'deposit', 'withdrawal', 'agent', 'job'],
  reads: {
    wallet: ['get_wallet', { details: true }],
    todo: ['inbox', { limit: 5, except: CHECKED_ELSEWHERE, below: true }],
  },
  cards: {
    asked: ['list_approvals', { status: 'pending' }],
    spent: ['spend_report', ({ query }: PageQuery) => ({ days: daysOf(query.days), by: 'agent' })],
    agents: ['list_children', { limit: 6 }],
    names: TREE,
    orders: TO_CHECK,
    movements: ['wallet_statement', { limit: 6 }],
  },
  does: SIMPLE_CALLS,
  view: ({ wallet, todo, asked, spent, agents, names, orders, movements }, { query }) => (
    <>
      <Lead title="Home">
        <Sentence wallet={wallet} todo={todo} toCheck={orders?.total_count ?? 0} />
      </Lead>
      <Card id="money" title="Where the money is">
        <Places wallet={wallet} />
      </Card>
      <Card
        id="todo"
        title="To do"
        aside={<More href="/console/todo">All, including decided ones</More>}
      >
        <ToDo items={todo.inbox} approvals={asked?.approvals} names={names} />
      </Card>
      <div class="columns">
        <Card
          id="spent"
          title={`Spent, last ${daysOf(query.days)} days`}
          aside={<Days days={daysOf(query.days)} />}
        >
          {spent ? <DayChart report={spent} label="Spent a day" /> : <Missing />}
        </Card>
        <Card id="agents" title="Agents" aside={<More href="/console/agents">All agents</More>}>
          {agents ? <Agents agents={agents} /> : <Missing />}
        </Card>
      </div>
      <Card
        id="latest"
        title="Latest movements"
        aside={<More href="/console/money">Statement</More>}
      >
        {movements ? <Movements entries={movements.entries} /> : <Missing />}
      </Card>
    </>
  ),
});

const PERIODS = [7, 30, 90];

const daysOf = (text: string | undefined): number =>
  PERIODS.find((days) => String(days) === text) ?? 30;

const Days = ({ days }: { days: number }) => (
  <span class="tabs">
    {PERIODS.map((period) => (
      <a href={`/console?days=${period}`} aria-current={period === days ? 'true' : undefined}>
        {period} days
      </a>
    ))}
  </span>
);

const More = ({ href, children }: { href: string; children: string }) => (
  <a class="link small" href={href}>
    {children}
  </a>
);

interface SentenceProps {
  wallet: AnswerOf<'get_wallet'>;
  todo: AnswerOf<'inbox'>;
  /** Number of delivered orders. */
  toCheck: number;
}

/** A summary in words, which a screen reader reads first. */
function Sentence({ wallet, todo, toCheck }: SentenceProps) {
  const { now } = useShown();
  const waiting = decisionsIn(todo.counts);
  const first = todo.inbox[0]?.deadline;
  const coming = wallet.incoming?.total ?? 0;
  return (
    <p>
      You can spend <strong>{usdOf(wallet.balance)}</strong>.{' '}
      {wallet.in_escrow > 0 && `${usdOf(wallet.in_escrow)} is held. `}
      {coming > 0 && `${usdOf(coming)} is on its way to you. `}
      {wallet.owed > 0
        ? `You owe ${usdOf(wallet.owed)}: spending is stopped until that much has come in.`
        : 'You owe nothing.'}{' '}
      {waiting > 0 ? (
        <>
          <a href="#todo">{waiting === 1 ? 'One thing waits' : `${waiting} things wait`} for you</a>
          {first
            ? `, ${waiting === 1 ? 'and ends' : 'the first ends'} ${inTime(leftOf(now, first))}.`
            : '.'}
        </>
      ) : (
        'Nothing waits for you.'
      )}
      {toCheck > 0 && (
        <>
          {' '}
          <a href="/console/check">{plural(toCheck, 'order')} to check</a>
        </>
      )}
    </p>
  );
}

const inTime = (left: string) => (left === 'now' ? left : `in ${left}`);

function Agents({ agents }: { agents: AnswerOf<'list_children'> }) {
  if (agents.count === 0) {
    return (
      <Empty>
        No agents yet. <a href="/console/keys">Connect one</a> with your own key, or{' '}
        <a href="/console/agents">make one</a> with limits of its own.
      </Empty>
    );
  }
  return (
    <ul class="rows">
      {agents.children.map((agent) => (
        <li id={`agent-${agent.agent_id}`}>
          <span class="face" aria-hidden="true">
            {agent.agent_name.charAt(0).toUpperCase()}
          </span>
          <a href={`/console/agents/${agent.agent_id}`}>{agent.agent_name}</a>
          {agent.status === 'suspended' && <span class="badge owed">suspended</span>}
          <span class="end">
            <Usd amount={agent.spent_today} />{' '}
            <span class="dim">
              {agent.daily_spend_limit !== null && `of ${usdOf(agent.daily_spend_limit)} `}today
            </span>
          </span>
          {agent.daily_spend_limit !== null && agent.daily_spend_limit > 0 && (
            <Spent amount={agent.spent_today} limit={agent.daily_spend_limit} />
          )}
        </li>
      ))}
    </ul>
  );
}

/** Bar of the used part of a limit; the words beside it say the same. */
const Spent = ({ amount, limit }: { amount: number; limit: number }) => (
  <svg class="used" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
    <rect width={Math.min((Math.max(amount, 0) / limit) * 100, 100).toFixed(1)} height="1" />
  </svg>
);
