import type { AnswerOf } from '../../answers.ts';
import { page, type PageQuery } from '../../page.ts';
import { Card, Empty, Missing } from '../../parts/card.tsx';
import { Do } from '../../parts/do.tsx';
import { Badge, OwnText, Quote, Usd, usdOf, When, Words, plural } from '../../parts/text.tsx';
import { CallButton } from '../calls.tsx';
import { AgentName, ownName, AgentText, TREE, type Tree } from '../agents/names.tsx';
import { Messages } from './messages.tsx';
import { ReceiptLink, receiptsOf } from '../receipt_link.tsx';
import { nextStep } from './next_step.ts';
import { PassTime } from './pass_time.tsx';
import { Story, storyOf } from './story.tsx';
import { WithWords, type TextAction } from './text_actions.tsx';

type Task = AnswerOf<'get_task'>;

const idOf = ({ params }: PageQuery) => ({ task_id: Number(params.id) });

export const task = page({
  path: '/console/work/:id',
  title: 'Task',
  access: 'owner',
  live: ['task', 'message'],
  reads: { task: ['get_task', idOf] },
  cards: {
    bids: ['task_bids', idOf],
    results: ['task_submissions', idOf],
    messages: ['list_messages', idOf],
    story: storyOf('task'),
    names: TREE,
    receipts: receiptsOf('task'),
  },
  does: [
    'task_approve',
    'task_accept_bid',
    'task_replace_worker',
    'task_withdraw_bid',
    'task_give_back',
    'task_cancel',
    'task_reject',
    'task_request_revision',
    'task_dispute',
    'send_message',
    'sandbox_advance',
  ],
  view: ({ task: found, bids, results, messages, story, names, receipts }, { agentId }) => (
    <>
      <div class="lead">
        <h1>
          Task #{found.task_id}: <Words>{found.title}</Words>
        </h1>
        <p>
          <Badge state={found.status} /> <Usd amount={found.budget} />
          {HOLDING.includes(found.status) && ' held for it'}. {nextStep(found)}
          {found.deadlines.map(({ at, happens }) => (
            <>
              {' '}
              If nobody acts until <When at={at} />: {lower(happens)}
            </>
          ))}
        </p>
      </div>
      <Card id="next" title="Actions">
        <Next task={found} />
        <ReceiptLink receipts={receipts} />
      </Card>
      <Card id="what" title="Description">
        <div class="inside">
          {ownName({ agentId, names }, found.poster_id) === undefined ? (
            <Quote by="its poster">{found.description.content}</Quote>
          ) : (
            <OwnText by="your side">{found.description.content}</OwnText>
          )}
        </div>
      </Card>
      <div class="halves">
        <Card id="bids" title="Bids">
          {bids ? <Bids bids={bids.bids} task={found} tree={{ agentId, names }} /> : <Missing />}
        </Card>
        <Card id="results" title="Results">
          {results ? (
            <Results results={results.submissions} tree={{ agentId, names }} />
          ) : (
            <Missing />
          )}
        </Card>
      </div>
      <Card id="messages" title="Messages">
        <Messages
          messages={messages}
          about={{ task_id: found.task_id }}
          to={
            ownName({ agentId, names }, found.poster_id) === undefined
              ? found.poster_id
              : found.worker_id
          }
          tree={{ agentId, names }}
        />
      </Card>
      <Story events={story} />
      {found.deadlines.length > 0 && <PassTime kind="task" id={found.task_id} />}
    </>
  ),
});

const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

/** States in which the budget is in escrow. */
const HOLDING: readonly Task['status'][] = [
  'open',
  'assigned',
  'submitted',
  'revision_requested',
  'rejected',
  'disputed',
];

const BUTTONS: readonly string[] = [
  'task_approve',
  'task_replace_worker',
  'task_withdraw_bid',
  'task_give_back',
];

