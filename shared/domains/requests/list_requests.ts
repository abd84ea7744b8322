import { operation } from '../../kernel/operation.ts';
import { cursorWith, positionIn } from '../../kernel/paging.ts';
import {
  Id,
  Input,
  invalid,
  List,
  Moment,
  OneOf,
  Paging,
  Text,
  timeOf,
  Type,
} from '../../kernel/schema.ts';
import { nearestName } from '../../kernel/terms/nearest_name.ts';
import type { Tx } from '../../kernel/tx.ts';
import { selectedAgents } from '../agents/tree/below.ts';
import { takingFields } from './ended_jobs.ts';
import { findRequests, type Position } from './find_requests.ts';
import { keptSince } from './kept_since.ts';
import { RequestView } from './request_view.ts';

const LIMIT = 20;
const STATUSES = {
  error: [400, 600],
  '2xx': [200, 300],
  '4xx': [400, 500],
  '5xx': [500, 600],
} as const;

export const listRequests = operation({
  name: 'list_requests',
  title: 'List requests',
  summary:
    'Lists calls by keys of you and agents below you, newest first: operation, status, cost, time ' +
    'taken, the answers of errors. Of a tree with very many calls, some rows sum up several. Free.',
  phrasings: `
    log of my API calls; which of my calls failed, and why; errors of my agents; request history,
    access log; what did my bot call; find a call by request id or status; slow calls; debug a
    failing call of a sub-agent; recent 4xx and 5xx answers`,
  access: 'read',
  mode: 'read',
  rest: 'GET /api/v1/requests',
  refusals: ['not_found'],
  input: Input({
    agent_id: Type.Optional(Id('Only this agent below yours and those below it.')),
    operation: Type.Optional(Text(1, 64, 'Only calls of this operation.')),
    status: Type.Optional(
      OneOf(['error', '2xx', '4xx', '5xx'], 'Only these answers; error: 4xx and 5xx.'),
    ),
    since: Type.Optional(Moment('Only calls from this time on.')),
    ...Paging,
  }),
  output: List('requests', RequestView.schema),

  async handle(tx, { agent_id, operation: name, status, since, limit = LIMIT, cursor }) {
    const { rootId, agentId } = tx.caller;
    if (name !== undefined) assertOperation(tx, name);
    const isWhole = (agent_id ?? agentId) === rootId && agentId === rootId;
    const found = await findRequests(tx.db, {
      rootId,
      taking: takingFields(tx),
      agents: isWhole ? undefined : await selectedAgents(tx, { agent_id, below: true }),
      operation: name,
      statuses: status && STATUSES[status],
      since: keptSince(tx, timeOf('/since', since)),
      after: cursor === undefined ? undefined : positionOf(cursor),
      count: limit + 1,
    });
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const more = found.length > limit;
    return {
      requests: page.map((row) => RequestView.show(row)),
      count: page.length,
      next_cursor: more && last ? cursorOf({ at: last.at.getTime(), id: String(last.id) }) : null,
      has_more: more,
    };
  },
});

/** Refuses a name that no operation has: a list without rows would say that nobody called it. */
function assertOperation({ operations }: Pick<Tx, 'operations'>, name: string): void {
  if (operations.has(name)) return;
  const meant = nearestName(name, [...operations.keys()]);
  const hint = meant ? `: did you mean ${meant}?` : '';
  const message = `must be an operation, and ${name} is none${hint}`;
  throw invalid([{ pointer: '/operation', message }]);
}

const cursorOf = ({ at, id }: Position): string => cursorWith(`${at}.${id}`);

function positionOf(cursor: string): Position {
  const [, at, id] = positionIn(cursor, /^(\d{1,14})\.(\d{1,18})$/);
  return { at: Number(at), id: id! };
}
