import type { Config } from '../../composition/config.ts';
import {
  column,
  jsonOf,
  namesOf,
  nullable,
  oneOf,
  type Database,
  type Row,
} from '../../platform/rows.ts';
import { rows } from '../../platform/rows.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { isStoppable, type MailKind } from './kinds.ts';
import type { OutgoingMail } from './mailer_gateway.ts';
import { textOf, type MailData } from './texts.ts';
import { tokenOf } from './tokens.ts';
import { unsubscriptionOf } from './unsubscribe.ts';

const COLUMNS = {
  id: column.id,
  key: column.text,
  agent_id: column.id,
  kind: oneOf<MailKind>(),
  recipient: column.text,
  data: jsonOf<MailData>(),
  token_id: nullable(column.id),
  created_at: column.time,
};
export type MailRow = Row<typeof COLUMNS>;

/** Mails by a condition, the newest first. */
export const findMails = (
  db: Database,
  condition: string,
  values: readonly unknown[],
): Promise<MailRow[]> =>
  rows(
    db,
    COLUMNS,
    `select ${namesOf(COLUMNS)} from mail where ${condition} order by id desc limit 50`,
    values,
  );

/** Pages that a mail leads to. Those with a token say so by ending in it. */
const PAGES: Readonly<Record<MailKind, string>> = {
  address_link: '/mail/confirm?token=',
  address_change: '/console/account',
  address_changed: '/console/account',
  password_link: '/mail/password?token=',
  password_reset: '/console/login',
  approval: '/console/todo',
  spend: '/console/agents',
  withdrawal: '/console/withdraw',
  sign_in: '/console/account',
  payment_failed: '/console/money',
  calls: '/console/requests',
  digest: '/console',
};

/** The mail as it is sent. Undefined: its link is over, so it is of no use. */
export async function composeMail(
  { db, secrets, config }: { db: Database; secrets: Secrets; config: Config },
  { key, agent_id: agentId, kind, recipient, data, token_id: tokenId }: MailRow,
): Promise<OutgoingMail | undefined> {
  const { publicUrl } = config.api;
  const hasToken = PAGES[kind].endsWith('=');
  const token = tokenId === null ? undefined : await tokenOf(db, secrets, tokenId);
  if (hasToken && token === undefined) return undefined;
  const link = publicUrl + PAGES[kind] + (token ?? '');
  const unsubscribeUrl = isStoppable(kind)
    ? `${publicUrl}/mail/unsubscribe?of=${unsubscriptionOf(secrets, { agentId, kind })}`
    : undefined;
  const texts = textOf({ kind, data, publicUrl, link, unsubscribeUrl });
  return { to: recipient, ...texts, messageId: messageIdOf(secrets, key), unsubscribeUrl };
}

/** Left part of the Message-ID. A hash, because keys hold ids that are nobody else's business. */
const messageIdOf = (secrets: Secrets, key: string) =>
  secrets.hash('mail.message_id', key).hash.toString('hex').slice(0, 40);
