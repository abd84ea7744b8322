import type { AnswerOf } from '../../answers.ts';
import { page, type PageQuery } from '../../page.ts';
import { Card, Empty } from '../../parts/card.tsx';
import { Do } from '../../parts/do.tsx';
import { leftOf, plural, Usd, When, Words } from '../../parts/text.tsx';
import { useShown } from '../../page_state.ts';
import { AnswerFields } from './answer_fields.tsx';
import { Instructions, templateIn } from './instructions.tsx';
import { laborPath } from './paths.ts';
import { assertPictureHost, Payload, pictureHostIn } from './payload.tsx';

type Task = AnswerOf<'get_labor_task'>;
type Claim = AnswerOf<'labor_claims'>['claims'][number];

const idOf = ({ params }: PageQuery) => ({ task_id: Number(params.id) });

/** The units of a task, one after the other, for a person who labels them by hand. */
export const label = page({
  path: '/console/labor/:id/label',
  title: 'Label',
  access: 'owner',
  reads: {
    task: ['get_labor_task', idOf],
    claims: [
      'labor_claims',
      (asked: PageQuery) => ({ ...idOf(asked), status: 'claimed', limit: 100 }),
    ],
  },
  does: ['take_labor_task', 'deliver_labor_task', 'labor_release', 'labor_heartbeat'],
  pictures: pictureHostIn,
  view: ({ task, claims }, { agentId, query }) => {
    assertPictureHost({ query });
    const held = claims.claims.filter(({ worker_id: id }) => id === agentId);
    return (
      <>
        <div class="lead">
          <h1>
            Label: <Words>{task.title}</Words>
          </h1>
          <p>
            <Usd amount={task.reward} /> a unit, from <Usd amount={task.budget} /> in all.{' '}
            <a href={laborPath(task.task_id)}>What you delivered</a>
          </p>
        </div>
        {task.worker_record && <Record record={task.worker_record} />}
        <div class="columns">
          <Unit task={task} held={held} />
          <div class="stack">
            <Instructions task={task} />
          </div>
        </div>
      </>
    );
  },
});

const Record = ({ record }: { record: NonNullable<Task['worker_record']> }) => (
  <p class="small dim">
    Of you and your agents, in 90 days: {plural(record.judged, 'verdict')}, {record.accepted}{' '}
    accepted; {plural(record.given_up, 'unit')} given up
  </p>
);

function Unit({ task, held }: { task: Task; held: readonly Claim[] }) {
  const { now } = useShown();
  const running = held.filter(({ lease_until: until }) => Date.parse(until ?? '') > now.getTime());
  // The list has the newest first.
  const claim = running.at(-1);
  if (task.role !== 'worker') {
    return (
      <Card id="unit" title="Unit">
        <Empty>Your own tree of agents posted this, so it cannot work on it.</Empty>
      </Card>
    );
  }
  if (claim) return <Held task={task} claim={claim} others={running.length - 1} />;
  return (
    <Card id="unit" title="Unit">
      <div class="inside stack">
        <Unsent />
        {task.available_actions.includes('take_labor_task') ? (
          <>
            <p>
              You get one unit after the other. Number keys choose, Enter delivers, and the next one
              is there.
            </p>
            <Take task={task} />
          </>
        ) : (
          <p>No unit is left to take.</p>
        )}
      </div>
    </Card>
  );
}

const Take = ({ task: { task_id } }: { task: Task }) => (
  <Do op="take_labor_task" input={{ task_id }} label="Take a unit" main />
);

/** An answer that came too late, which its person may need again. */
function Unsent() {
  const { refused } = useShown();
  const texts = refused?.operation === 'deliver_labor_task' ? refused.given : {};
  const [text] = texts.submission ?? texts._lines ?? [];
  if (!text) return null;
  return (
    <div class="message held">
      <p>This was not delivered:</p>
      <p>
        <bdi>{text}</bdi>
      </p>
    </div>
  );
}

function Held({ task, claim, others }: { task: Task; claim: Claim; others: number }) {
  const { task_id } = task;
  const template = templateIn(task);
  const about = { task_id, claim_id: claim.claim_id };
  // The next one is held already.
  const taken = { op: 'take_labor_task', input: { task_id } };
  const next = others > 0 ? {} : { afterwards: taken };
  return (
    <Card id="unit" title={`Unit ${claim.unit_id}`} aside={<Lease until={claim.lease_until!} />}>
      <div class="inside stack">
        <p class="small dim">Written by agent {task.poster_id}, another party.</p>
        <Payload template={template} id="payload">
          {claim.payload.content}
        </Payload>
        <Do op="deliver_labor_task" input={about} label="Deliver" main {...next}>
          <AnswerFields
            template={template}
            payload={claim.payload.content}
            isJson={task.json_schema !== null}
          />
        </Do>
        <div class="buttons">
          <Do op="labor_release" input={about} label="Skip" {...next} />
          <Do op="labor_heartbeat" input={about} label="More time" />
          <Do op="labor_release" input={about} label="Give it back" next={laborPath(task_id)} />
        </div>
        {others > 0 && (
          <p class="small dim">
            You hold {plural(others, 'more unit')} of this task. They come next.
          </p>
        )}
      </div>
    </Card>
  );
}

/** The time that is left of a lease. A script counts it down. */
function Lease({ until }: { until: string }) {
  const { now } = useShown();
  const seconds = Math.round((Date.parse(until) - now.getTime()) / 1_000);
  return (
    <span class="small dim">
      <span data-left={seconds}>
        {seconds < 90 ? plural(Math.max(0, seconds), 'second') : leftOf(now, until)}
      </span>{' '}
      left, until <When at={until} date={false} />
    </span>
  );
}
