import type { HttpContext, Route } from '../../http/routes.ts';
import { composeMail, findMails } from '../../../shared/domains/mail/compose.ts';
import { readUnsubscription, turnOff } from '../../../shared/domains/mail/unsubscribe.ts';
import { Refusal } from '../../../shared/kernel/refusal.ts';
import { transact } from '../../../shared/platform/database.ts';
import type { Console } from '../render.tsx';
import { isFromHere } from '../session/local_request.ts';
import { stoppedLabel } from '../words/notice_words.ts';
import { confirmRoutes } from './confirm_routes.ts';
import { notePage, unsubscribePage } from './link_pages.tsx';
import { count, send, withLink } from './mail_request.ts';
import { mailboxPage } from './mailbox.tsx';
import { passwordRoutes } from './password_routes.ts';

const UNSUBSCRIBE = '/mail/unsubscribe';
const MAILBOX = '/console/mailbox';
const ACCOUNT = { path: UNSUBSCRIBE, to: '/console/account#mail', label: 'To your account' };

/** Pages that mails lead to. They need no session: whoever reads the mail has their token. */
export const mailRoutes = (console: Console): Route[] => [
  ...confirmRoutes(console),
  ...passwordRoutes(console),
  ...unsubscribeRoutes(console),
  mailboxRoute(console),
];

function unsubscribeRoutes(console: Console): Route[] {
  const { context } = console;
  const named = (ctx: HttpContext) => {
    const of = String(ctx.query.of ?? '');
    const found = readUnsubscription(context.secrets, of);
    if (!found) throw new Refusal('not_found', 'This link is not complete. Copy all of it.');
    return { of, ...found, what: stoppedLabel(found.kind) };
  };
  return [
    {
      route: `GET ${UNSUBSCRIBE}`,
      handle: (ctx) =>
        withLink(console, ctx, ACCOUNT, async () => {
          await count(console, ctx);
          send(console, ctx, unsubscribePage(UNSUBSCRIBE, named(ctx)));
        }),
    },
    {
      // Mail programs send it from their own site, without cookies (RFC 8058): the signature is
      // the right to it.
      route: `POST ${UNSUBSCRIBE}`,
      handle: (ctx) =>
        withLink(console, ctx, ACCOUNT, async () => {
          await count(console, ctx);
          const { what, agentId, kind } = named(ctx);
          await transact(context.database, (db) => turnOff(db, { agentId, kind }));
          const text = `${what}: no more mails of this kind. Your account turns them on again.`;
          send(console, ctx, notePage(UNSUBSCRIBE, { ...ACCOUNT, title: 'Turned off', text }));
        }),
    },
  ];
}

const mailboxRoute = (console: Console): Route => ({
  route: `GET ${MAILBOX}`,
  async handle(ctx) {
    await count(console, ctx);
    const { config, database: db, secrets } = console.context;
    // Only for whoever is at this machine: it has the links of all accounts.
    if (config.mail.mode !== 'mailbox' || !isFromHere(ctx.req)) {
      throw new Refusal('not_found', 'There is nothing at this path.');
    }
    const found = await findMails(db, 'true', []);
    const mails = await Promise.all(
      found.map((mail) => composeMail({ db, secrets, config }, mail)),
    );
    send(
      console,
      ctx,
      mailboxPage(
        MAILBOX,
        mails.flatMap((mail) => mail ?? []),
      ),
    );
  },
});
