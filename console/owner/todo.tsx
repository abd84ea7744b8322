import type { AnswerOf } from '../answers.ts';
import { page, type Asked } from '../page.ts';
import { Card, Empty, Missing, Older } from '../parts/card.tsx';
import { plural, Usd, When, Words, wordsOf } from '../parts/text.tsx';
import { CallButton, SIMPLE_CALLS } from './calls.tsx';
import { Left, ToDo } from './todo_list.tsx';

export const todo = page({
  path: '/console/todo',
  title: 'To do',
  access: 'owner',
  nav: { group: '', icon: 'todo', tab: 'To do' },
  live: ['approval', 'order', 'task', 'labor', 'message', 'wallet'],
  reads: {
    todo: ['inbox', ({ query }: Asked) => ({ ...(query.cursor && { cursor: query.cursor }) })],
  },
  cards: {
    asked: ['list_approvals', { status: 'pending' }],
    approved: ['list_approvals', { status: 'approved', limit: 5 }],
    denied: ['list_approvals', { status: 'denied', limit: 5 }],
  },
  does: SIMPLE_CALLS,
  view: ({ todo: waiting, asked, approved, denied }, { query }) => (
    <>
      <div class="lead">
        <h1>To do</h1>
        <p>
          {plural(
            waiting.counts.reduce((sum, { count }) => sum + count, 0),
            'thing',
          )}{' '}
          waiting
        </p>
      </div>
      <Card id="todo" title="By deadline, then by money">
        <ToDo items={waiting.inbox} />
        <Older path="/console/todo" cursor={waiting.next_cursor} query={query} />
      </Card>
      <Card id="approvals" title="What your agents ask">
        {asked ? <Asks approvals={asked.approvals} /> : <Missing />}
      </Card>
      <Card id="decided" title="Decided">
        {approved && denied ? (
          <Decided approvals={[...approved.approvals, ...denied.approvals]} />
        ) : (
          <Missing />
        )}
      </Card>
    </>
  ),
});

type Approval = AnswerOf<'list_approvals'>['approvals'][number];

const RULES: Readonly<Record<string, string>> = {
  approval_threshold: 'You are asked above a limit',
  new_seller_threshold: 'You are asked about the first purchase from a seller',
  governance_level: 'Your governance level asks about this',
};

function Asks({ approvals }: { approvals: readonly Approval[] }) {
  if (approvals.length === 0) return <Empty>No agent waits for your decision.</Empty>;
  return (
    <ul class="todo">
      {approvals.map((one) => (
        <li id={`approval-${one.approval_id}`}>
          <span class="face" aria-hidden="true">
            {one.username.charAt(0).toUpperCase()}
          </span>
          <div>
            <p>
              <Words>{one.username}</Words> asks:{' '}
              <strong>
                <Words>{one.title ?? wordsOf(one.operation)}</Words>
              </strong>
              , <Usd amount={one.amount} />
            </p>
            <p class="why">
              {RULES[one.rule]}
              {one.asks_above !== null && (
                <>
                  {' '}
                  (<Usd amount={one.asks_above} />)
                </>
              )}
              {one.seller && (
                <>
                  ; from <Words>{one.seller}</Words>
                </>
              )}
              . If you do nothing, it is refused.
            </p>
          </div>
          <Left deadline={one.expires_at} />
          <div class="buttons">
            {(['approve', 'deny'] as const).map((decision) => (
              <CallButton
                call={{
                  tool: 'decide_approval',
                  arguments: { approval_id: one.approval_id, decision },
                  needs: [],
                }}
                amount={one.amount}
                main
              />
            ))}
          </div>
        </li>
      ))}
    </ul>
  );
}

function Decided({ approvals }: { approvals: readonly Approval[] }) {
  if (approvals.length === 0) return <Empty>What you decide stands here.</Empty>;
  const latest = approvals.toSorted((a, b) => b.approval_id - a.approval_id).slice(0, 5);
  return (
    <ul class="rows">
      {latest.map((one) => (
        <li>
          <span class={`badge ${one.status === 'approved' ? 'yours' : 'owed'}`}>{one.status}</span>
          <Words>{one.title ?? wordsOf(one.operation)}</Words> for <Words>{one.username}</Words>
          <span class="end">
            <Usd amount={one.amount} /> {one.decided_at && <When at={one.decided_at} />}
          </span>
        </li>
      ))}
    </ul>
  );
}
