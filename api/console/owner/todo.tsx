import type { AnswerOf } from '../answers.ts';
import { CHECKED_ELSEWHERE, decisionsIn, TO_CHECK } from '../decisions_in.ts';
import { page, type PageQuery } from '../page.ts';
import { Card, Empty, Lead, Missing, Pages } from '../parts/card.tsx';
import { plural, Usd, When, Words, wordsOf } from '../parts/text.tsx';
import { given } from '../parts/lists/query.ts';
import { TREE, withoutRoot } from './agents/names.tsx';
import { SIMPLE_CALLS } from './calls.tsx';
import { statesInWords } from '../words/problem_words.ts';
import { DISPUTED_SALES, FAILED_GOODS, ToDo } from './todo_list.tsx';

export const todo = page({
  path: '/console/todo',
  title: 'To do',
  access: 'owner',
  nav: { group: '', icon: 'todo', tab: 'To do', key: 't' },
  live: ['approval', 'order', 'task', 'labor', 'message', 'wallet'],
  reads: {
    todo: [
      'inbox',
      ({ query }: PageQuery) => ({
        except: CHECKED_ELSEWHERE,
        below: true,
        ...given(query, 'cursor'),
      }),
    ],
  },
  cards: {
    sales: DISPUTED_SALES,
    orders: TO_CHECK,
    verdicts: FAILED_GOODS,
    names: TREE,
    asked: ['list_approvals', { status: 'pending' }],
    approved: ['list_approvals', { status: 'approved', limit: 5 }],
    denied: ['list_approvals', { status: 'denied', limit: 5 }],
  },
  does: SIMPLE_CALLS,
  view: ({ todo: waiting, asked, orders, approved, denied, ...about }, { query }) => (
    <>
      <Lead title="To do">
        <p>
          {plural(decisionsIn(waiting.counts), 'thing')} waiting for a decision of yours.
          {(orders?.total_count ?? 0) > 0 && (
            <>
              {' '}
              <a href="/console/check">{plural(orders!.total_count!, 'order')} to check</a>
            </>
          )}
        </p>
      </Lead>
      <Card id="todo" title="By deadline, then by money">
        <ToDo
          items={waiting.inbox}
          approvals={asked?.approvals}
          sales={about.sales?.orders}
          verdicts={about.verdicts?.goods_verdicts}
          names={about.names}
        />
        <Pages path="/console/todo" of={waiting} query={query} />
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

function Decided({ approvals }: { approvals: readonly Approval[] }) {
  if (approvals.length === 0)
    return <Empty>No decisions yet. Your decisions are listed here.</Empty>;
  const latest = approvals.toSorted((a, b) => b.approval_id - a.approval_id).slice(0, 5);
  return (
    <ul class="rows">
      {latest.map((one) => (
        <li>
          <span class={`badge ${one.status === 'approved' ? 'yours' : 'owed'}`}>{one.status}</span>
          <Words>{one.title ?? wordsOf(one.operation)}</Words> for{' '}
          <Words>{withoutRoot(one.username)}</Words>
          {one.refused_because !== null && (
            <span class="small">
              Not carried out: <Words>{statesInWords(one.refused_because)}</Words>
            </span>
          )}
          <span class="end">
            <Usd amount={one.amount} /> {one.decided_at && <When at={one.decided_at} />}
          </span>
        </li>
      ))}
    </ul>
  );
}
