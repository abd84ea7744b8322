import type { Tx } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { Id, invalid, Nullable, OneOf, Output, Text, Time, Type } from '../kernel/schema.ts';
import { ShownLine } from '../kernel/text.ts';
import { column, namesOf, nullable, oneOf, rows, type Row } from '../platform/rows.ts';
import type { SealedColumn } from '../platform/secrets.ts';
import { parseUrl } from '../platform/parse_url.ts';

/** How many a tree of agents may have. */
export const WEBHOOKS_MAX = 10;

export const STATUSES = ['active', 'disabled'] as const;
const URL_CHARS_MAX = 2_000;

/** What an owner says of a webhook. */
export const Url = Text(8, URL_CHARS_MAX, 'Where to send, as https://example.com/events.');
export const Description = ShownLine(Text(1, 200, 'What it is for, to recognise it by.'));
export const Types = Type.Array(
  Type.String({ minLength: 3, maxLength: 64, pattern: '^[a-z_]+\\.([a-z_]+|\\*)$' }),
  {
    maxItems: 50,
    uniqueItems: true,
    description: 'Only events of these types, as order.created or order.*; all if empty.',
  },
);

export const WEBHOOK_FIELDS = {
  webhook_id: Id('Names the webhook.'),
  url: Type.String({ description: 'Where events are sent.' }),
  description: Type.String({ description: 'What it is for.' }),
  types: Type.Array(Type.String(), { description: 'The types of events; all if empty.' }),
  status: OneOf(STATUSES, 'Of a disabled one events are kept, and sent when it is active again.'),
  created_at: Time('When it was made.'),
  failing_since: Nullable(Time('Since when nothing has arrived; null: the last attempt did.')),
  last_delivery: Nullable(Time('When an event last arrived.')),
  last_fault: Nullable(Type.String({ description: 'Why the last attempt that failed did.' })),
};
export const WebhookView = Output('Webhook', WEBHOOK_FIELDS);

export const Secret = {
  secret: Nullable(
    Type.String({
      description: 'Starts with whsec_: check signatures with it. Shown once, null in a repeat.',
    }),
  ),
};

export const WEBHOOK_COLUMNS = {
  id: column.id,
  root_id: column.id,
  url: column.text,
  description: column.text,
  types: column.texts,
  status: oneOf<(typeof STATUSES)[number]>(),
  created_at: column.time,
  failing_since: nullable(column.time),
  last_delivery: nullable(column.time),
  last_fault: nullable(column.text),
};
export type Webhook = Row<typeof WEBHOOK_COLUMNS>;
export const RETURNED = namesOf(WEBHOOK_COLUMNS);

/** The caller's webhook, locked. */
export const lockWebhook = (tx: Tx, webhookId: number): Promise<Webhook> =>
  findWebhook(tx, webhookId, 'for update');

/** The caller's webhook. */
export async function findWebhook(tx: Tx, webhookId: number, lock = ''): Promise<Webhook> {
  const [found] = await rows(
    tx.db,
    WEBHOOK_COLUMNS,
    `select ${RETURNED} from webhook where id = $1 and root_id = $2 ${lock}`,
    [webhookId, tx.caller.rootId],
  );
  if (!found) throw new Refusal('not_found', 'There is no such webhook among yours.');
  return found;
}

export const HOLDER_COLUMNS = { root_id: column.id, failing_since: nullable(column.time) };

/**
 * Whose share of a worker the rounds of a webhook use: its tree's. All those of which nothing
 * arrives have one share together, because their receivers are slow for as long as they may be.
 */
export const holderOf = ({ root_id, failing_since }: Row<typeof HOLDER_COLUMNS>): string =>
  failing_since ? 'failing' : String(root_id);

export const viewOf = ({ id, ...webhook }: Webhook) => ({
  webhook_id: id,
  url: webhook.url,
  description: webhook.description,
  types: webhook.types,
  status: webhook.status,
  created_at: webhook.created_at.toISOString(),
  failing_since: webhook.failing_since?.toISOString() ?? null,
  last_delivery: webhook.last_delivery?.toISOString() ?? null,
  last_fault: webhook.last_fault,
});

/** Refuses what is no address of the web. Whether it is public is seen when it is connected to. */
export function checkUrl({ config }: Tx, text: string): string {
  const url = parseUrl(text);
  const protocols = config.production ? ['https:'] : ['https:', 'http:'];
  const isGood = url && protocols.includes(url.protocol) && !url.username && !url.password;
  if (isGood && url.href.length <= URL_CHARS_MAX) return url.href;
  const message = 'must be a URL that begins with https://, without a user name';
  throw invalid([{ pointer: '/url', message }]);
}

export const secretOf = ({ id, root_id }: Pick<Webhook, 'id' | 'root_id'>) =>
  ({ table: 'webhook', column: 'secret', row: id, owner: root_id }) as const;
export const previousSecretOf = (webhook: Pick<Webhook, 'id' | 'root_id'>) =>
  ({ ...secretOf(webhook), column: 'previous_secret' }) as const;

const SEALED = { table: 'webhook', row: 's.id::text', owner: 's.root_id' };
export const SEALED_WEBHOOK_SECRETS: SealedColumn = { ...SEALED, column: 'secret' };
export const SEALED_PREVIOUS_SECRETS: SealedColumn = { ...SEALED, column: 'previous_secret' };
