import { AgentFilter, selectedAgents } from '../agents/tree/below.ts';
import { newestOf } from '../agents/tree/newest.ts';
import { operation } from '../../kernel/operation.ts';
import { paged, pageOf } from '../../kernel/paging.ts';
import { Id, Input, invalid, List, Paging, Type } from '../../kernel/schema.ts';
import { findReceipts, ReceiptView } from './receipt.ts';
import { ReceiptKindField } from './signed_document.ts';

export const listReceipts = operation({
  name: 'list_receipts',
  title: 'List receipts',
  summary:
    'Lists signed receipts of your settled deals, newest first, or with kind and object_id that ' +
    'of one deal. A receipt is issued within half a minute of the settlement, metered calls ' +
    'once an hour. Free.',
  phrasings: `
    receipts of my deals; all my signed receipts; receipt of order 55; download receipts for the
    books; proof of everything I sold; receipts for an accountant; export my receipts; receipt of
    my deposit; receipts of the agents below me; evidence of all payments; chain of receipts;
    find the receipt of a task; signed history of my deals`,
  access: 'read',
  mode: 'read',
  rest: 'GET /api/v1/receipts',
  bindings: { tool: 'by_name' },
  refusals: ['not_found'],
  input: Input({
    kind: Type.Optional(ReceiptKindField),
    object_id: Type.Optional(Id('The object of the deal, with kind.')),
    ...AgentFilter,
    ...Paging,
  }),
  output: List('receipts', ReceiptView.schema),

  async handle(tx, { kind, object_id, agent_id, below, ...paging }) {
    if ((kind === undefined) !== (object_id === undefined)) {
      const missing = kind === undefined ? '/kind' : '/object_id';
      throw invalid([{ pointer: missing, message: 'is needed with the other of the two' }]);
    }
    const page = pageOf(paging);
    if (kind !== undefined) {
      const found = await findReceipts(
        tx.db,
        tx.caller.rootId,
        `where r.kind = $2 and r.object_id = $3
           and ($4 = any (payer.lineage) or $4 = any (payee.lineage))`,
        [kind, object_id, tx.caller.agentId],
      );
      return {
        receipts: found.map(ReceiptView.show),
        count: found.length,
        next_cursor: null,
        has_more: false,
      };
    }
    const agents = await selectedAgents(tx, { agent_id, below });
    const sides = ['payer_id', 'payee_id'].map((column) => `(${newestOf({ ...PAGE, column })})`);
    const found = await findReceipts(
      tx.db,
      tx.caller.rootId,
      `where r.id in (${sides.join(' union all ')}) order by r.id desc limit $4`,
      [agents, page.before, page.limit + 1],
    );
    const { page: receipts, rest } = paged(found, page, 'receipt_id');
    return { receipts: receipts.map(ReceiptView.show), ...rest };
  },
});

const PAGE = { table: 'receipt', agents: '$2', before: '$3', limit: '$4' } as const;
