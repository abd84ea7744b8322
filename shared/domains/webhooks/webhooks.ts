import type { Tx } from '../../kernel/tx.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { invalid, Nullable, Text, Type } from '../../kernel/schema.ts';
import { PublicLine } from '../../kernel/text.ts';
import { field, view } from '../../kernel/view.ts';
import { column, namesOf, nullable, rows, type Row } from '../../platform/rows.ts';
import type { SealedColumn } from '../../platform/secrets.ts';
import { parseUrl } from '../../platform/parse_url.ts';

/** Maximum webhooks of a tree of agents. */
export const WEBHOOKS_MAX = 10;

export const STATUSES = ['active', 'disabled'] as const;
const URL_CHARS_MAX = 2_000;

/** Fields of a webhook that its owner sets. */
export const Url = Text(8, URL_CHARS_MAX, 'URL to send to, as https://example.com/events.');
export const Description = PublicLine(Text(1, 200, 'Purpose, to recognise it by.'));
export const Types = Type.Array(
  Type.String({
    minLength: 3,
    maxLength: 64,
    pattern: '^[a-z_]+\\.([a-z_]+|\\*)$',
    description: 'order.created, or order.*.',
  }),
  {
    maxItems: 50,
    uniqueItems: true,
    description: 'Only events of these types, as order.created or order.*; all if empty.',
  },
);

/** A webhook as its owner sees it. */
export const WebhookView = view('Webhook', {
  webhook_id: field.id('Names the webhook.'),
  url: field.text('URL that events are sent to.'),
  description: field.text('Its purpose.'),
  types: field.asIs(
    Type.Array(Type.String(), { description: 'The types of events; all if empty.' }),
    column.texts,
  ),
  status: field.oneOf(STATUSES, 'disabled: events are kept, and sent once it is active again.'),
  created_at: field.time('Time of creation.'),
  failing_since: field.orNull(field.time('Start of the failures; null: the last attempt arrived.')),
  last_delivery: field.orNull(field.time('Last arrival of an event.')),
  last_fault: field.orNull(field.text('Fault of the last failed attempt.')),
});

export const Secret = {
  secret: Nullable(
    Type.String({
      description: 'Starts with whsec_: check signatures with it. Shown once, null in a repeat.',
    }),
  ),
};

const { webhook_id: id, ...SHOWN } = WebhookView.columns;
export const WEBHOOK_COLUMNS = { id, root_id: column.id, ...SHOWN };
export type Webhook = Row<typeof WEBHOOK_COLUMNS>;
export const RETURNED = namesOf(WEBHOOK_COLUMNS);

/** Locks a webhook of the caller's tree. */
export const lockWebhook = (tx: Tx, webhookId: number): Promise<Webhook> =>
  findWebhook(tx, webhookId, 'for update');

/** Finds a webhook of the caller's tree. */
export async function findWebhook(tx: Tx, webhookId: number, lock = ''): Promise<Webhook> {
  const [found] = await rows(
    tx.db,
    WEBHOOK_COLUMNS,
    `select ${RETURNED} from webhook where id = $1 and root_id = $2 ${lock}`,
    [webhookId, tx.caller.rootId],
  );
  if (!found) throw new Refusal('not_found', 'You have no such webhook.');
  return found;
}

export const HOLDER_COLUMNS = { root_id: column.id, failing_since: nullable(column.time) };

/**
 * The holder whose share of a worker the rounds of a webhook use: its tree. All failing webhooks
 * have one share together, because their receivers usually take the maximum time.
 */
export const holderOf = ({ root_id, failing_since }: Row<typeof HOLDER_COLUMNS>): string =>
  failing_since ? 'failing' : String(root_id);

export const viewOf = ({ id, ...webhook }: Webhook) =>
  WebhookView.show({ webhook_id: id, ...webhook });

/** Refuses a bad URL. Whether its address is public is checked when connecting. */
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
