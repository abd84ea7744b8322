import { findWatermark } from '../events/find_events.ts';
import { operation } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { Input, Output, Type } from '../kernel/schema.ts';
import { column, execute, row } from '../platform/rows.ts';
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
  WEBHOOK_FIELDS,
  WEBHOOKS_MAX,
} from './webhooks.ts';

export const createWebhook = operation({
  name: 'create_webhook',
  title: 'Create a webhook',
  summary:
    'Has every event of your tree of agents from now on sent to a URL of yours, signed as Standard ' +
    'Webhooks has it. Shows the secret that signs, once. Free.',
  access: 'owner',
  mode: 'write',
  domain: 'webhooks',
  rest: 'POST /api/v1/webhooks',
  tool: false,
  readsEvents: true, // It is sent none of before.
  input: Input({
    url: Url,
    types: Type.Optional(Types),
    description: Type.Optional(Description),
  }),
  output: Output('CreatedWebhook', { ...WEBHOOK_FIELDS, ...Secret }),
  redact: (result) => ({ ...result, secret: null }),

  async handle(tx, { url, types = [], description = '' }) {
    const { rootId } = tx.caller;
    const checked = checkUrl(tx, url);
    // Of two calls at once, the second counts what the first has made.
    await execute(tx.db, 'select from agent where id = $1 for no key update', [rootId]);
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
