import { randomUUID } from 'node:crypto';

import type Provider from 'oidc-provider';
import type { InteractionResults } from 'oidc-provider';

import { consentPage, overPage, type ConsentAnswers } from '../console/apps/consent_page.tsx';
import { cookiesOf, mayTakePasswords, readCookie } from '../console/session/cookies.ts';
import { oneOf, readForm } from '../console/session/form.ts';
import { assertSameOrigin } from '../console/session/guard.ts';
import { askForAny, ownerOfAnswer, takesPasskeys } from '../console/session/webauthn.ts';
import type { FormFields } from '../console/page_state.ts';
import { SCOPES, type Scope } from '../../shared/kernel/caller.ts';
import type { Caller } from '../../shared/kernel/caller.ts';
import {
  proveOwner,
  proveOwnerByCode,
  type CodeRequest,
} from '../../shared/domains/agents/sessions/sign_in.ts';
import { rootOfId } from '../../shared/domains/agents/sessions/tickets.ts';
import { allowApp } from '../../shared/domains/connections/allow_app.ts';
import type { Context } from '../../shared/composition/context.ts';
import { Refusal } from '../../shared/kernel/refusal.ts';
import { clean, isSeen } from '../../shared/kernel/text.ts';
import { inTransaction } from '../../shared/performing/transaction.ts';
import { fromUsd, type Micros } from '../../shared/kernel/money.ts';
import type { HttpContext, Route } from '../http/routes.ts';
import { appOf, hostOf, type App } from './clients.ts';
import { errors } from './oidc_provider.mjs';
import { guarded, OAUTH, pinOrigin } from './requests.ts';
import type { Pages } from './pages.ts';

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

/** A sign-in in progress: the app, its request, and where its owner is sent back to. */
interface SignIn {
  readonly interaction: Interaction;
  readonly app: App;
  readonly host: string;
  readonly asked: readonly Scope[];
}

/**
 * `/oauth/consent/:uid`: the page on which an owner signs in, and says what an app may do and how
 * much it may spend a day. Each sign-in of an app shows it, and nothing is allowed without it.
 */
