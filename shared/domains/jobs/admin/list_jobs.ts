import { operation } from '../../../kernel/operation.ts';
import { positionIn } from '../../../kernel/paging.ts';
import { Id, Input, List, Paging, Text, Type } from '../../../kernel/schema.ts';
import { column, namesOf, row, rows, type Database } from '../../../platform/rows.ts';
import { JOB_ID } from '../job_view.ts';
import {
  OPERATOR_JOB_COLUMNS,
  OperatorJobView,
  operatorJobs,
  operatorViewOf,
  StateName,
  type State,
} from './operator_job_view.ts';

const LIMIT = 20;
/**
 * Maximum jobs scanned for a page. Every call is a job, so an index on operations, agents or
 * requests would slow down all calls for the sake of these lists.
 */
export const SEARCHED_MAX = 50_000;

export const listJobs = operation({
  name: 'list_jobs',
  title: 'Find jobs',
  summary:
    'Operators: lists jobs, newest first, by state, operation, agent or request. Look at held ' +
    'and failing first. A page may be short or empty while has_more is true: older jobs are ' +
    'still to be scanned.',
  access: 'operator',
  mode: 'read',
  rest: 'GET /api/v1/admin/jobs',
  bindings: { tool: false },
  reads: { costly: true },
  input: Input({
    state: Type.Optional(StateName),
    operation: Type.Optional(Text(1, 64, 'Only calls of this operation.')),
    agent_id: Type.Optional(Id('Only calls of this agent.')),
    request_id: Type.Optional(Text(1, 64, 'Only jobs of this request and those they started.')),
    ...Paging,
  }),
  output: List('jobs', OperatorJobView),

  async handle({ db }, { state, operation: name, agent_id, request_id, limit = LIMIT, cursor }) {
    const before = idOf(cursor);
    const isSearched = state === undefined || state === 'complete' || state === 'failed';
    const [among, bounds] = isSearched ? [SEARCHED, []] : await pendingJobs(db, state);
    const found = await rows(
      db,
      OPERATOR_JOB_COLUMNS,
      `select ${namesOf(OPERATOR_JOB_COLUMNS)} from ${operatorJobs(among)}
        where id < $1::uuid
          and ($3::text is null or state = $3) and ($4::text is null or operation = $4)
          and ($5::bigint is null or agent_id = $5) and ($6::text is null or request_id = $6)
        order by id desc limit $2`,
      [before, limit + 1, state, name, agent_id, request_id, ...bounds],
    );
    const page = found.slice(0, limit);
    const isFull = found.length > limit;
    const searched = isSearched && !isFull ? await lastSearched(db, before) : undefined;
    const last = isFull ? page.at(-1)!.id : searched;
    return {
      jobs: page.map(operatorViewOf),
      count: page.length,
      next_cursor: last ? Buffer.from(last).toString('base64url') : null,
      has_more: last !== undefined,
    };
  },
});

/** SQL: the scanned jobs. */
const SEARCHED = `(select * from job where id < $1::uuid order by id desc limit ${SEARCHED_MAX})`;

/**
 * SQL: the jobs that can be pending, found by indexes: the delayed ones, and those above the
 * watermarks, below which no job is pending. The watermarks are parameters, from $7 on: for a
 * subquery PostgreSQL would estimate that a third of all jobs is above.
 */
async function pendingJobs(db: Database, state: State): Promise<[string, string[]]> {
  if (state === 'deferred' || state === 'held') {
    return [`(select * from job where run_at = 'infinity')`, []];
  }
  const marks = await row(
    db,
    { id: column.text, at: column.text },
    `select (select id from dispatch_watermark where scan = 'immediate') as id,
            (select at from dispatch_watermark where scan = 'delayed')::text as at`,
  );
  const sql = '(select * from job where id >= $7::uuid or run_at >= $8::timestamptz)';
  return [sql, [marks.id, marks.at]];
}

/** The last scanned job, if there are older ones. */
async function lastSearched(db: Database, before: string): Promise<string | undefined> {
  const [last, older] = await rows(
    db,
    { id: column.text },
    'select id from job where id < $1::uuid order by id desc offset $2 limit 2',
    [before, SEARCHED_MAX - 1],
  );
  return older && last?.id;
}

const HIGHEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const idOf = (cursor: string | undefined): string =>
  cursor === undefined ? HIGHEST : positionIn(cursor, JOB_ID)[0]!;
