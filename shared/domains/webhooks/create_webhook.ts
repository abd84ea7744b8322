import { holdLiveKey } from '../agents/own_keys.ts';
import { assertEventTypes } from '../events/event_types.ts';
import { findWatermark } from '../events/find_events.ts';
import { operation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Input, Output, Type } from '../../kernel/schema.ts';
import { column, execute, row } from '../../platform/rows.ts';
import { newSecret } from './signature.ts';
import {
  checkUrl,
  Description,
  RETURNED,
  Secret,
  secretOf,
  Types,
  Url,
  viewOf,
  WEBHOOK_COLUMNS,
  WebhookView,
  WEBHOOKS_MAX,
} from './webhooks.ts';

export const createWebhook = operation({
  name: 'create_webhook',
  title: 'Create a webhook',
  summary:
    'Sends all future events of your tree of agents to a URL of yours, signed as Standard ' +
    'Webhooks. Shows the signing secret, once. Free.',
  access: 'owner',
  mode: 'write',
  rest: 'POST /api/v1/webhooks',
  bindings: { tool: false },
  reads: {
    allEvents: true, // The webhook gets only later events.
  },
  input: Input({
    url: Url,
    types: Type.Optional(Types),
    description: Type.Optional(Description),
  }),
  output: Output('CreatedWebhook', { ...WebhookView.schema.properties, ...Secret }),
  stored: { redact: (result) => ({ ...result, secret: null }) },

  async handle(tx, { url, types = [], description = '' }) {
    const { rootId } = tx.caller;
    assertEventTypes('/types', types);
    const checked = checkUrl(tx, url);
    // The second of two calls at once waits here, and counts the webhook of the first.
    await execute(tx.db, 'select from agent where id = $1 for no key update', [rootId]);
    // The caller, and all webhooks, may have ended while this waited.
    await holdLiveKey(tx);
    const { count, id } = await row(
      tx.db,
      { count: column.int, id: column.id },
      `select count(*)::int as count, nextval('webhook_id') as id from webhook where root_id = $1`,
      [rootId],
    );
    if (count >= WEBHOOKS_MAX) {
      throw new Refusal('forbidden', `You have ${WEBHOOKS_MAX} webhooks. Delete one first.`);
    }
    const secret = newSecret();
    const made = await row(
      tx.db,
      WEBHOOK_COLUMNS,
      `insert into webhook (id, root_id, url, description, types, secret, position,
         types_from)
       values ($1, $2, $3, $4, $5, $6, $7, $7) returning ${RETURNED}`,
      [
        id,
        rootId,
        checked,
        description,
        types,
        tx.secrets.seal(secret, secretOf({ id, root_id: rootId })),
        await findWatermark(tx.db),
      ],
    );
    return { ...viewOf(made), secret };
  },
});
