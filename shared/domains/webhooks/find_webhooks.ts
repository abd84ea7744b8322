import { operation } from '../../kernel/operation.ts';
import { paged, pageOf } from '../../kernel/paging.ts';
import { Id, Input, List, OneOf, Paging, Type } from '../../kernel/schema.ts';
import { rows } from '../../platform/rows.ts';
import { operatorViewOf, OperatorWebhookView } from './operator_view.ts';
import { RETURNED, STATUSES, WEBHOOK_COLUMNS } from './webhooks.ts';

export const findWebhooks = operation({
  name: 'find_webhooks',
  title: 'Find webhooks',
  summary:
    'Operators: lists webhooks, newest first: all, or only those of a tree, of a status, or ' +
    'those that fail.',
  access: 'operator',
  mode: 'read',
  rest: 'GET /api/v1/admin/webhooks',
  bindings: { tool: false },
  input: Input({
    agent_id: Type.Optional(Id('Only the tree of this agent.')),
    status: Type.Optional(OneOf(STATUSES, 'Only this status.')),
    failing: Type.Optional(
      Type.Boolean({
        description: 'Only webhooks whose last attempt failed (or, if false, did not).',
      }),
    ),
    ...Paging,
  }),
  output: List('webhooks', OperatorWebhookView),

  async handle(tx, { agent_id, status, failing, ...paging }) {
    const page = pageOf(paging);
    const found = await rows(
      tx.db,
      WEBHOOK_COLUMNS,
      `select ${RETURNED} from webhook
        where id < $1::bigint
          and ($3::bigint is null or root_id = (select root_id from agent where id = $3))
          and ($4::text is null or status = $4)
          and ($5::boolean is null or (failing_since is not null) = $5)
        order by id desc limit $2`,
      [page.before, page.limit + 1, agent_id, status, failing],
    );
    const { page: webhooks, rest } = paged(found, page);
    return { webhooks: webhooks.map(operatorViewOf), ...rest };
  },
});
