import type { Route } from '../../http/routes.ts';
import {
  addressLinkIsOver,
  addressProvenBy,
  proveAddress,
} from '../../../shared/domains/agents/addresses/addresses.ts';
import { lockToken } from '../../../shared/domains/mail/tokens.ts';
import { PLATFORM } from '../../../shared/kernel/caller.ts';
import { transact } from '../../../shared/platform/database.ts';
import type { Console } from '../render.tsx';
import { oneOf } from '../session/form.ts';
import { changeAs } from './call.ts';
import { confirmPage, notePage } from './link_pages.tsx';
import { count, formOf, send, withLink } from './mail_request.ts';

const CONFIRM = '/mail/confirm';
const ACCOUNT = { path: CONFIRM, to: '/console/account#mail', label: 'To your account' };

/** The page of a link that proves an address, and its button. */
export function confirmRoutes(console: Console): Route[] {
  const { context } = console;
  const confirmed = (address: string) =>
    notePage(CONFIRM, {
      ...ACCOUNT,
      title: 'Address confirmed',
      text: `${address} is confirmed. Choose on your account what you are told by mail.`,
    });
  return [
    {
      route: `GET ${CONFIRM}`,
      handle: (ctx) =>
        withLink(console, ctx, ACCOUNT, async () => {
          await count(console, ctx);
          const token = String(ctx.query.token ?? '');
          const { link, before } = await transact(context.database, async (db) => ({
            link: await lockToken(db, 'address', token),
            before: await addressProvenBy(db, token),
          }));
          if (before !== undefined) return send(console, ctx, confirmed(before));
          if (!link) throw addressLinkIsOver();
          send(console, ctx, confirmPage(CONFIRM, { address: link.address, token }));
        }),
    },
    {
      route: `POST ${CONFIRM}`,
      handle: (ctx) =>
        withLink(console, ctx, ACCOUNT, async () => {
          const token = oneOf(await formOf(console, ctx), 'token');
          const address = await changeAs(context, ctx, PLATFORM, (tx) => proveAddress(tx, token));
          send(console, ctx, confirmed(address));
        }),
    },
  ];
}
