import { agentsAsked } from '../agents/tree/below.ts';
import { operation } from '../kernel/operation.ts';
import { paged, pageOf } from '../kernel/paging.ts';
import { Id, Input, List, OneOf, Paging, Type } from '../kernel/schema.ts';
import { CLAIM_STATUSES, ClaimView, claimViewOf, findClaims } from './claims.ts';
import { findShown, noSuchLabor } from './labor_view.ts';

export const laborClaims = operation({
  name: 'labor_claims',
  title: 'List the claims of a labor task',
  summary:
    'Lists what was taken and delivered of a labor task that you posted, newest first; of a task ' +
    'of another agent, yours and those below you. Free.',
  access: 'any',
  mode: 'read',
  domain: 'labor',
  rest: 'GET /api/v1/labor/:task_id/claims',
  refusals: ['not_found'],
  input: Input({
    task_id: Id('The labor task.'),
    status: Type.Optional(OneOf(CLAIM_STATUSES, 'Only those, as verifying: to be judged.')),
    ...Paging,
  }),
  output: List('claims', ClaimView),

  async handle(tx, { task_id, status, ...paging }) {
    const page = pageOf(paging);
    const [task] = await findShown(tx.db, 'where t.id = $1', [task_id]);
    if (!task) throw noSuchLabor(task_id);
    const seesAll = task.poster_lineage.includes(tx.caller.agentId);
    const sees = seesAll ? [] : await agentsAsked(tx, { below: true });
    const found = await findClaims(
      tx.db,
      `where c.task_id = $1 and c.id < $2::bigint and ($3 or c.agent_id = any ($4::bigint[]))
         and ($5::text is null or c.status = $5)
       order by c.id desc limit $6`,
      [task_id, page.before, seesAll, sees, status ?? null, page.limit + 1],
    );
    const { page: claims, rest } = paged(found, page);
    return { claims: claims.map((claim) => claimViewOf(claim, task)), ...rest };
  },
});