export function consentRoutes(context: Context, provider: Provider, pages: Pages): Route[] {
  const { publicUrl } = context.config.api;

  async function signInOf(ctx: HttpContext): Promise<SignIn> {
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
    { app, host, asked, interaction }: SignIn,
    more: PageExtras = {},
  ) {
    const provenHost = app.isProven ? new URL(app.app).host : undefined;
    const target = formTarget(String(interaction.params.redirect_uri));
    const { refusal, given, ticket } = more;
    const takes = ticket === undefined && takesPasskeys(publicUrl) && mayTakePasswords(publicUrl);
    const passkey = takes ? await askForAny(context, 'connect') : undefined;
    const answers = { appName: shownApp(app), provenHost, host, asked, given, ticket, passkey };
    await pages.show(ctx, { ...consentPage, leadsTo: [target] }, answers, refusal);
  }

  const consent = guarded(context, async (ctx: HttpContext) => {
    pinOrigin(ctx, publicUrl);
    try {
      const signIn = await signInOf(ctx);
      if (ctx.method === 'POST') await answer(ctx, signIn);
      else await show(ctx, signIn);
    } catch (error) {
      if (!(error instanceof errors.OIDCProviderError)) throw error;
      const problem = 'This sign-in is over, or was begun in another browser.';
      await pages.show(ctx, overPage, { problem });
      ctx.status = 400;
    }
  });

  /** Says on a page, too, that a form is too long to be read. */
  async function handle(ctx: HttpContext): Promise<void> {
    try {
      await consent(ctx);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'payload_too_large') throw error;
      const problem = 'Nothing was allowed: what was entered is too long.';
      await pages.show(ctx, overPage, { problem });
      ctx.status = error.status;
    }
  }

  /** Takes the owner's answer, or shows the page again with the problem. */
  async function answer(ctx: HttpContext, signIn: SignIn): Promise<void> {
    let filled: ConsentAnswers['given'];
    let ticket: string | undefined;
    try {
      const given = await readForm(ctx);
      filled = {
        name: oneOf(given, 'name'),
        limit: oneOf(given, 'limit'),
        scopes: [...(given.scope ?? [])],
      };
      ticket = oneOf(given, 'ticket') || undefined;
      assertSameOrigin(ctx, publicUrl);
      const said = oneOf(given, 'answer');
      if (said === 'deny') {
        const denied = { error: 'access_denied', error_description: 'the owner did not allow it' };
        return redirect(ctx, await provider.interactionResult(ctx.req, ctx.res, denied));
      }
      // The script of a passkey sends the form without one of its buttons.
      if (said !== 'allow' && (said !== '' || oneOf(given, '_passkey') === '')) {
        throw refused('Press Connect, or Do not connect.');
      }
      const allowed = allowedBy(given, signIn);
      const caller = await callerOf(ctx, given);
      if ('ticket' in caller) return await show(ctx, signIn, { given: filled, ...caller });
      const { address, requestId } = ctx.state;
      const call = { caller, now: context.clock.now(), key: randomUUID(), requestId, address };
      const { app, host } = signIn;
      const name = shownApp(app) || 'An app without a name';
      const connectionId = await inTransaction(context, call, (tx) =>
        allowApp(tx, { ...app, ...allowed, name, host }),
      );
      const result = await grant(signIn, allowed.scopes, String(connectionId));
      return redirect(ctx, await provider.interactionResult(ctx.req, ctx.res, result));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.code === 'authentication_required') ticket = undefined;
      return show(ctx, signIn, { refusal: error, given: filled, ticket });
    }
  }

  /**
   * The owner with this name and password, and with this code if it has app codes; or the owner
   * whose passkey has answered, which is two factors by itself.
   */
  async function callerOf(ctx: HttpContext, given: FormFields): Promise<Caller | CodeRequest> {
    if (!mayTakePasswords(publicUrl)) {
      throw new Refusal('forbidden', 'Passwords are taken over HTTPS only.');
    }
    const passkey = oneOf(given, '_passkey');
    if (passkey !== '') {
      const root = await rootOfId(context, await ownerOfAnswer(context, passkey, 'connect'));
      if (!root) throw new Refusal('invalid_key', 'This passkey belongs to no owner.');
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
    { interaction }: SignIn,
    scopes: readonly Scope[],
    accountId: string,
  ): Promise<InteractionResults> {
    const { client_id: clientId, resource, scope } = interaction.params;
    const made = new provider.Grant({ accountId, clientId: String(clientId) });
    made.addResourceScope(String(resource), scopes.join(' '));
    const refused = String(scope)
      .split(' ')
      .filter((one) => !(scopes as readonly string[]).includes(one));
    // A scope that is neither granted nor rejected would be asked for again, for ever.
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

interface PageExtras {
  readonly ticket?: string | undefined;
  readonly refusal?: Refusal;
  readonly given?: ConsentAnswers['given'];
}

/** A source of a Content-Security-Policy: an origin, or the scheme of an app. */
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

interface Permission {
  readonly scopes: readonly Scope[];
  readonly dailyLimit: Micros;
}

const refused = (message: string) => new Refusal('validation_error', message);

function allowedBy(given: FormFields, { asked }: SignIn): Permission {
  const scopes = asked.filter((scope) => given.scope?.includes(scope));
  if (scopes.length === 0) throw refused('Tick at least one thing that it may do.');
  const limit = oneOf(given, 'limit');
  if (!/^\d{1,6}(\.\d{1,6})?$/.test(limit)) {
    throw refused('Say how many dollars it may spend a day, such as 5 or 0.50.');
  }
  return { scopes, dailyLimit: fromUsd(Number(limit)) };
}

/** The name of an app as a person may read it; empty: it has no visible name. */
function shownApp({ name }: { readonly name: string }): string {
  const seen = clean(name);
  return isSeen(seen) ? seen : '';
}
