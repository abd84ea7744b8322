import { randomUUID } from 'node:crypto';

import type Provider from 'oidc-provider';
import type { InteractionResults } from 'oidc-provider';

import { consentPage, overPage, type ConsentAnswers } from '../../console/apps/consent_page.tsx';
import { cookiesOf, mayTakePasswords, readCookie } from '../../console/session/cookies.ts';
import { oneOf, readForm } from '../../console/session/form.ts';
import { assertSameOrigin } from '../../console/session/guard.ts';
import { askForAny, ownerOfAnswer, takesPasskeys } from '../../console/session/webauthn.ts';
import type { Given } from '../../console/shown.ts';
import { SCOPES, type Scope } from '../../shared/agents/agents.ts';
import type { Caller } from '../../shared/agents/caller.ts';
import {
  proveOwner,
  proveOwnerByCode,
  type CodeAsked,
} from '../../shared/agents/sessions/sign_in.ts';
import { rootOfId } from '../../shared/agents/sessions/tickets.ts';
import { allowApp } from '../../shared/connections/allow_app.ts';
import type { Context } from '../../shared/kernel/context.ts';
import { Refusal } from '../../shared/kernel/refusal.ts';
import { clean, isSeen } from '../../shared/kernel/text.ts';
import { inTransaction } from '../../shared/kernel/transaction.ts';
import { fromUsd, type Micros } from '../../shared/ledger/money.ts';
import type { HttpContext, Route } from '../http/routes.ts';
import { appOf, hostOf, type App } from './clients.ts';
import { errors } from './oidc_provider.mjs';
import { guarded, OAUTH, pinOrigin } from './requests.ts';
import type { Pages } from './pages.ts';

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

/** What goes on: which app asks for what, and where its owner is sent back to. */
interface Asking {
  readonly interaction: Interaction;
  readonly app: App;
  readonly host: string;
  readonly asked: readonly Scope[];
}

/**
 * `/oauth/consent/:uid`: the page on which an owner signs in, says what an app may do and how much
 * it may spend a day. It comes with each sign-in of an app, and nothing is allowed without it.
 */
