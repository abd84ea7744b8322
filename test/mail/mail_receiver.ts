import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

import { eventually } from '../harness.ts';

/** A mail as the server took it. */
interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Header fields by their names in lower case, unfolded. */
  readonly headers: ReadonlyMap<string, string>;
  /** The plain text and the HTML, decoded. */
  readonly text: string;
  readonly html: string;
}

export interface MailReceiver {
  readonly host: string;
  readonly port: number;
  readonly mails: readonly ReceivedMail[];
  /** Number of messages that were sent, also those that were not taken. */
  readonly attempts: () => number;
  /** Code and text with which the next messages are refused. */
  refuse: { code: number; text: string } | undefined;
  /** Recipients that were named, also those that were refused. */
  readonly named: readonly string[];
  /** Code with which a recipient is refused, by its address. */
  readonly refusedRecipients: Map<string, number>;
  /** Passwords that were given, and whether by TLS. */
  readonly passwords: readonly { readonly isTls: boolean }[];
  /** The first mail to this address with this subject. */
  find(to: string, subject: string): Promise<ReceivedMail>;
  close(): Promise<void>;
}

const SMTP_USER = 'market';
const SMTP_PASSWORD = 'p/a:s@s w?rd';

interface ReceiverOptions {
  readonly host?: string;
  readonly port?: number;
  /** PEM texts. Absent: no TLS is offered. */
  readonly certificate?: { readonly cert: string; readonly key: string };
  /** TLS from the first byte, and not by STARTTLS. */
  readonly isImplicit?: boolean;
  /** International addresses (RFC 6531) are not taken. */
  readonly isAscii?: boolean;
}

/** A real mail server on loopback that takes mails of one user. */
export async function startReceiver({
  host = '127.0.0.1',
  port = 0,
  certificate,
  isImplicit = false,
  isAscii = false,
}: ReceiverOptions = {}): Promise<MailReceiver> {
  const mails: ReceivedMail[] = [];
  const named: string[] = [];
  const passwords: { isTls: boolean }[] = [];
  const refusedRecipients = new Map<string, number>();
  let attempts = 0;
  const server = new SMTPServer({
    ...certificate,
    secure: isImplicit,
    disabledCommands: certificate ? [] : ['STARTTLS'],
    hideSMTPUTF8: isAscii,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    onRcptTo({ address }, _session, callback) {
      named.push(address);
      const code = refusedRecipients.get(address);
      if (code === undefined) callback();
      else callback(Object.assign(new Error('no such mailbox'), { responseCode: code }));
    },
    onAuth({ username, password }, { secure }, callback) {
      passwords.push({ isTls: secure });
      const isRight = username === SMTP_USER && password === SMTP_PASSWORD;
      if (isRight) callback(null, { user: username });
      else callback(new Error('535 wrong password'));
    },
    onData(stream, { envelope }, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        attempts += 1;
        if (receiver.refuse) {
          const { code, text } = receiver.refuse;
          callback(Object.assign(new Error(text), { responseCode: code }));
          return;
        }
        const from = envelope.mailFrom ? envelope.mailFrom.address : '';
        const to = envelope.rcptTo.map(({ address }) => address);
        mails.push({ from, to, ...partsOf(Buffer.concat(chunks).toString('utf8')) });
        callback();
      });
    },
  });
  server.on('error', () => undefined);
  server.listen(port, host);
  await once(server.server, 'listening');
  const receiver: MailReceiver = {
    host,
    named,
    passwords,
    refusedRecipients,
    port: (server.server.address() as AddressInfo).port,
    mails,
    attempts: () => attempts,
    refuse: undefined,
    async find(to, subject) {
      const isIt = (mail: ReceivedMail) =>
        mail.to.includes(to) && mail.headers.get('subject') === subject;
      const found = await eventually(
        async () => mails.find(isIt),
        (mail) => mail !== undefined,
      );
      return found!;
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
  return receiver;
}

/** The settings of a platform that sends by this server. */
export const smtpSettings = (
  { host, port }: Pick<MailReceiver, 'host' | 'port'>,
  scheme: 'smtp' | 'smtps' = 'smtp',
) => ({
  SMTP_URL: `${scheme}://${SMTP_USER}:${encodeURIComponent(SMTP_PASSWORD)}@${host}:${port}`,
  MAIL_FROM: 'market@market.example.com',
});

/** The token of the link in a mail. */
export const tokenIn = ({ text }: { readonly text: string }): string => {
  const [, token] = /[?&]token=([\w-]{43})/.exec(text) ?? [];
  if (!token) throw new Error(`no token in ${text}`);
  return token;
};

function partsOf(raw: string) {
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const headers = headersOf(head);
  const [, boundary = ''] = /boundary="?([^";]+)/.exec(headers.get('content-type') ?? '') ?? [];
  const parts = rest.join('\r\n\r\n').split(`--${boundary}`);
  const ofType = (type: string) => {
    const part = parts.find((one) => one.includes(`Content-Type: ${type}`)) ?? '';
    const [partHead = '', ...body] = part.split('\r\n\r\n');
    return decoded(body.join('\r\n\r\n'), headersOf(partHead.trim()));
  };
  return { headers, text: ofType('text/plain'), html: ofType('text/html') };
}

const headersOf = (head: string): ReadonlyMap<string, string> =>
  new Map(
    head
      .replaceAll(/\r\n[ \t]+/g, ' ')
      .split('\r\n')
      .map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
  );

function decoded(body: string, headers: ReadonlyMap<string, string>): string {
  const encoding = headers.get('content-transfer-encoding');
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([\dA-F]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
