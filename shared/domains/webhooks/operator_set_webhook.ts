import { emit } from '../events/events.ts';
import { operation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input, OneOf, Text } from '../../kernel/schema.ts';
import { row, rows } from '../../platform/rows.ts';
import { operatorViewOf, OperatorWebhookView } from './operator_view.ts';
import { RETURNED, STATUSES, WEBHOOK_COLUMNS } from './webhooks.ts';

export const operatorSetWebhook = operation({
  name: 'operator_set_webhook',
  title: 'Stop or start any webhook',
  summary:
    'Operators: disables a harmful webhook, or makes one active and retries it at once. Its ' +
    'owner is notified and may change it. Events are kept meanwhile and sent once it is active.',
  access: 'operator',
  mode: 'write',
  rest: 'POST /api/v1/admin/webhooks/:webhook_id',
  bindings: { tool: false },
  effects: { actsOn: { kind: 'webhook', field: 'webhook_id' }, idempotent: true },
  refusals: ['not_found'],
  input: Input({
    webhook_id: Id('The webhook.'),
    status: OneOf(STATUSES, 'active or disabled.'),
    note: Text(1, 500, 'The reason, for the audit log.'),
  }),
  output: OperatorWebhookView,

  async handle(tx, { webhook_id, status }) {
    const sql = `select ${RETURNED} from webhook where id = $1 for update`;
    const [before] = await rows(tx.db, WEBHOOK_COLUMNS, sql, [webhook_id]);
    if (!before) throw new Refusal('not_found', `There is no webhook ${webhook_id}.`);
    const changed = await row(
      tx.db,
      WEBHOOK_COLUMNS,
      `update webhook set status = $2, not_before = '-infinity', failed_rounds = 0,
              failing_since = case when $2 = 'active' then null else failing_since end
        where id = $1 returning ${RETURNED}`,
      [webhook_id, status],
    );
    if (before.status !== status) {
      const type = status === 'disabled' ? 'webhook.disabled' : 'webhook.enabled';
      const object = { kind: 'webhook' as const, id: webhook_id, status };
      const data = { by_operator: true as const };
      await emit(tx.db, [{ agentId: before.root_id, type, object, data }]);
    }
    return operatorViewOf(changed);
  },
});
