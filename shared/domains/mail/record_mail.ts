import type { Tx } from '../../kernel/tx.ts';
import { column, rows } from '../../platform/rows.ts';
import type { MailKind } from './kinds.ts';
import { sendMail } from './send_mail.ts';
import type { MailData } from './texts.ts';

interface NewMail {
  /** Unique to the cause: a second mail of one key is not sent. */
  readonly key: string;
  readonly agentId: number;
  readonly kind: MailKind;
  readonly to: string;
  readonly data: MailData;
  readonly tokenId?: number;
}

/** Records a mail, sent by a job if this transaction commits. Without mail there is none. */
export async function recordMail(tx: Tx, mail: NewMail): Promise<void> {
  if (tx.config.mail.mode === 'off') return;
  const { key, agentId, kind, to, data, tokenId = null } = mail;
  const [made] = await rows(
    tx.db,
    { id: column.id },
    `insert into mail (key, agent_id, kind, recipient, data, token_id)
     values ($1, $2, $3, $4, $5, $6) on conflict (key) do nothing returning id`,
    [key, agentId, kind, to, JSON.stringify(data), tokenId],
  );
  if (made) await tx.enqueue(sendMail, { mail_id: made.id }, { cause: `mail/${made.id}` });
}
