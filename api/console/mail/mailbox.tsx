import type { OutgoingMail } from '../../../shared/domains/mail/mailer_gateway.ts';
import type { Page } from '../page.ts';
import { Card, Empty, Lead } from '../parts/card.tsx';
import { publicPage } from './link_pages.tsx';

/** Mails of a deployment that sends none, for its developer. */
export const mailboxPage = (path: string, mails: readonly OutgoingMail[]): Page =>
  publicPage(path, 'Mailbox', () => (
    <>
      <Lead title="Mailbox">
        <p>
          SMTP_URL is not set, so mails come here, to whoever works on this machine. The newest come
          first. In production there is no such page.
        </p>
      </Lead>
      {mails.length === 0 && <Empty>No mails yet.</Empty>}
      {mails.map((mail, n) => (
        <Card id={`mail-${n}`} title={mail.subject}>
          <figure class="quote">
            <figcaption class="words">To {mail.to}</figcaption>
            <blockquote>
              {mail.text
                .trim()
                .split(LINKS)
                .map((part) => (LINK.test(part) ? <a href={part}>{part}</a> : part))}
            </blockquote>
          </figure>
        </Card>
      ))}
    </>
  ));

const LINKS = /(https?:\/\/\S+)/;
const LINK = /^https?:\/\/\S+$/;
