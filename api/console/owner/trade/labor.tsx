import { page, type PageQuery } from '../../page.ts';
import { Card, Empty, Missing } from '../../parts/card.tsx';
import { Do } from '../../parts/do.tsx';
import { Fields } from '../../parts/fields.tsx';
import { Badge, Quote, Usd, When, Words, wordsOf } from '../../parts/text.tsx';
import { CallButton } from '../calls.tsx';
import { Instructions, PosterText } from '../labor/instructions.tsx';
import { judgePath, labelPath, resultsPath } from '../labor/paths.ts';
import { AgentName, AgentText, TREE, withoutRoot } from '../agents/names.tsx';
import { PassTime } from './pass_time.tsx';

const idOf = ({ params }: PageQuery) => ({ task_id: Number(params.id) });

const aboutOf = ({ task_id, claim_id }: { task_id: number; claim_id: number }) => ({
  task_id,
  claim_id,
});

export const labor = page({
  path: '/console/labor/:id',
  title: 'Labor',
  access: 'owner',
  live: ['labor'],
  reads: { task: ['get_labor_task', idOf] },
  cards: { claims: ['labor_claims', idOf], names: TREE },
  does: [
    'pause_labor_task',
    'cancel_labor_task',
    'judge_labor_claim',
    'labor_appeal',
    'sandbox_advance',
  ],
  view: ({ task, claims, names }, { agentId }) => (
    <>
      <div class="lead">
        <h1>
          Labor #{task.task_id}: <Words>{task.title}</Words>
        </h1>
        <p>
          <Badge state={task.status} /> {task.accepted} of {task.units} units accepted
        </p>
        <p>
          <Usd amount={task.paid} /> paid of <Usd amount={task.budget} />
        </p>
        <p>
          {wordsOf(task.kind)},{' '}
          {task.poster_username && (
            <>
              posted by <bdi>{withoutRoot(task.poster_username)}</bdi>,{' '}
            </>
          )}
          due <When at={task.due_at} />
        </p>
      </div>
      <div class="buttons">
        {task.available_actions.includes('take_labor_task') && (
          <a class="button main" href={labelPath(task.task_id)}>
            Label units
          </a>
        )}
        {task.role === 'poster' && (
          <>
            <a class="button" href={judgePath(task.task_id)}>
              Judge deliveries
            </a>
            <a class="button" href={resultsPath(task.task_id)}>
              Results
            </a>
          </>
        )}
        {task.available_actions
          .filter((tool) => tool === 'pause_labor_task' || tool === 'cancel_labor_task')
          .map((tool) =>
            tool === 'pause_labor_task' && task.status === 'paused' ? (
              <Do op={tool} input={{ task_id: task.task_id, paused: false }} label="Go on" />
            ) : (
              <CallButton
                call={{ tool, arguments: { task_id: task.task_id }, needs: [] }}
                amount={task.budget - task.paid}
              />
            ),
          )}
      </div>
      <Instructions task={task} />
      {task.deadlines.length > 0 && <PassTime kind="labor_task" id={task.task_id} />}
      <Card id="claims" title="Deliveries">
        {!claims ? (
          <Missing />
        ) : claims.count === 0 ? (
          <Empty>Nobody has taken a unit yet.</Empty>
        ) : (
          <ul class="rows">
            {claims.claims.map((claim) => (
              <li id={`claim-${claim.claim_id}`}>
                <div class="stack">
                  <p>
                    #{claim.claim_id},{' '}
                    <AgentName
                      tree={{ agentId, names }}
                      id={claim.worker_id}
                      username={claim.worker_username}
                    />{' '}
                    <Badge state={claim.status} />
                  </p>
                  <PosterText task={task}>{claim.payload.content}</PosterText>
                  {claim.submission && (
                    <AgentText
                      tree={{ agentId, names }}
                      by={claim.worker_id}
                      username={claim.worker_username}
                    >
                      {claim.submission.content}
                    </AgentText>
                  )}
                  {claim.reason && claim.status === 'rejected' && (
                    <Quote by="who rejected it">{claim.reason.content}</Quote>
                  )}
                </div>
                {task.role === 'poster' && claim.status === 'verifying' && claim.submission && (
                  <span class="end">
                    <CallButton
                      call={{
                        tool: 'judge_labor_claim',
                        arguments: { ...aboutOf(claim), verdict: 'accept' },
                        needs: [],
                      }}
                      amount={task.reward}
                    />
                    <details>
                      <summary>Reject</summary>
                      <Do
                        op="judge_labor_claim"
                        input={{ ...aboutOf(claim), verdict: 'reject' }}
                        label="Reject"
                      >
                        <Fields
                          op="judge_labor_claim"
                          only={['reason']}
                          about={{ claim_id: claim.claim_id }}
                        />
                      </Do>
                    </details>
                  </span>
                )}
                {claim.worker_id === agentId && claim.appeal_by && (
                  <span class="end">
                    <details>
                      <summary>Appeal</summary>
                      <Do op="labor_appeal" input={aboutOf(claim)} label="Appeal">
                        <Fields
                          op="labor_appeal"
                          only={['reason']}
                          about={{ claim_id: claim.claim_id }}
                        />
                      </Do>
                    </details>
                  </span>
                )}
              </li>
            ))}
          </ul>
        )}
      </Card>
    </>
  ),
});
