import { operation } from '../../kernel/operation.ts';
import { Id, Input, OneOf, Output } from '../../kernel/schema.ts';
import type { Tx } from '../../kernel/tx.ts';
import { RetryLater } from '../../performing/perform.ts';
import { execute } from '../../platform/rows.ts';
import { composeMail, findMails, type MailRow } from './compose.ts';
import type { MailResult, OutgoingMail } from './mailer_gateway.ts';

/** Hours after which a mail is given up. Who needs it has asked again by then. */
const HOURS_MAX = 24;
const PAUSE_MS_MIN = 15_000;
const PAUSE_MS_MAX = 60 * 60_000;

const ENDS = ['sent', 'shown', 'refused', 'given_up', 'gone'] as const;
type End = (typeof ENDS)[number];

/** A mail to send. Without `message` it is of no use any more. */
interface Prepared {
  readonly mail: MailRow;
  readonly message: OutgoingMail | undefined;
}

export const sendMail = operation({
  name: 'send_mail',
  title: 'Send a mail',
  summary: 'Internal: hands one mail to the mail server.',
  access: 'operator',
  mode: 'job',
  queue: 'network',
  input: Input({ mail_id: Id('The mail.') }),
  output: Output({
    status: OneOf(ENDS, 'gone: it was forgotten, or another job has ended it.'),
  }),
  gatherMs: 90_000,

  async prepare(tx, { mail_id: id }): Promise<Prepared | undefined> {
    const [mail] = await findMails(tx.db, `id = $1 and status = 'waiting'`, [id]);
    return mail && { mail, message: await composeMail(tx, mail) };
  },

  async gather(gateways, _input, _call, prepared): Promise<(Prepared & Sent) | undefined> {
    if (!prepared) return undefined;
    const { message } = prepared;
    const result = message ? await gateways.mailer.send(message) : undefined;
    return { ...prepared, result };
  },

  async handle(tx, _input, sent): Promise<{ status: End }> {
    if (!sent) return { status: 'gone' };
    const { mail, result } = sent;
    const ageMs = tx.now.getTime() - mail.created_at.getTime();
    const fault = result && 'fault' in result ? result.fault : null;
    if (result?.outcome === 'failed' && ageMs < HOURS_MAX * 3_600_000) {
      const about = { mail_id: mail.id, kind: mail.kind, fault };
      tx.log.warn(about, 'a mail was not taken by the mail server; it will be sent again later');
      throw new RetryLater(Math.min(PAUSE_MS_MAX, Math.max(PAUSE_MS_MIN, ageMs)));
    }
    const status =
      result === undefined || result.outcome === 'failed' ? 'given_up' : result.outcome;
    if (fault !== null) tx.log.error({ mail_id: mail.id, kind: mail.kind, fault }, GIVEN_UP);
    await end(tx, mail, { status, fault });
    return { status };
  },
});

interface Sent {
  readonly result: MailResult | undefined;
}

const GIVEN_UP =
  'a mail was given up: look at SMTP_URL and MAIL_FROM if others fail too; its owner can ask for ' +
  'a link again, and sees notices in the console';

const end = (
  { db }: Tx,
  { id }: MailRow,
  { status, fault }: { status: string; fault: string | null },
) =>
  execute(
    db,
    `update mail set status = $2, fault = $3, ended_at = now()
      where id = $1 and status = 'waiting'`,
    [id, status, fault],
  );
