import { createTransport } from 'nodemailer';

import { beginningOf, clean } from '../../../shared/kernel/text.ts';
import type { MailerGateway, MailResult } from '../../../shared/domains/mail/mailer_gateway.ts';
import type { MailServer, MailSettings } from '../../../shared/domains/mail/settings.ts';

/** Time in ms for each step of a session. A server may look up a domain before it answers. */
const STEP_MS = 20_000;
const FAULT_CHARS_MAX = 200;
const LOOPBACK = ['localhost', '127.0.0.1', '::1'];

/** Sends mails by the operator's server, or none where the deployment has no such server. */
export function openMailer({ server, from }: MailSettings): MailerGateway {
  if (!server) return { send: async () => ({ outcome: 'shown' }) };
  const transport = createTransport(optionsOf(server));
  return {
    async send({ to, subject, text, html, messageId, unsubscribeUrl }) {
      try {
        await transport.sendMail({
          // Objects, not texts: an address is never parsed as a list of several.
          from: { name: 'Agent Marketplace', address: from },
          to: { name: '', address: to },
          subject,
          text,
          html,
          messageId: `<${messageId}@${from.slice(from.indexOf('@') + 1)}>`,
          headers: {
            // No answers by machines: RFC 3834.
            'Auto-Submitted': 'auto-generated',
            ...(unsubscribeUrl && {
              'List-Unsubscribe': `<${unsubscribeUrl}>`,
              'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            }),
          },
          disableFileAccess: true,
          disableUrlAccess: true,
        });
        return { outcome: 'sent' };
      } catch (error) {
        return faultOf(error as SmtpError);
      }
    },
  };
}

const isHere = (host: string) => LOOPBACK.includes(host);

const optionsOf = ({ host, port, isTls, user }: MailServer) => ({
  host,
  port,
  secure: isTls,
  // A password is sent over TLS only. Where a server offers TLS, its certificate must be of an
  // authority that is trusted (NODE_EXTRA_CA_CERTS adds one): nothing falls back to plain text.
  // Within the machine there is nothing to protect, and certificates there are seldom real.
  requireTLS: user !== undefined && !isHere(host),
  ignoreTLS: isHere(host),
  ...(user && { auth: { user: user.name, pass: user.password } }),
  connectionTimeout: STEP_MS,
  greetingTimeout: STEP_MS,
  socketTimeout: STEP_MS,
  disableFileAccess: true,
  disableUrlAccess: true,
});

interface SmtpError extends Error {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
}

/**
 * A 5xx answer to a recipient or to a message is final, and so is an address that the library does
 * not send; anything else may pass.
 */
function faultOf({ code, command, responseCode = 0, message }: SmtpError): MailResult {
  const isRefused = responseCode >= 500 && ['RCPT TO', 'DATA'].includes(command ?? '');
  const isFinal = isRefused || (code === 'EENVELOPE' && command === 'API');
  const line = clean(`${code ?? 'fault'}: ${message}`).replaceAll(/\s+/g, ' ');
  const fault = beginningOf(line, FAULT_CHARS_MAX);
  return { outcome: isFinal ? 'refused' : 'failed', fault };
}
