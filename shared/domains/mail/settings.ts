import { isLoopback } from '../../platform/egress/addresses.ts';
import type { SettingReader } from '../../platform/config/environment.ts';
import { mailbox } from '../../platform/config/setting_values.ts';
import { parseUrl } from '../../platform/parse_url.ts';

/** The server that mails are handed to. It is the operator's own, so it may be at any address. */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte. Otherwise STARTTLS is used. */
  readonly isTls: boolean;
  readonly user?: { readonly name: string; readonly password: string };
}

export function mailSettings(
  { production, read, optional }: SettingReader,
  api: { readonly publicUrl?: string },
) {
  const server = optional('SMTP_URL', mailServer);
  // With a sender alone nothing is sent; the setting is read so that its name is known.
  const from = server
    ? read('MAIL_FROM', senderOf(server), mailbox)
    : optional('MAIL_FROM', mailbox);
  // A faulty PUBLIC_URL is undefined here; its own check reports it.
  const isLocal = isLoopback(parseUrl(api.publicUrl ?? '')?.hostname ?? '');
  return Object.freeze({
    /**
     * smtp: mails are sent. mailbox: they are shown at /console/mailbox, where a developer reads
     * them; only outside production, on the machine itself. off: there are none.
     */
    mode: server ? 'smtp' : !production && isLocal ? 'mailbox' : 'off',
    server,
    from: from ?? 'marketplace@localhost',
  } as const);
}

export type MailSettings = ReturnType<typeof mailSettings>;

/** Warning of a deployment that sends no mail. */
export const NO_MAIL =
  'SMTP_URL is not set: no mail is sent, so people cannot prove their addresses, reset a lost ' +
  'password by mail or be told anything. Set SMTP_URL and MAIL_FROM (docs/deployment.md)';

/** The sender if none is named: the user, if that is an address, else one of the server's host. */
const senderOf = ({ host, user }: MailServer) =>
  user?.name.includes('@') ? user.name : `marketplace@${host}`;

/** Reads smtp://user:password@host:587. No message shows any part of it: it holds a password. */
function mailServer(text: string): MailServer {
  const url = parseUrl(text);
  const isTls = url?.protocol === 'smtps:';
  if (!url || (!isTls && url.protocol !== 'smtp:') || url.hostname === '') {
    throw new Error('must be a URL like smtps://user:password@mail.example.com:465');
  }
  if (url.search || url.hash || !['', '/'].includes(url.pathname)) {
    throw new Error('must end after the host and its port; encode / ? # @ : in a password');
  }
  const [name, password] = [url.username, url.password].map((part) => decodeURIComponent(part));
  if (!name !== !password) throw new Error('needs both a user and a password, or neither');
  return {
    host: url.hostname.replaceAll(/^\[|\]$/g, ''),
    port: Number(url.port || (isTls ? 465 : 587)),
    isTls,
    ...(name && password && { user: { name, password } }),
  };
}
