import { operation } from '../../kernel/operation.ts';
import { Id, Input, Output, Type } from '../../kernel/schema.ts';
import { column, execute, row } from '../../platform/rows.ts';
import { newSecret } from './signature.ts';
import {
  lockWebhook,
  previousSecretOf,
  Secret,
  secretOf,
  viewOf,
  WebhookView,
} from './webhooks.ts';

const OVERLAP_HOURS = 24;
const OVERLAP_HOURS_MAX = 168;

export const rotateWebhookSecret = operation({
  name: 'rotate_webhook_secret',
  title: 'Rotate the secret of a webhook',
  summary:
    'Makes a new signing secret for a webhook and shows it once. The old one signs too ' +
    'for overlap_hours, so that you can switch. Free.',
  access: 'owner',
  mode: 'write',
  rest: 'POST /api/v1/webhooks/:webhook_id/rotate',
  bindings: { tool: false },
  refusals: ['not_found'],
  input: Input({
    webhook_id: Id('From list_webhooks.'),
    overlap_hours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: OVERLAP_HOURS_MAX,
        description: `Time that the old secret signs too; ${OVERLAP_HOURS} if absent.`,
      }),
    ),
  }),
  output: Output('RotatedWebhook', { ...WebhookView.schema.properties, ...Secret }),
  stored: { redact: (result) => ({ ...result, secret: null }) },

  async handle(tx, { webhook_id, overlap_hours: hours = OVERLAP_HOURS }) {
    const webhook = await lockWebhook(tx, webhook_id);
    const { secret: sealed } = await row(
      tx.db,
      { secret: column.bytes },
      'select secret from webhook where id = $1',
      [webhook_id],
    );
    const before = tx.secrets.open(sealed, secretOf(webhook));
    const secret = newSecret();
    await execute(
      tx.db,
      `update webhook set secret = $2, previous_secret = $3,
              previous_until = now() + make_interval(hours => $4) where id = $1`,
      [
        webhook_id,
        tx.secrets.seal(secret, secretOf(webhook)),
        tx.secrets.seal(before, previousSecretOf(webhook)),
        hours,
      ],
    );
    return { ...viewOf(webhook), secret };
  },
});
