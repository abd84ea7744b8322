import { selectedAgents } from '../agents/tree/below.ts';
import { operation } from '../../kernel/operation.ts';
import { paged, pageOf } from '../../kernel/paging.ts';
import { Id, Input, invalid, List, OneOf, Paging, Type } from '../../kernel/schema.ts';
import type { Tx } from '../../kernel/tx.ts';
import { CLAIM_STATUSES, ClaimView, claimViewOf, findClaims, type ClaimStatus } from './claims.ts';
import { findShown, laborNotFound } from './labor_view.ts';
import { assertPosts } from './own_claims.ts';

export const laborClaims = operation({
  name: 'labor_claims',
  title: 'List the claims of a labor task',
  summary:
    'Lists the claims and deliveries of a labor task that you posted, newest first; for a task ' +
    'of another agent, yours and those of agents below you. Free.',
  phrasings: `
    answers of workers to my labeling job; who works on my units, claims to judge; deliveries
    that wait for my verdict; which workers took my HITs; answers awaiting review; assignments
    of my labeling batch; who labeled what; who took my microtasks; deliveries to my labor task;
    list of claims; submissions by labelers; workers on my labeling job; claims of mine; which
    units are claimed; see answers that wait to be judged; what have the labelers sent; who is
    labeling for me; who is doing my units; unjudged answers; deliveries of my workers; claims on
    my labor task`,
  access: 'any',
  mode: 'read',
  rest: 'GET /api/v1/labor/:task_id/claims',
  refusals: ['not_found', 'forbidden'],
  input: Input({
    task_id: Id('The labor task.'),
    status: Type.Optional(OneOf(CLAIM_STATUSES, 'Only this status, as verifying: to be judged.')),
    to_judge: Type.Optional(
      Type.Boolean({
        description: 'true: those that wait for you, the first due first.',
      }),
    ),
    ...Paging,
  }),
  output: List('claims', ClaimView),

  async handle(tx, { task_id, status, to_judge = false, ...paging }) {
    const page = pageOf(paging);
    const [task] = await findShown(tx.db, 'where t.id = $1', [task_id]);
    if (!task) throw laborNotFound(task_id);
    if (to_judge) {
      const waiting = status ?? 'verifying';
      return toJudge(tx, task, { waiting, ...page, isFirst: paging.cursor === undefined });
    }
    const seesAll = task.poster_lineage.includes(tx.caller.agentId);
    const side = seesAll ? 'poster' : 'worker';
    const sees = seesAll ? [] : await selectedAgents(tx, { below: true });
    const found = await findClaims(
      tx.db,
      `where c.task_id = $1 and c.id < $2::bigint and ($3 or c.agent_id = any ($4::bigint[]))
         and ($5::text is null or c.status = $5)
       order by c.id desc limit $6`,
      [task_id, page.before, seesAll, sees, status ?? null, page.limit + 1],
    );
    const { page: claims, rest } = paged(found, page);
    return { claims: claims.map((claim) => claimViewOf(claim, task, side)), ...rest };
  },
});

/** The deliveries that wait for the poster: one page, because each verdict makes them fewer. */
async function toJudge(
  tx: Tx,
  task: Awaited<ReturnType<typeof findShown>>[number],
  { waiting, limit, isFirst }: { waiting: ClaimStatus; limit: number; isFirst: boolean },
) {
  if (!isFirst) {
    const message = 'must be absent when to_judge is true: judge these, and ask again';
    throw invalid([{ pointer: '/cursor', message }]);
  }
  await assertPosts(tx, task.id);
  const found = await findClaims(
    tx.db,
    `where c.task_id = $1 and c.closed_at is null and c.for_poster and c.status = $2
     order by c.due_at, c.id limit $3`,
    [task.id, waiting, limit + 1],
  );
  const claims = found.slice(0, limit).map((claim) => claimViewOf(claim, task, 'poster'));
  return { claims, count: claims.length, next_cursor: null, has_more: found.length > limit };
}
