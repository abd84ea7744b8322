import { randomUUID } from 'node:crypto';

import { errors } from 'oidc-provider';
import type Provider from 'oidc-provider';
import type { InteractionResults } from 'oidc-provider';

import { SCOPES, type Scope } from '../../shared/agents/agents.ts';
import { allowApp } from '../../shared/connections/allow_app.ts';
import type { Context } from '../../shared/kernel/context.ts';
import { Refusal } from '../../shared/kernel/refusal.ts';
import { clean } from '../../shared/kernel/text.ts';
import { inTransaction } from '../../shared/kernel/transaction.ts';
import { fromUsd, type Micros } from '../../shared/ledger/money.ts';
import { readBytes } from '../http/request.ts';
import type { HttpContext, Route } from '../http/routes.ts';
import { appOf, hostOf, type App } from './clients.ts';
import { consentPage, errorPage, PAGE_HEADERS, policyFor, type Question } from './consent_page.ts';
import { proveOwner } from './owner.ts';
import { OAUTH } from './provider.ts';
import { guarded, pinOrigin } from './requests.ts';

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
export function consentRoutes(context: Context, provider: Provider): Route[] {
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

  function show(ctx: HttpContext, { app, host, asked, interaction }: Asking, more: Shown = {}) {
    const provenHost = app.isProven ? new URL(app.app).host : undefined;
    const target = formTarget(String(interaction.params.redirect_uri));
    ctx.set({ ...PAGE_HEADERS, 'Content-Security-Policy': policyFor([target]) });
    ctx.set('Content-Type', 'text/html; charset=utf-8');
    const appName = clean(app.name);
    ctx.body = consentPage({ appName, isProven: app.isProven, provenHost, host, asked, ...more });
  }

  const handle = guarded(context, async (ctx: HttpContext) => {
    pinOrigin(ctx, publicUrl);
    try {
      const asking = await askingOf(ctx);
      if (ctx.method === 'POST') await answer(ctx, asking);
      else show(ctx, asking);
    } catch (error) {
      if (!(error instanceof errors.OIDCProviderError)) throw error;
      ctx.set({ ...PAGE_HEADERS, 'Content-Type': 'text/html; charset=utf-8' });
      ctx.status = 400;
      ctx.body = errorPage('This sign-in is over, or was begun in another browser.');
    }
  });

  /** Takes what the owner has answered, or shows the page again with what is wrong. */
  async function answer(ctx: HttpContext, asking: Asking): Promise<void> {
    assertSameOrigin(ctx, publicUrl);
    const form = new URLSearchParams((await readBytes(ctx)).toString());
    if (form.get('answer') === 'deny') {
      const denied = { error: 'access_denied', error_description: 'the owner did not allow it' };
      return redirect(ctx, await provider.interactionResult(ctx.req, ctx.res, denied));
    }
    try {
      const allowed = readForm(form, asking);
      const { address, requestId } = ctx.state;
      const owner = await proveOwner(context, { ...allowed, address });
      const caller = { agentId: owner, rootId: owner, keyId: 0, scopes: SCOPES };
      const call = { caller, now: context.clock.now(), key: randomUUID(), requestId, address };
      const { app, host } = asking;
      const name = clean(app.name) || 'An app without a name';
      const connectionId = await inTransaction(context, call, (tx) =>
        allowApp(tx, { ...app, ...allowed, name, host }),
      );
      const result = await grant(asking, allowed.scopes, String(connectionId));
      return redirect(ctx, await provider.interactionResult(ctx.req, ctx.res, result));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      ctx.status = error.status === 401 ? 403 : error.status;
      const given = { name: form.get('username') ?? '', limit: form.get('limit') ?? '' };
      return show(ctx, asking, { problem: error.message, given });
    }
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

type Shown = Pick<Question, 'problem' | 'given'>;

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

/** A form of another site is not sent to us: browsers say where it came from. */
function assertSameOrigin({ req: { headers } }: HttpContext, publicUrl: string): void {
  const site = headers['sec-fetch-site'];
  const { origin } = headers;
  const isOurs = site === undefined ? origin === new URL(publicUrl).origin : site === 'same-origin';
  if (!isOurs) throw new Refusal('forbidden', 'This form was not sent by our own page.');
}

interface Answer {
  readonly username: string;
  readonly password: string;
  readonly scopes: readonly Scope[];
  readonly dailyLimit: Micros;
}

const refused = (message: string) => new Refusal('validation_error', message);

function readForm(form: URLSearchParams, { asked }: Asking): Answer {
  const ticked = form.getAll('scope');
  const scopes = asked.filter((scope) => ticked.includes(scope));
  if (scopes.length === 0) throw refused('Tick at least one thing that it may do.');
  const limit = form.get('limit') ?? '';
  if (!/^\d{1,6}(\.\d{1,6})?$/.test(limit)) {
    throw refused('Say how many dollars it may spend a day, such as 5 or 0.50.');
  }
  const username = form.get('username') ?? '';
  const password = form.get('password') ?? '';
  return { username, password, scopes, dailyLimit: fromUsd(Number(limit)) };
}
