import { operation } from '../../kernel/operation.ts';
import { Input, List } from '../../kernel/schema.ts';
import { rows } from '../../platform/rows.ts';
import { RETURNED, viewOf, WEBHOOK_COLUMNS, WebhookView } from './webhooks.ts';

export const listWebhooks = operation({
  name: 'list_webhooks',
  title: 'List webhooks',
  summary: 'Lists your webhooks, and whether events arrive. Free.',
  access: 'owner',
  mode: 'read',
  rest: 'GET /api/v1/webhooks',
  bindings: { tool: false },
  input: Input({}),
  output: List('webhooks', WebhookView),

  async handle(tx) {
    // A tree has few, so there is one page.
    const found = await rows(
      tx.db,
      WEBHOOK_COLUMNS,
      `select ${RETURNED} from webhook where root_id = $1 order by id`,
      [tx.caller.rootId],
    );
    const webhooks = found.map(viewOf);
    return { webhooks, count: webhooks.length, next_cursor: null, has_more: false };
  },
});
