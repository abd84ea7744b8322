import { selectedAgents } from '../agents/tree/below.ts';
import { newestOf } from '../agents/tree/newest.ts';
import { operation } from '../../kernel/operation.ts';
import { paged, pageOf } from '../../kernel/paging.ts';
import { Input, List, OneOf, Paging, Type } from '../../kernel/schema.ts';
import { ApprovalView, findApprovals, STATUSES, viewOf } from './approval.ts';

export const listApprovals = operation({
  name: 'list_approvals',
  title: 'List approvals',
  summary:
    'Lists calls by you and agents below you that wait for approval or were decided, newest ' +
    'first. available_actions shows which you can decide. Free.',
  phrasings: `
    what waits for my approval; purchases of my agents to be confirmed; pending requests, OK
    needed; what is waiting for a yes from me; pending sign-offs of my bots; requests over the
    limit; approvals queue; what do I have to approve; pending approvals; requests from my
    agents; waiting for permission; purchases to sign off; what needs my okay; approval
    requests; consent queue; was my request approved; does anything need my yes; what do my bots
    ask for; show waiting requests; did my owner decide; who wants my permission; list what is
    to be approved`,
  access: 'owner',
  owners: { actsBelow: true },
  mode: 'read',
  rest: 'GET /api/v1/approvals',
  input: Input({
    status: Type.Optional(OneOf(STATUSES, 'Only this status; pending if absent.')),
    ...Paging,
  }),
  output: List('approvals', ApprovalView),

  async handle(tx, { status = 'pending', ...paging }) {
    const page = pageOf(paging);
    // The approvals of a whole tree are found by its root, those of a part by its agents.
    const { agentId, rootId } = tx.caller;
    const agents = agentId === rootId ? [] : [await selectedAgents(tx, { below: true })];
    const ofPart = agents.length > 0 ? `and approval.id = any (array(${newestOf(PART)}))` : '';
    const found = await findApprovals(
      tx,
      `approval.status = $3 and approval.id < $4::bigint ${ofPart}
       order by approval.id desc limit $5`,
      [status, page.before, page.limit + 1, ...agents],
    );
    const { page: approvals, rest } = paged(found, page, 'approval_id');
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