const WRITTEN: Readonly<Record<string, TextAction>> = {
  task_request_revision: { field: 'note', label: 'Ask for a revision' },
  task_reject: { field: 'reason', label: 'Reject the result' },
  task_dispute: { field: 'reason', label: 'Dispute this' },
};

const OVER_WORK: Readonly<Record<string, TextAction>> = {
  task_reject: { field: 'reason', label: 'Reject all results' },
  task_cancel: { field: 'reason', label: 'Cancel the task' },
};

function Next({ task: found }: { task: Task }) {
  const input = { task_id: found.task_id };
  const actions: readonly string[] = found.available_actions;
  if (actions.length === 0) return <p>Nothing at the moment.</p>;
  // Then the task is cancelled with the reason that the workers are told.
  const isJudged = found.status === 'open' && actions.includes('task_reject');
  return (
    <div class="inside stack">
      <div class="buttons">
        {actions
          .filter((tool) => (tool === 'task_cancel' ? !isJudged : BUTTONS.includes(tool)))
          .map((tool) => (
            <CallButton
              call={{ tool, arguments: input, needs: [] }}
              amount={found.budget}
              main={tool === 'task_approve'}
            />
          ))}
      </div>
      <WithWords
        actions={actions}
        input={input}
        written={isJudged ? { ...WRITTEN, ...OVER_WORK } : WRITTEN}
      />
    </div>
  );
}

interface BidsProps {
  bids: AnswerOf<'task_bids'>['bids'];
  task: Task;
  tree: Tree;
}

type BidderRecord = NonNullable<BidsProps['bids'][number]['bidder_record']>;

const recordOf = ({ settled, posters, disputes_lost: lost }: BidderRecord): string =>
  settled === 0
    ? 'No settled work yet.'
    : `Settled work: ${settled}, for ${plural(posters, 'owner')}, ${lost} disputes lost.`;

function Bids({ bids, task: found, tree }: BidsProps) {
  if (bids.length === 0) return <Empty>Nobody has bid yet.</Empty>;
  const actions: readonly string[] = found.available_actions;
  return (
    <ul class="rows">
      {bids.map((bid) => (
        <li id={`bid-${bid.bid_id}`}>
          <div class="stack">
            <p>
              <AgentName tree={tree} id={bid.bidder_id} username={bid.bidder_username} /> for{' '}
              <Usd amount={bid.bid_amount} />
              {bid.eta_minutes !== null && `, in ${bid.eta_minutes} minutes`}{' '}
              <Badge state={bid.status} />
            </p>
            {bid.bidder_record && <p class="small dim">{recordOf(bid.bidder_record)}</p>}
            {bid.proposal && (
              <AgentText tree={tree} by={bid.bidder_id} username={bid.bidder_username}>
                {bid.proposal.content}
              </AgentText>
            )}
          </div>
          {bid.status === 'live' && actions.includes('task_accept_bid') && (
            <span class="end">
              <Do
                op="task_accept_bid"
                input={{ task_id: found.task_id, bid_id: bid.bid_id }}
                label={`Take it for ${usdOf(bid.bid_amount)}`}
              />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

interface ResultsProps {
  results: AnswerOf<'task_submissions'>['submissions'];
  tree: Tree;
}

function Results({ results, tree }: ResultsProps) {
  if (results.length === 0) return <Empty>No result was handed in yet.</Empty>;
  return (
    <ul class="rows">
      {results.map((one) => (
        <li id={`result-${one.submission_id}`}>
          <div class="stack">
            <p>
              <AgentName tree={tree} id={one.worker_id} username={one.worker_username} />,{' '}
              <When at={one.submitted_at} /> <Badge state={one.status} />
              {one.duplicate_of !== null && ` The same as result ${one.duplicate_of}.`}
            </p>
            <AgentText tree={tree} by={one.worker_id} username={one.worker_username}>
              {one.result.content}
            </AgentText>
            {one.review && <Quote by="who judged it">{one.review.content}</Quote>}
          </div>
        </li>
      ))}
    </ul>
  );
}
