import type { HttpContext, Route } from '../../api/http/routes.ts';
import { findBegun, hasAppCodes } from '../../shared/agents/factors/app_codes.ts';
import { listPasskeys } from '../../shared/agents/factors/passkeys.ts';
import { countRecoveryCodes } from '../../shared/agents/factors/recovery_codes.ts';
import {
  changePassword,
  endSessions,
  listSessions,
} from '../../shared/agents/sessions/list_sessions.ts';
import { stopReset } from '../../shared/agents/resets/password_reset.ts';
import { saveSettings } from '../../shared/agents/sessions/settings.ts';
import { provesAgain } from '../../shared/agents/sessions/sign_in.ts';
import type { WebSession } from '../../shared/agents/sessions/sessions.ts';
import { countCalls } from '../../shared/composition/count_calls.ts';
import { Refusal } from '../../shared/kernel/refusal.ts';
import { transact } from '../../shared/platform/database.ts';
import { sendPage, type Console } from '../render.tsx';
import { sendAsk } from '../session/ask.tsx';
import { currentSession, renew } from '../session/current.ts';
import { proofIn } from '../session/prove.ts';
import { oneOf, readForm } from '../session/form.ts';
import { assertSameOrigin } from '../session/guard.ts';
import { askForNew, takesPasskeys } from '../session/webauthn.ts';
import { refusedOf } from '../show_again.ts';
import { accountPage, PASSWORD_CHARS, type AccountAnswers } from './account.tsx';
import { appCodeChanges } from './app_code_changes.ts';
import type { Change, Done } from './change.ts';
import { passkeyChanges } from './passkey_changes.ts';
import { settingsIn } from './settings.tsx';

const PATH = accountPage.path;

/** `/console/account`: what is of the console itself, and so no operation of the marketplace. */
export function accountRoutes(console: Console): Route[] {
  const { context } = console;
  return [
    {
      route: `GET ${PATH}`,
      async handle(ctx) {
        const session = await currentSession(context, ctx, 'owner');
        if (!session) return toLogin(ctx);
        await show(console, ctx, session);
      },
    },
    ...[...changesOf(console), ...appCodeChanges(context), ...passkeyChanges(context)].map(
      (change) => routeOf(console, change),
    ),
  ];
}

function changesOf({ context }: Console): Change[] {
  const { database } = context;
  return [
    {
      path: '/sessions',
      proof: 'End other sessions',
      async perform({ session, given }) {
        const which = oneOf(given, 'session');
        const isId = /^\d{1,15}$/.test(which);
        if (!isId && which !== 'others') throw new Refusal('bad_request', 'Which session?');
        const ended = await endSessions(database, session, isId ? Number(which) : 'others');
        return {
          said: ended === 1 ? 'One session was ended.' : `${ended} sessions were ended.`,
        };
      },
    },
    {
      path: '/password',
      async perform({ ctx, session, given }) {
        const password = oneOf(given, 'password');
        const { length } = password;
        if (length < PASSWORD_CHARS.min || length > PASSWORD_CHARS.max) {
          throw new Refusal('validation_error', 'The new password is too short or too long.');
        }
        const { address } = ctx.state;
        const secret = oneOf(given, 'secret');
        if (!(await provesAgain(context, session, { secret, address }, 'password'))) {
          throw new Refusal('invalid_key', 'That is not the password now, so it was not changed.');
        }
        await transact(database, (db) => changePassword(db, session, { password, address }));
        await renew(context, ctx, session);
        return { said: 'The password was changed. All other sessions have ended.' };
      },
    },
    {
      path: '/reset/stop',
      async perform({ session }) {
        await transact(database, (db) => stopReset(db, session.caller.agentId));
        return { said: 'It was stopped. Your password stays as it is.' };
      },
    },
    {
      path: '/settings',
      async perform({ session, given }) {
        const settings = settingsIn(given);
        await saveSettings(database, session.caller.agentId, settings);
        return { said: 'Saved.', settings };
      },
    },
  ];
}

function routeOf(console: Console, { path, proof, perform }: Change): Route {
  const { context } = console;
  return {
    route: `POST ${PATH}${path}`,
    async handle(ctx) {
      assertSameOrigin(ctx, context.config.api.publicUrl);
      let session = await currentSession(context, ctx, 'owner');
      if (!session) return toLogin(ctx);
      const { address } = ctx.state;
      await countCalls(context, { caller: session.caller, address });
      const given = await readForm(ctx);
      try {
        if (proof !== undefined && !session.isFresh) {
          const question = { title: proof, action: PATH + path, given, session };
          if (!(await proofIn(context, ctx, session, given))) {
            return await sendAsk(console, ctx, { ...question, ask: 'proof' });
          }
          session = { ...session, isFresh: true };
        }
        const more = await perform({ ctx, session, given });
        const { resetDueAt } = session;
        const after = { ...session, resetDueAt: path === '/reset/stop' ? null : resetDueAt };
        await show(console, ctx, after, { more });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const refused = refusedOf('', {}, error);
        await show(console, ctx, session, { refused, status: error.status });
      }
    },
  };
}

interface More {
  readonly more?: Done;
  readonly refused?: ReturnType<typeof refusedOf>;
  readonly status?: number;
}

async function show(
  console: Console,
  ctx: HttpContext,
  session: WebSession,
  { more, refused, status }: More = {},
): Promise<void> {
  const { said, recovery, settings = session.settings } = more ?? {};
  const [sessions, codes, passkeys] = await Promise.all([
    listSessions(console.context.database, session),
    appCodesOf(console, session),
    passkeysOf(console, session),
  ]);
  const answers: AccountAnswers = {
    said,
    sessions,
    current: session.id,
    codes: { ...codes, recovery },
    passkeys,
  };
  const asked = { params: {}, query: {} };
  const shown = { ...session, settings };
  const request = { page: accountPage, asked, url: PATH, session: shown, refused };
  sendPage(console, ctx, request, { ...answers }, status);
}

/** A secret is shown to whoever has given a proof: not to a browser that was left open. */
async function appCodesOf({ context }: Console, { caller, name, isFresh }: WebSession) {
  const { database } = context;
  const { agentId } = caller;
  const app = { agentId, name, issuer: 'Agent Marketplace' };
  const [isOn, begun, recoveryLeft] = await Promise.all([
    hasAppCodes(database, agentId),
    isFresh ? findBegun(context, database, app) : undefined,
    countRecoveryCodes(database, agentId),
  ]);
  return { isOn, begun, recoveryLeft };
}

async function passkeysOf({ context }: Console, session: WebSession) {
  const areTaken = takesPasskeys(context.config.api.publicUrl);
  const [passkeys, asked] = await Promise.all([
    listPasskeys(context.database, session.caller.agentId),
    areTaken && session.isFresh ? askForNew(context, session) : undefined,
  ]);
  return { passkeys, asked, areTaken };
}

function toLogin(ctx: HttpContext): void {
  ctx.status = 303;
  ctx.set('Location', `/console/login?next=${encodeURIComponent(PATH)}`);
  ctx.body = null;
}