export function consentRoutes(context: Context, provider: Provider, pages: Pages): Route[] {
  const { publicUrl } = context.config.api;

  async function askingOf(ctx: HttpContext): Promise<Asking> {
    const interaction = await provider.interactionDetails(ctx.req, ctx.res);
    const { client_id: clientId, redirect_uri: redirectUri, scope } = interaction.params;
    const client = await provider.Client.find(String(clientId));
    if (!client) throw new errors.InvalidClient('the app is unknown');
    const wanted = String(scope).split(' ');
    return {
      interaction,
      app: appOf(client),
      host: hostOf(String(redirectUri)),
      asked: SCOPES.filter((one) => wanted.includes(one)),
    };
  }

  async function show(
    ctx: HttpContext,
    { app, host, asked, interaction }: Asking,
    more: Shown = {},
  ) {
    const provenHost = app.isProven ? new URL(app.app).host : undefined;
    const target = formTarget(String(interaction.params.redirect_uri));
    const { refusal, given, ticket } = more;
    const takes = ticket === undefined && takesPasskeys(publicUrl) && mayTakePasswords(publicUrl);
    const passkey = takes ? await askForAny(context, 'connect') : undefined;
    const answers = { appName: shownApp(app), provenHost, host, asked, given, ticket, passkey };
    await pages.show(ctx, { ...consentPage, leadsTo: [target] }, answers, refusal);
  }

  const handle = guarded(context, async (ctx: HttpContext) => {
    pinOrigin(ctx, publicUrl);
    try {
      const asking = await askingOf(ctx);
      if (ctx.method === 'POST') await answer(ctx, asking);
      else await show(ctx, asking);
    } catch (error) {
      if (!(error instanceof errors.OIDCProviderError)) throw error;
      const problem = 'This sign-in is over, or was begun in another browser.';
      await pages.show(ctx, overPage, { problem });
      ctx.status = 400;
    }
  });

  /** Takes what the owner has answered, or shows the page again with what is wrong. */
  async function answer(ctx: HttpContext, asking: Asking): Promise<void> {
    const given = await readForm(ctx);
    const filled = {
      name: oneOf(given, 'name'),
      limit: oneOf(given, 'limit'),
      scopes: [...(given.scope ?? [])],
    };
    try {
      assertSameOrigin(ctx, publicUrl);
      if (oneOf(given, 'answer') === 'deny') {
        const denied = { error: 'access_denied', error_description: 'the owner did not allow it' };
        return redirect(ctx, await provider.interactionResult(ctx.req, ctx.res, denied));
      }
      const allowed = allowedBy(given, asking);
      const caller = await callerOf(ctx, given);
      if ('ticket' in caller) return await show(ctx, asking, { given: filled, ...caller });
      const { address, requestId } = ctx.state;
      const call = { caller, now: context.clock.now(), key: randomUUID(), requestId, address };
      const { app, host } = asking;
      const name = shownApp(app) || 'An app without a name';
      const connectionId = await inTransaction(context, call, (tx) =>
        allowApp(tx, { ...app, ...allowed, name, host }),
      );
      const result = await grant(asking, allowed.scopes, String(connectionId));
      return redirect(ctx, await provider.interactionResult(ctx.req, ctx.res, result));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const isOver = error.code === 'authentication_required';
      const ticket = isOver ? undefined : oneOf(given, 'ticket') || undefined;
      return show(ctx, asking, { refusal: error, given: filled, ticket });
    }
  }

  /**
   * The owner whose name and password these are, then its code where it has app codes; or whose
   * passkey has answered, which is two factors by itself.
   */
  async function callerOf(ctx: HttpContext, given: Given): Promise<Caller | CodeAsked> {
    if (!mayTakePasswords(publicUrl)) {
      throw new Refusal('forbidden', 'No password is taken over a connection that is not safe.');
    }
    const passkey = oneOf(given, '_passkey');
    if (passkey !== '') {
      const root = await rootOfId(context, await ownerOfAnswer(context, passkey, 'connect'));
      if (!root) throw new Refusal('invalid_key', 'This passkey is of no owner.');
      return callerAs(root.id);
    }
    const known = readCookie(ctx.req, cookiesOf(publicUrl).device);
    const [name, secret] = [oneOf(given, 'name'), oneOf(given, 'secret')];
    const { address } = ctx.state;
    const [ticket, code] = [oneOf(given, 'ticket'), oneOf(given, 'code')];
    const proven =
      ticket === ''
        ? await proveOwner(context, { name, secret, known, address })
        : await proveOwnerByCode(context, { ticket, code, known, address });
    if ('ticket' in proven) return proven;
    return callerAs(proven.agentId);
  }

  async function grant(
    { interaction }: Asking,
    scopes: readonly Scope[],
    accountId: string,
  ): Promise<InteractionResults> {
    const { client_id: clientId, resource, scope } = interaction.params;
    const made = new provider.Grant({ accountId, clientId: String(clientId) });
    made.addResourceScope(String(resource), scopes.join(' '));
    const refused = String(scope)
      .split(' ')
      .filter((one) => !(scopes as readonly string[]).includes(one));
    // What is neither granted nor rejected would be asked for again, for ever.
    if (refused.length > 0) made.rejectResourceScope(String(resource), refused.join(' '));
    const grantId = await made.save();
    return { login: { accountId, remember: false }, consent: { grantId } };
  }

  const path = `${OAUTH}/consent/:uid`;
  return [
    { route: `GET ${path}`, handle },
    { route: `POST ${path}`, handle },
  ];
}

const callerAs = (agentId: number): Caller => ({
  agentId,
  rootId: agentId,
  keyId: 0,
  scopes: SCOPES,
});

interface Shown {
  readonly ticket?: string | undefined;
  readonly refusal?: Refusal;
  readonly given?: ConsentAnswers['given'];
}

/** As a source of a Content-Security-Policy: an origin, or the scheme of an app. */
function formTarget(redirectUri: string): string {
  const { protocol, origin } = new URL(redirectUri);
  return ['http:', 'https:'].includes(protocol) ? origin : protocol;
}

function redirect(ctx: HttpContext, to: string): void {
  ctx.status = 303;
  ctx.set('Location', to);
  ctx.remove('Content-Type');
  ctx.body = '';
}

interface Answer {
  readonly scopes: readonly Scope[];
  readonly dailyLimit: Micros;
}

const refused = (message: string) => new Refusal('validation_error', message);

function allowedBy(given: Given, { asked }: Asking): Answer {
  const scopes = asked.filter((scope) => given.scope?.includes(scope));
  if (scopes.length === 0) throw refused('Tick at least one thing that it may do.');
  const limit = oneOf(given, 'limit');
  if (!/^\d{1,6}(\.\d{1,6})?$/.test(limit)) {
    throw refused('Say how many dollars it may spend a day, such as 5 or 0.50.');
  }
  return { scopes, dailyLimit: fromUsd(Number(limit)) };
}

/** The name of an app as a person may read it; empty: it has none that can be seen. */
function shownApp({ name }: { readonly name: string }): string {
  const seen = clean(name);
  return isSeen(seen) ? seen : '';
}
