import { operation } from '../../kernel/operation.ts';
import { Id, Input, invalid, List, Paging, Text, Type } from '../../kernel/schema.ts';
import { column, namesOf, row, rows, type Database } from '../../platform/rows.ts';
import { isJobId } from '../job_view.ts';
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
 * How many jobs are looked through for a page of those that are asked for. Each call is a job, so
 * an index of operations, agents or requests would cost all of them, for these lists only.
 */
export const SEARCHED_MAX = 50_000;

export const listJobs = operation({
  name: 'list_jobs',
  title: 'Find jobs',
  summary:
    'Operators: lists jobs, the newest first: all of a state, of an operation, of an agent or of ' +
    'a request. Look at held and failing first. A page may be short or empty while has_more is ' +
    'true: there are older ones to be looked through.',
  access: 'operator',
  mode: 'read',
  domain: 'jobs',
  rest: 'GET /api/v1/admin/jobs',
  tool: false,
  costly: true,
  input: Input({
    state: Type.Optional(StateName),
    operation: Type.Optional(Text(1, 64, 'Only calls of this operation.')),
    agent_id: Type.Optional(Id('Only calls of this agent.')),
    request_id: Type.Optional(Text(1, 64, 'Only of this request, and what it started.')),
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

/** SQL: the jobs that are looked through. */
const SEARCHED = `(select * from job where id < $1::uuid order by id desc limit ${SEARCHED_MAX})`;

/**
 * SQL of the jobs that indexes find, among which those of a pending state are: the delayed ones,
 * and those above the watermarks, below which no job is pending. The marks are values, from $7 on,
 * because PostgreSQL believes of what it looks up itself that it is below a third of all jobs.
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

/** The last job that was looked through, if there are older ones. */
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

function idOf(cursor: string | undefined): string {
  const id = cursor === undefined ? HIGHEST : Buffer.from(cursor, 'base64url').toString();
  if (isJobId(id)) return id;
  throw invalid([{ pointer: '/cursor', message: 'is not a next_cursor of this list' }]);
}
