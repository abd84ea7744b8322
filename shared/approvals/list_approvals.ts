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
    const found = await findApprovals(
      tx,
      'approval.status = $3 and approval.id < $4::bigint order by approval.id desc limit $5',
      [status, page.before, page.limit + 1],
    );
    const { page: approvals, rest } = paged(found, page);
    return { approvals: approvals.map((approval) => viewOf(approval, tx)), ...rest };
  },
});
