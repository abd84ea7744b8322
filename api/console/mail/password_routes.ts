import type { Route } from '../../http/routes.ts';
import { linkIsOver } from '../../../shared/domains/agents/addresses/addresses.ts';
import { mailPasswordLink } from '../../../shared/domains/agents/resets/mail_password_link.ts';
import {
  findPasswordLink,
  preparePassword,
  setByLink,
} from '../../../shared/domains/agents/resets/mail_reset.ts';
import { PLATFORM } from '../../../shared/kernel/caller.ts';
import { take, type Limit } from '../../../shared/kernel/limits/limits.ts';
import { invalid } from '../../../shared/kernel/invalid.ts';
import { Refusal } from '../../../shared/kernel/refusal.ts';
import { assertPasswordLength } from '../account/account.tsx';
import type { Console } from '../render.tsx';
import { mayTakePasswords } from '../session/cookies.ts';
import { oneOf } from '../session/form.ts';
import { refusedOf } from '../show_again.ts';
import { changeAs } from './call.ts';
import { forgotPage, notePage, passwordPage } from './link_pages.tsx';
import { count, formOf, send, withLink } from './mail_request.ts';

const FORGOT = '/mail/forgot';
const PASSWORD = '/mail/password';
const ANOTHER = { path: PASSWORD, to: FORGOT, label: 'Ask for another one' };

/** Requests for password links from one address of the network. */
const ASKED: Limit = {
  kind: 'asked_password_links',
  max: 30,
  windowSeconds: 3_600,
  reached: 'Too many links were asked for from here.',
};
/** Nobody has a longer name or address. */
const NAME_CHARS_MAX = 254;

/** The page that asks for a link for a new password, and the page of such a link. */
export function passwordRoutes(console: Console): Route[] {
  const { context } = console;
  const { publicUrl } = context.config.api;
  async function linkOf(token: string) {
    const link = await findPasswordLink(context, token);
    if (!link) throw linkIsOver('Ask for another one.');
    return link;
  }
  return [
    {
      route: `GET ${FORGOT}`,
      async handle(ctx) {
        await count(console, ctx);
        send(console, ctx, context.config.mail.mode === 'off' ? NO_MAIL : forgotPage(FORGOT));
      },
    },
    {
      route: `POST ${FORGOT}`,
      async handle(ctx) {
        const given = await formOf(console, ctx);
        if (context.config.mail.mode === 'off') return send(console, ctx, NO_MAIL);
        const name = oneOf(given, 'name').trim();
        if (name === '') {
          const refused = refusedOf(FORGOT, given, NO_NAME);
          return send(console, ctx, forgotPage(FORGOT), { refused, status: NO_NAME.status });
        }
        // A worker looks for the account, so this does the same work whether there is one or not.
        if (name.length <= NAME_CHARS_MAX) {
          await changeAs(context, ctx, PLATFORM, async (tx) => {
            const address = tx.secrets.hash('mail.asker', ctx.state.address).hash;
            await take(tx, ASKED, { address });
            await tx.enqueue(mailPasswordLink, { name }, { cause: 'password_link' });
          });
        }
        send(console, ctx, notePage(FORGOT, MAYBE_MAILED));
      },
    },
    {
      route: `GET ${PASSWORD}`,
      handle: (ctx) =>
        withLink(console, ctx, ANOTHER, async () => {
          await count(console, ctx);
          const token = String(ctx.query.token ?? '');
          send(console, ctx, passwordPage(PASSWORD, { token, ...(await linkOf(token)) }));
        }),
    },
    {
      route: `POST ${PASSWORD}`,
      handle: (ctx) =>
        withLink(console, ctx, ANOTHER, async () => {
          const given = await formOf(console, ctx);
          const token = oneOf(given, 'token');
          const password = oneOf(given, 'password');
          try {
            if (!mayTakePasswords(publicUrl)) {
              throw new Refusal('forbidden', 'Passwords are taken over HTTPS only.');
            }
            assertPasswordLength(password);
            const code = oneOf(given, 'code').trim();
            const { address } = ctx.state;
            const hash = await preparePassword(context, { token, password, code, address });
            await changeAs(context, ctx, PLATFORM, (tx) => setByLink(tx, token, hash));
          } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            const link = await linkOf(token);
            const refused = refusedOf(PASSWORD, {}, error);
            const again = passwordPage(PASSWORD, { token, ...link });
            return send(console, ctx, again, { refused, status: error.status });
          }
          send(console, ctx, notePage(PASSWORD, PASSWORD_SET));
        }),
    },
  ];
}

const NO_NAME = invalid([{ pointer: '/name', message: 'is missing' }]);

const NO_MAIL = notePage(FORGOT, {
  title: 'Password lost',
  text: 'This marketplace sends no mails. An API key of yours resets the password, after 24 hours.',
  to: '/docs/console/owners',
  label: 'How to reset it',
});

const MAYBE_MAILED = {
  title: 'Look into your mailbox',
  text:
    'If there is such an account and its address is confirmed, a link is on its way. It works once, ' +
    'for one hour. Nothing comes? An API key of yours resets the password too, after 24 hours.',
  to: '/console/login',
  label: 'To sign in',
};

const PASSWORD_SET = {
  title: 'The password is changed',
  text: 'All browsers were signed out. Sign in with the new password.',
  to: '/console/login',
  label: 'Sign in',
};
