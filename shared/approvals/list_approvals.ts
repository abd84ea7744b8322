import { agentsAsked } from '../agents/tree/below.ts';
import { newestOf } from '../agents/tree/newest.ts';
import { operation } from '../kernel/operation.ts';
import { paged, pageOf } from '../kernel/paging.ts';
import { Input, List, OneOf, Paging, Type } from '../kernel/schema.ts';
import { ApprovalView, findApprovals, STATUSES, viewOf } from './approval.ts';

export const listApprovals = operation({
  name: 'list_approvals',
  title: 'List approvals',
  summary:
    'Lists calls of your agent and of those below it that wait for an owner, newest first, or ' +
    'those that were decided. available_actions says which are yours to decide. Free.',
  access: 'owner',
  actsBelow: true,
  mode: 'read',
  domain: 'approvals',
  rest: 'GET /api/v1/approvals',
  input: Input({
    status: Type.Optional(OneOf(STATUSES, 'Only these; pending if absent.')),
    ...Paging,
  }),
  output: List('approvals', ApprovalView),

  async handle(tx, { status = 'pending', ...paging }) {
    const page = pageOf(paging);
    // Of a tree they are found by its root, and of a part of it by the agents.
    const { agentId, rootId } = tx.caller;
    const agents = agentId === rootId ? [] : [await agentsAsked(tx, { below: true })];
    const ofPart = agents.length > 0 ? `and approval.id = any (array(${newestOf(PART)}))` : '';
    const found = await findApprovals(
      tx,
      `approval.status = $3 and approval.id < $4::bigint ${ofPart}
       order by approval.id desc limit $5`,
      [status, page.before, page.limit + 1, ...agents],
    );
    const { page: approvals, rest } = paged(found, page);
    return { approvals: approvals.map((approval) => viewOf(approval, tx)), ...rest };
  },
});

const PART = {
  table: 'approval',
  column: 'agent_id',
  where: 'status = $3 and agent_id <> root_id',
  agents: '$6',
  before: '$4',
  limit: '$5',
} as const;
