import { operation } from '../../kernel/operation.ts';
import { Id, Input, invalid, List, Paging, Text, Type } from '../../kernel/schema.ts';
import { namesOf, rows } from '../../platform/rows.ts';
import { isJobId } from '../job_view.ts';
import {
  OPERATOR_JOB_COLUMNS,
  OPERATOR_JOBS,
  OperatorJobView,
  operatorViewOf,
  StateName,
  type State,
} from './operator_job_view.ts';

const LIMIT = 20;

export const listJobs = operation({
  name: 'list_jobs',
  title: 'Find jobs',
  summary:
    'Operators: lists jobs, the newest first: all of a state, of an operation, of an agent or of ' +
    'a request. Look at held and failing first.',
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
    const found = await rows(
      db,
      OPERATOR_JOB_COLUMNS,
      `select ${namesOf(OPERATOR_JOB_COLUMNS)} from ${OPERATOR_JOBS}
        where id < $1::uuid and ${state === undefined ? 'true' : whereOf(state)}
          and ($3::text is null or state = $3) and ($4::text is null or operation = $4)
          and ($5::bigint is null or agent_id = $5) and ($6::text is null or request_id = $6)
        order by id desc limit $2`,
      [idOf(cursor), limit + 1, state, name, agent_id, request_id],
    );
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1) : undefined;
    return {
      jobs: page.map(operatorViewOf),
      count: page.length,
      next_cursor: last ? Buffer.from(last.id).toString('base64url') : null,
      has_more: last !== undefined,
    };
  },
});

/**
 * SQL: what the index of delayed jobs finds, among which jobs of such a state are. No delayed job
 * below its watermark is pending.
 */
function whereOf(state: State): string {
  switch (state) {
    case 'complete':
    case 'failed':
      return 'true';
    case 'deferred':
    case 'held':
      return `run_at = 'infinity'`;
    default:
      return `(run_at >= (select at from dispatch_watermark where scan = 'delayed')
               or id >= (select id from dispatch_watermark where scan = 'immediate'))`;
  }
}

const HIGHEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

function idOf(cursor: string | undefined): string {
  const id = cursor === undefined ? HIGHEST : Buffer.from(cursor, 'base64url').toString();
  if (isJobId(id)) return id;
  throw invalid([{ pointer: '/cursor', message: 'is not a next_cursor of this list' }]);
}
