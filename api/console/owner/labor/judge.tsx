import type { AnswerOf } from '../../answers.ts';
import { invalidFilter } from '../../match.ts';
import { page, type PageQuery } from '../../page.ts';
import { useShown } from '../../page_state.ts';
import { Card, Empty } from '../../parts/card.tsx';
import { Do } from '../../parts/do.tsx';
import { Fields } from '../../parts/fields.tsx';
import { leftOf, plural, Quote, Usd, usdOf, Words } from '../../parts/text.tsx';
import { toUsd } from '../../../../shared/kernel/money.ts';
import { Instructions, templateIn } from './instructions.tsx';
import { judgePath, laborPath } from './paths.ts';
import { assertPictureHost, Payload, pictureHostIn } from './payload.tsx';
import { Answer } from './shown_answer.tsx';

type Task = AnswerOf<'get_labor_task'>;
type Claim = AnswerOf<'labor_claims'>['claims'][number];

const isOfAppeals = ({ query }: Pick<PageQuery, 'query'>) => query.of === 'appeals';

const idOf = ({ params }: PageQuery) => ({ task_id: Number(params.id) });

/** The deliveries that wait for their poster, one unit after the other. */
export const judge = page({
  path: '/console/labor/:id/judge',
  title: 'Judge deliveries',
  access: 'owner',
  reads: {
    task: ['get_labor_task', idOf],
    claims: [
      'labor_claims',
      (asked: PageQuery) => ({
        ...idOf(asked),
        to_judge: true,
        ...(isOfAppeals(asked) && { status: 'appealed' }),
        limit: 100,
      }),
    ],
  },
  does: ['judge_labor_claim'],
  pictures: pictureHostIn,
  view: ({ task, claims }, { query }) => {
    assertPictureHost({ query });
    if (query.of !== undefined && query.of !== 'appeals') throw invalidFilter('of');
    const [first] = claims.claims;
    const unit = claims.claims.filter(({ unit_id: id }) => id === first?.unit_id);
    return (
      <>
        <div class="lead">
          <h1>
            Judge: <Words>{task.title}</Words>
          </h1>
          <p>
            <Usd amount={task.reward} /> a delivery, from <Usd amount={task.budget} /> in all.{' '}
            <a href={laborPath(task.task_id)}>All deliveries</a>
          </p>
        </div>
        <p class="tabs">
          <a
            href={judgePath(task.task_id)}
            aria-current={isOfAppeals({ query }) ? undefined : 'true'}
          >
            Deliveries
          </a>
          <a
            href={`${judgePath(task.task_id)}?of=appeals`}
            aria-current={isOfAppeals({ query }) ? 'true' : undefined}
          >
            Appeals
          </a>
        </p>
        <div class="columns">
          <div class="stack">
            {first ? (
              <Unit task={task} claims={unit} />
            ) : (
              <Card id="unit" title="Unit">
                <Empty>Nothing of this task waits for your verdict.</Empty>
              </Card>
            )}
            {claims.count > unit.length && (
              <p class="small dim">
                {claims.has_more ? 'More than ' : ''}
                {plural(claims.count - unit.length, 'delivery').replace(/ys$/, 'ies')} wait after
                this.
              </p>
            )}
          </div>
          <div class="stack">
            <Instructions task={task} />
          </div>
        </div>
      </>
    );
  },
});

function Unit({ task, claims }: { task: Task; claims: readonly Claim[] }) {
  const [first] = claims;
  return (
    <Card id="unit" title={`Unit ${first!.unit_id}`} aside={<TimeLeft claim={first!} />}>
      <div class="inside stack">
        <Payload template={templateIn(task)}>{first!.payload.content}</Payload>
      </div>
      <ul class="rows" data-judge>
        {claims.map((claim) => (
          <Delivery task={task} claim={claim} />
        ))}
      </ul>
    </Card>
  );
}

const TimeLeft = ({ claim: { accepted_at: at } }: { claim: Claim }) => {
  const { now } = useShown();
  if (at === null) return <span class="small dim">Operators decide, unless you give in</span>;
  return <span class="small dim">Accepted by itself in {leftOf(now, at)}</span>;
};

function Delivery({ task, claim }: { task: Task; claim: Claim }) {
  const { settings, refused } = useShown();
  const { task_id, claim_id } = claim;
  const about = { task_id, claim_id };
  const label = `Accept and pay ${usdOf(task.reward)}`;
  const asks = task.reward > toUsd(settings.askAbove);
  const isRefused = refused?.given.claim_id?.includes(String(claim_id)) ?? false;
  const isAppeal = claim.status === 'appealed';
  return (
    <li id={`claim-${claim_id}`}>
      <div class="stack">
        <p class="small dim">
          Delivered by <Words>{claim.worker_username}</Words>, agent {claim.worker_id}, another
          party
        </p>
        <div>
          <Answer template={templateIn(task)} payload={claim.payload.content}>
            {claim.submission?.content ?? ''}
          </Answer>
        </div>
        {claim.reason && isAppeal && (
          <Quote by="you, who rejected it">{claim.reason.content}</Quote>
        )}
        {claim.appeal && <Quote by={claim.worker_username}>{claim.appeal.content}</Quote>}
        <div class="buttons" data-accept>
          <Do
            op="judge_labor_claim"
            input={{ ...about, verdict: 'accept' }}
            label={label}
            main={!asks}
            confirm={asks ? { title: `${label}?`, lines: ['This cannot be undone.'] } : undefined}
          />
        </div>
        {!isAppeal && (
          <details data-reject open={isRefused}>
            <summary>Reject</summary>
            <Do op="judge_labor_claim" input={{ ...about, verdict: 'reject' }} label="Reject">
              <Fields op="judge_labor_claim" only={['reason']} about={{ claim_id }} />
            </Do>
          </details>
        )}
      </div>
    </li>
  );
}
