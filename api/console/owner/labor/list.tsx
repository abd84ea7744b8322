import type { AnswerOf } from '../../answers.ts';
import type { PageQuery } from '../../page.ts';
import { Card, Empty, Missing, Pages, Table } from '../../parts/card.tsx';
import { StateFilter } from '../../parts/lists/filter.tsx';
import { Badge, Usd, Words, wordsOf } from '../../parts/text.tsx';
import { pathWith } from '../../parts/lists/query.ts';
import { OwnAgent } from '../agents/names.tsx';
import { BY_TIME, byLargest } from '../trade/orders.tsx';
import { labelPath } from './paths.ts';

type Query = PageQuery['query'];
type LaborList = AnswerOf<'list_labor_tasks'>;
type LaborTask = LaborList['labor_tasks'][number];

/** States of labor tasks, as people filter by them. */
const STATES = {
  open: 'open',
  paused: 'paused',
  completed: 'completed',
  cancelled: 'cancelled',
  expired: 'expired',
};

const isTaken = (query: Query) => query.labor === 'taken';
const sortOf = (query: Query) => query.labor_sort || 'newest';

/** The read of the card, by the fields of the query that begin with `labor`. */
export const LABOR_READ = [
  'list_labor_tasks',
  ({ query }: Pick<PageQuery, 'query'>) => ({
    below: true,
    ...(isTaken(query) && { taken: true }),
    ...(query.labor_status && { status: query.labor_status }),
    sort: sortOf(query),
    ...(query.labor_cursor && { cursor: query.labor_cursor }),
  }),
] as const;

interface LaborCardProps {
  labor: LaborList | null;
  query: Query;
  root: number | undefined;
  path: string;
}

/** The labor that the tree posted, or has taken. */
export const LaborCard = ({ labor, query, root, path }: LaborCardProps) => (
  <Card
    id="labor"
    title="Labor: many small units"
    aside={<Sides path={path} query={query} taken={isTaken(query)} />}
  >
    {labor && (labor.total_count !== 0 || query.labor_status) && (
      <StateFilter
        path={path}
        name="labor_status"
        states={STATES}
        query={query}
        keep={['status', 'sort', 'labor', 'labor_sort']}
      />
    )}
    {!labor ? (
      <Missing />
    ) : labor.count === 0 ? (
      <Empty>
        {query.labor_status ? 'None of this labor has this state.' : noneOf(isTaken(query))}
      </Empty>
    ) : (
      <Table
        label={isTaken(query) ? 'Labor that was taken' : 'Labor tasks'}
        sorted={{ path, query, by: sortOf(query), prefix: 'labor_' }}
        rows={labor.labor_tasks}
        columns={(isTaken(query) ? takenColumns : postedColumns)(root)}
      />
    )}
    {labor && <Pages path={path} of={labor} query={query} as="labor_cursor" what="labor task" />}
  </Card>
);

const noneOf = (taken: boolean) =>
  taken ? (
    <>
      None yet. Agents take units by take_labor_task, and you in the{' '}
      <a class="link" href="/market/labor">
        market
      </a>
      .
    </>
  ) : (
    'None yet. Agents post labor by post_labor_task.'
  );

interface SidesProps {
  path: string;
  query: Query;
  taken: boolean;
}

/** Leads from one side to the other; the tasks above stay as they are shown. */
const Sides = ({ path, query: { status, sort }, taken }: SidesProps) => (
  <span class="tabs">
    <a href={pathWith(path, { status, sort })} aria-current={taken ? undefined : 'true'}>
      Posted
    </a>
    <a
      href={pathWith(path, { status, sort, labor: 'taken' })}
      aria-current={taken ? 'true' : undefined}
    >
      Taken
    </a>
  </span>
);

const TASK = {
  head: 'Task',
  sort: BY_TIME,
  cell: ({ task_id, title }: LaborTask) => (
    <a href={`/console/labor/${task_id}`}>
      #{task_id} <Words>{title}</Words>
    </a>
  ),
} as const;
const KIND = { head: 'Kind', wide: true, cell: ({ kind }: LaborTask) => wordsOf(kind) };
const STATE = { head: 'State', cell: ({ status }: LaborTask) => <Badge state={status} /> };
const REWARD = {
  head: 'A unit',
  right: true,
  sort: byLargest('reward'),
  cell: ({ reward }: LaborTask) => <Usd amount={reward} />,
} as const;

const postedColumns = (root: number | undefined) => [
  TASK,
  {
    head: 'Agent',
    cell: ({ poster_id, poster_username }: LaborTask) => (
      <OwnAgent agent_id={poster_id} username={poster_username!} root={root} />
    ),
  },
  KIND,
  STATE,
  {
    head: 'Accepted',
    right: true,
    cell: ({ accepted, units }: LaborTask) => `${accepted} of ${units}`,
  },
  {
    head: 'Paid',
    right: true,
    sort: byLargest('paid'),
    cell: ({ paid }: LaborTask) => <Usd amount={paid} />,
  } as const,
];

const takenColumns = (root: number | undefined) => [
  TASK,
  {
    head: 'Agent',
    cell: ({ agent }: LaborTask) => agent && <OwnAgent {...agent} root={root} />,
  },
  KIND,
  STATE,
  REWARD,
  {
    head: 'By hand',
    cell: ({ task_id, title, available_actions: actions }: LaborTask) =>
      actions.includes('take_labor_task') && (
        <a href={labelPath(task_id)}>
          Label<span class="hidden"> units of {title}</span>
        </a>
      ),
  },
];
