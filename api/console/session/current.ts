import { noteCaller, type HttpContext } from '../../http/routes.ts';
import {
  findSession,
  noteSeen,
  renewSession,
  type WebSession,
} from '../../../shared/domains/agents/sessions/sessions.ts';
import type { Context } from '../../../shared/composition/context.ts';
import { cookiesOf, readCookie, setCookie } from './cookies.ts';

export type SessionKind = 'owner' | 'operator';

const YEAR_SECONDS = 365 * 86_400;

/**
 * The session of a request's cookie. `isPerson`: the person does something, which prolongs an idle
 * session; a page that watches events does not.
 */
export async function currentSession(
  context: Context,
  ctx: HttpContext,
  kind: SessionKind,
  { isPerson = true } = {},
): Promise<WebSession | undefined> {
  const token = readCookie(ctx.req, cookiesOf(context.config.api.publicUrl)[kind]);
  const session = token === undefined ? undefined : await findSession(context, token);
  if (!session || kind !== kindOf(session)) return undefined;
  if (isPerson) await noteSeen(context.database, session);
  noteCaller(ctx.state, session.caller);
  return session;
}

/** Looks a session up again, for each call that is made with it. */
export const proverOf =
  (context: Context, ctx: HttpContext, kind: SessionKind, renewed?: string) => async () => {
    const token = renewed ?? readCookie(ctx.req, cookiesOf(context.config.api.publicUrl)[kind]);
    const session = token === undefined ? undefined : await findSession(context, token);
    return session && kindOf(session) === kind ? session.caller : undefined;
  };

/** Renews a session after a proof. Returns the new token, which the browser gets too. */
export async function renew(context: Context, ctx: HttpContext, session: WebSession) {
  const token = await renewSession(context.database, session);
  giveSession(context, ctx, kindOf(session), token);
  return token;
}

export function giveSession(
  { config }: Context,
  ctx: HttpContext,
  kind: SessionKind,
  token: string,
): void {
  const cookies = cookiesOf(config.api.publicUrl);
  // Lax: owners come back from a page of Stripe.
  const sameSite = kind === 'owner' ? 'Lax' : 'Strict';
  setCookie(ctx, cookies[kind], token, { isSecure: cookies.isSecure, sameSite });
}

/** Stores a cookie that proves later that this browser was signed in before. */
export function giveDevice({ config }: Context, ctx: HttpContext, known: string): void {
  const { device, isSecure } = cookiesOf(config.api.publicUrl);
  setCookie(ctx, device, known, { isSecure, sameSite: 'Lax', maxAgeSeconds: YEAR_SECONDS });
}

export function takeSession({ config }: Context, ctx: HttpContext, kind: SessionKind): void {
  const cookies = cookiesOf(config.api.publicUrl);
  setCookie(ctx, cookies[kind], '', {
    isSecure: cookies.isSecure,
    sameSite: 'Lax',
    maxAgeSeconds: 0,
  });
  ctx.set('Clear-Site-Data', '"cache", "storage"');
}

const kindOf = ({ caller }: WebSession): SessionKind =>
  caller.operator === undefined ? 'owner' : 'operator';
