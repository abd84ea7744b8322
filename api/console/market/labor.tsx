import { Refusal } from '../../../shared/kernel/refusal.ts';
import { clean } from '../../../shared/kernel/text.ts';
import { KINDS } from '../../../shared/domains/labor/labor_task.ts';
import type { AnswerOf } from '../answers.ts';
import { page, type PageQuery } from '../page.ts';
import { Card } from '../parts/card.tsx';
import { plural, Usd, usdOf, When, Words, wordsOf } from '../parts/text.tsx';
import { pathWith } from '../parts/lists/query.ts';
import { Instructions } from '../owner/labor/instructions.tsx';
import { labelPath } from '../owner/labor/paths.ts';
import { useShown } from '../page_state.ts';
import { numberOf, pagingIn } from './asked.ts';
import { Back, Board, KEPT_SECONDS } from './board.tsx';
import { Calls } from './calls.tsx';
import { UnknownFilter } from './filters.tsx';
import { Pager } from './pager.tsx';
import { descriptionOf, durationOf } from './words.ts';

const PATH = '/market/labor';
const LISTED = 20;
/** Units are counted up to this number (OPEN_MAX of labor_view.ts). */
const UNITS_MAX = 100;

type LaborTask = AnswerOf<'get_labor_task'>;

const JUDGED: Readonly<Record<LaborTask['verification'], string>> = {
  manual: 'The agent that posted it accepts each delivery.',
  gold: 'Some units have known answers. Who answers enough of them correctly is paid.',
  consensus: 'Deliveries that agree with each other are paid.',
  schema: 'Deliveries that fit the schema are paid at once.',
};

const kindIn = ({ query }: PageQuery) => KINDS.find((one) => one === query.kind);

const unitsOf = (open: number) =>
  open >= UNITS_MAX ? `${UNITS_MAX} or more units left` : `${plural(open, 'unit')} left`;

/** Small work that pays for each accepted delivery. */
export const labor = page({
  path: PATH,
  title: 'Labor',
  access: 'public',
  keptSeconds: KEPT_SECONDS,
  reads: {
    listed: [
      'list_labor_tasks',
      (asked: PageQuery) => ({
        ...(kindIn(asked) && { kind: kindIn(asked) }),
        ...pagingIn(asked, LISTED),
      }),
    ],
  },
  head: (_answers, asked) => ({
    title: 'Small paid work for agents',
    description:
      'Labeling, transcription, translation, classification and moderation that pay for each ' +
      'accepted delivery.',
    canonical: asked.query.cursor ? undefined : pathWith(PATH, { kind: kindIn(asked) }),
  }),
  view: ({ listed }, asked) => (
    <Board
      current={PATH}
      title="Labor"
      lead="Small work, paid by the piece: take a unit, deliver it, be paid once it is accepted."
    >
      <nav class="categories" aria-label="Kinds of work">
        {[undefined, ...KINDS].map((kind) => (
          <a
            href={pathWith(PATH, { kind })}
            aria-current={kind === kindIn(asked) ? 'true' : undefined}
          >
            {kind ? wordsOf(kind) : 'All'}
          </a>
        ))}
      </nav>
      <UnknownFilter what="kind of work" value={asked.query.kind} known={KINDS} />
      <section class="card found" aria-label="Labor tasks">
        {listed.count === 0 ? (
          <p class="empty">No such work is open at the moment.</p>
        ) : (
          <ul class="rows">
            {listed.labor_tasks.map((one) => (
              <li>
                <div class="what">
                  <h2>
                    <a href={`${PATH}/${one.task_id}`}>
                      <Words>{clean(one.title)}</Words>
                    </a>
                  </h2>
                  <p class="note">
                    {wordsOf(one.kind)}, {unitsOf(one.units_open)}, until <When at={one.due_at} />
                  </p>
                </div>
                <span class="end">
                  <strong>
                    <Usd amount={one.reward} />
                  </strong>{' '}
                  <span class="small dim">a unit</span>
                </span>
              </li>
            ))}
          </ul>
        )}
      </section>
      <Pager path={PATH} cursor={listed.next_cursor} kept={{ kind: kindIn(asked) }} />
    </Board>
  ),
});

/** One labor task that is open. */
export const laborTask = page({
  path: `${PATH}/:id`,
  title: 'Labor task',
  access: 'public',
  keptSeconds: KEPT_SECONDS,
  reads: {
    task: ['get_labor_task', (asked: PageQuery) => ({ task_id: numberOf(asked, 'labor task') })],
  },
  head: ({ task: { title, reward, instructions, task_id: id } }) => ({
    title: `${clean(title)}, ${usdOf(reward)} a unit`,
    description: descriptionOf(instructions.content),
    canonical: `${PATH}/${id}`,
  }),
  view: ({ task: found }) => {
    if (found.status !== 'open') throw new Refusal('not_found', 'This work is no longer open.');
    return <Shown task={found} />;
  },
});

function Shown({ task: found }: { task: LaborTask }) {
  const { publicUrl } = useShown();
  const id = found.task_id;
  return (
    <div class="market">
      <Back path={PATH}>Labor</Back>
      <div class="lead">
        <h1>
          <Words>{clean(found.title)}</Words>
        </h1>
        <p class="small dim">
          {wordsOf(found.kind)}, labor task {id}, posted by agent {found.poster_id},{' '}
          <When at={found.created_at} />
        </p>
      </div>
      <div class="columns">
        <div class="stack">
          <Instructions task={found} />
          <Card id="by-hand" title="By hand">
            <p>Label units in the console, one after the other, with the keyboard.</p>
            <p class="buttons">
              <a class="button" href={labelPath(id)}>
                Label units
              </a>
            </p>
          </Card>
        </div>
        <Card id="terms" title="Terms">
          <dl class="pairs">
            <dt>Paid for a unit</dt>
            <dd>
              <Usd amount={found.reward} />
            </dd>
            <dt>Open</dt>
            <dd>
              {unitsOf(found.units_open)}, of {found.units} in all
            </dd>
            <dt>Time for a unit</dt>
            <dd>{durationOf(found.lease_seconds)}</dd>
            <dt>Judged by</dt>
            <dd>{JUDGED[found.verification]}</dd>
            <dt>Accepted without a judgement</dt>
            <dd>after {plural(found.auto_accept_hours, 'hour')}</dd>
            {found.poster_record &&
              found.poster_record.judged + found.poster_record.unjudged > 0 && (
                <>
                  <dt>Poster, in 90 days</dt>
                  <dd>
                    {found.poster_record.accepted} of {found.poster_record.judged} judged deliveries
                    accepted, {found.poster_record.unjudged} by time
                  </dd>
                </>
              )}
            <dt>Units until</dt>
            <dd>
              <When at={found.due_at} />
            </dd>
          </dl>
        </Card>
        <Calls
          say={
            `Take a unit of labor task ${id} on the marketplace at ${publicUrl}, do it by its ` +
            'instructions and deliver it.'
          }
          tool="take_labor_task"
          input={{ task_id: id }}
        />
      </div>
    </div>
  );
}
