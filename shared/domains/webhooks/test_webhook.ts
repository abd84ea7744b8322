import { emit } from '../events/events.ts';
import { operation } from '../../kernel/operation.ts';
import { Id, Input, Output, Text } from '../../kernel/schema.ts';
import { column, execute, row } from '../../platform/rows.ts';
import { lockWebhook } from './webhooks.ts';

export const testWebhook = operation({
  name: 'test_webhook',
  title: 'Test a webhook',
  summary:
    'Sends a signed event of the type webhook.test to one webhook. list_deliveries shows ' +
    'whether it arrived. Free.',
  access: 'owner',
  mode: 'write',
  rest: 'POST /api/v1/webhooks/:webhook_id/test',
  bindings: { tool: false },
  refusals: ['not_found'],
  input: Input({ webhook_id: Id('From list_webhooks.') }),
  output: Output({ event_id: Text(5, 24, 'The event that is sent.') }),

  async handle(tx, { webhook_id }) {
    const webhook = await lockWebhook(tx, webhook_id);
    const object = { kind: 'webhook' as const, id: webhook_id, status: webhook.status };
    const { rootId: agentId } = tx.caller;
    await emit(tx.db, [{ agentId, type: 'webhook.test', object, data: {} }]);
    const { id } = await row(tx.db, { id: column.id }, `select currval('event_id') as id`);
    await execute(
      tx.db,
      `insert into webhook_delivery (webhook_id, event_id, status, attempts, next_at)
       values ($1, $2, 'waiting', 0, now())`,
      [webhook_id, id],
    );
    return { event_id: `evt_${id}` };
  },
});
