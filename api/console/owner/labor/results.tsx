import type { AnswerOf } from '../../answers.ts';
import { page, type PageQuery } from '../../page.ts';
import { Card, Empty, Pages, Table } from '../../parts/card.tsx';
import { plural, Usd, Words } from '../../parts/text.tsx';
import { given } from '../../parts/lists/query.ts';
import { laborPath, resultsPath } from './paths.ts';

type Results = AnswerOf<'labor_results'>;

const idOf = ({ params }: PageQuery) => ({ task_id: Number(params.id) });

/** The answers to the units of a task that the owner has posted, and all of them as files. */
export const results = page({
  path: '/console/labor/:id/results',
  title: 'Results',
  access: 'owner',
  reads: {
    task: ['get_labor_task', idOf],
    results: [
      'labor_results',
      (asked: PageQuery) => ({
        ...idOf(asked),
        limit: 20,
        ...given(asked.query, 'cursor'),
      }),
    ],
  },
  view: ({ task, results: found }, { query }) => (
    <>
      <div class="lead">
        <h1>
          Results: <Words>{task.title}</Words>
        </h1>
        <p>
          {task.accepted} of {plural(task.units, 'unit')} accepted
        </p>
        <p>
          <Usd amount={task.paid} /> of <Usd amount={task.budget} /> paid
        </p>
        <p>
          <a href={laborPath(task.task_id)}>Deliveries</a>
        </p>
      </div>
      <Card id="files" title="All units as a file">
        <p class="buttons">
          {FILES.map(([name, label]) => (
            <a class="button" href={`${resultsPath(task.task_id)}.${name}`} download>
              {label}
            </a>
          ))}
        </p>
        <p class="small dim">
          JSONL has a line for each unit, CSV for each answer. Label Studio imports its tasks into a
          project with that labeling interface.
        </p>
      </Card>
      {found.task_alpha !== null && (
        <Card id="agreement" title="Agreement">
          <dl class="pairs">
            <dt>Krippendorff's alpha</dt>
            <dd>
              {found.task_alpha.toFixed(3).replace('-', '−')}, of{' '}
              {plural(found.task_alpha_units, 'unit')} with two answers: 1 if all agree, 0 as by
              chance
            </dd>
            <dt>Units that workers gave up</dt>
            <dd>{task.poster_record?.given_up ?? 0}</dd>
          </dl>
        </Card>
      )}
      <Card id="units" title="Units">
        {found.count === 0 ? <Empty>No units.</Empty> : <Units found={found} />}
        <Pages path={resultsPath(task.task_id)} of={found} query={query} />
      </Card>
    </>
  ),
});

const FILES = [
  ['jsonl', 'JSONL'],
  ['csv', 'CSV'],
  ['json', 'Label Studio: tasks'],
  ['xml', 'Label Studio: interface'],
] as const;

interface Line {
  readonly n: number;
  readonly payload: string;
  readonly answer: string | null;
  readonly agreement: number | null;
  readonly answers: readonly object[];
}

/** Longer texts are cut: the files have all of them. */
const CHARS_MAX = 120;
const cut = (text: string) =>
  text.length > CHARS_MAX ? `${Array.from(text).slice(0, CHARS_MAX).join('')} …` : text;

const Units = ({ found: { jsonl } }: { found: Results }) => (
  <Table
    label="Units"
    rows={jsonl.content
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Line)}
    columns={[
      { head: 'Unit', cell: ({ n, payload }) => [`${n} `, <Words>{cut(payload)}</Words>] },
      {
        head: 'Answer',
        cell: ({ answer }) => (answer === null ? 'none yet' : <Words>{cut(answer)}</Words>),
      },
      { head: 'Answers', right: true, wide: true, cell: ({ answers }) => answers.length },
      {
        head: 'Agree',
        right: true,
        wide: true,
        cell: ({ agreement }) => (agreement === null ? '' : agreement.toFixed(2)),
      },
    ]}
  />
);
