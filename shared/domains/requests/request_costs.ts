import { toUsd } from '../../kernel/money.ts';
import { operation } from '../../kernel/operation.ts';
import {
  Amount,
  Id,
  Input,
  Moment,
  Nullable,
  OneOf,
  Output,
  Time,
  timeOf,
  Type,
} from '../../kernel/schema.ts';
import { shownName } from '../../kernel/text.ts';
import type { Tx } from '../../kernel/tx.ts';
import { column, nullable, rows, type Row } from '../../platform/rows.ts';
import { selectedAgents } from '../agents/tree/below.ts';
import { TAKEN_BY_JOB, takingFields } from './ended_jobs.ts';
import { keptSince } from './kept_since.ts';

/** Parts that are answered; the rest is in the sums only. */
const PARTS_MAX = 100;
const DAY_MS = 86_400_000;

const SUMS = {
  calls: Type.Integer({ description: 'Number of calls.' }),
  errors: Type.Integer({ description: 'Answered by an error (4xx, 5xx).' }),
  pending: Type.Integer({ description: 'Answered 202 and not ended: costs not counted here.' }),
  cost: Amount('Taken from the wallet, as the answers say.'),
};

export const requestCosts = operation({
  name: 'request_costs',
  title: 'Report costs of requests',
  summary:
    'Sums up calls by keys of you and agents below you since a time: number, errors, cost and time ' +
    'taken by operation or agent. Refunds are not taken off: see spend_report. Free.',
  phrasings: `
    which operation costs the most; how many calls did each agent make; cost by operation; error
    rate by operation; API usage report; calls a day; usage statistics of my keys; slowest
    operations of mine`,
  access: 'read',
  mode: 'read',
  rest: 'GET /api/v1/requests/costs',
  refusals: ['not_found'],
  reads: { costly: true },
  input: Input({
    by: Type.Optional(OneOf(['operation', 'agent'], 'Grouping of parts; operation if absent.')),
    agent_id: Type.Optional(Id('Only this agent below yours and those below it.')),
    since: Type.Optional(Moment('From this time on; the last 24 hours if absent.')),
  }),
  output: Output('RequestCosts', {
    since: Time('Start of the report.'),
    ...SUMS,
    parts: Type.Array(
      Output({
        operation: Nullable(Type.String({ description: 'Operation; null: several, or by agent.' })),
        agent_id: Nullable(Id('Agent; null: by operation.')),
        agent_name: Nullable(Type.String({ description: 'Name of that agent.' })),
        ...SUMS,
        ms: Type.Integer({ description: 'Mean time to the answer in ms.' }),
      }),
      { maxItems: PARTS_MAX, description: 'The most expensive first, then the most called.' },
    ),
  }),

  async handle(tx, { by = 'operation', agent_id, since }) {
    const { rootId, agentId } = tx.caller;
    const from = keptSince(tx, timeOf('/since', since) ?? new Date(tx.now.getTime() - DAY_MS));
    const isWhole = (agent_id ?? agentId) === rootId && agentId === rootId;
    const agents = isWhole
      ? null
      : await selectedAgents(tx, { ...(agent_id && { agent_id }), below: true });
    const found = await rows(
      tx.db,
      PART_COLUMNS,
      `select r.operation, r.agent_id, a.username, r.calls, r.errors, r.pending, r.cost, r.ms
         from (select ${PARTS[by]},
                      sum(calls)::bigint as calls,
                      coalesce(sum(calls) filter (where status >= 400), 0)::bigint as errors,
                      coalesce(sum(calls) filter (where status = 202), 0)::bigint as pending,
                      coalesce(sum(cost), 0)::bigint as cost,
                      round(sum(ms * calls) / sum(calls))::int as ms
                 from request
                where root_id = $1 and at >= $2 ${agents ? 'and agent_id = any ($3)' : ''}
                group by 1, 2) r
         left join agent a on a.id = r.agent_id
        order by r.cost desc, r.calls desc`,
      [rootId, from, ...(agents ? [agents] : [])],
    );
    if (found.some(({ pending }) => pending > 0)) {
      await addEnded(tx, found, { by, from, agents });
      found.sort((a, b) => Number(b.cost - a.cost) || b.calls - a.calls);
    }
    const sum = (of: (part: (typeof found)[number]) => number) =>
      found.reduce((all, part) => all + of(part), 0);
    return {
      since: from.toISOString(),
      calls: sum(({ calls }) => calls),
      errors: sum(({ errors }) => errors),
      pending: sum(({ pending }) => pending),
      cost: toUsd(found.reduce((all, { cost }) => all + cost, 0n)),
      parts: found.slice(0, PARTS_MAX).map(({ username, cost, ...part }) => ({
        ...part,
        agent_name: username === null ? null : shownName(username),
        cost: toUsd(cost),
      })),
    };
  },
});

/** SQL: the operation and the agent of a part. */
const PARTS = {
  operation: 'operation, null::bigint as agent_id',
  agent: 'null::text as operation, agent_id',
} as const;

type Part = Row<typeof PART_COLUMNS>;

/**
 * Adds to the parts what calls took that were answered 202 and have ended since. Repeats are rows
 * of the same job, which take nothing again: their cost is known.
 */
async function addEnded(
  tx: Tx,
  parts: readonly Part[],
  asked: { by: keyof typeof PARTS; from: Date; agents: readonly number[] | null },
): Promise<void> {
  const { by, from, agents } = asked;
  const waiting = parts.flatMap((one) => (one.pending > 0 ? one.operation : []));
  const names = by === 'operation' ? waiting : null;
  const parameters: unknown[] = [tx.caller.rootId, from, ...takingFields(tx)];
  const isIn = (name: string, list: readonly unknown[] | null) =>
    list ? `and ${name} = any ($${parameters.push(list)})` : '';
  const ended = await rows(
    tx.db,
    ENDED_COLUMNS,
    `select ${PARTS[by]}, sum(calls)::bigint as calls, coalesce(sum(taken), 0)::bigint as cost
       from (select r.operation, r.agent_id, r.calls, ${TAKEN_BY_JOB} as taken
               from request r join job j on j.id = r.job_id and j.status <> 'pending'
               left join unnest($3::text[], $4::text[]) as t(name, field)
                      on t.name = r.operation and r.cost is null
              where r.root_id = $1 and r.at >= $2 and r.status = 202
                    ${isIn('r.operation', names)} ${isIn('r.agent_id', agents)}) ended
      group by 1, 2`,
    parameters,
  );
  for (const { operation: name, agent_id, calls, cost } of ended) {
    const part = parts.find((one) => one.operation === name && one.agent_id === agent_id);
    if (!part) continue;
    part.pending -= calls;
    part.cost += cost;
  }
}

const ENDED_COLUMNS = {
  operation: nullable(column.text),
  agent_id: nullable(column.id),
  calls: column.int,
  cost: column.micros,
};

const PART_COLUMNS = {
  operation: nullable(column.text),
  agent_id: nullable(column.id),
  username: nullable(column.text),
  calls: column.int,
  errors: column.int,
  pending: column.int,
  cost: column.micros,
  ms: column.int,
};
