import type { HttpContext, Route } from '../../api/http/routes.ts';
import { changePassword, endSessions } from '../../shared/agents/sessions/list_sessions.ts';
import { stopReset } from '../../shared/agents/resets/password_reset.ts';
import { saveSettings } from '../../shared/agents/sessions/settings.ts';
import { provesAgain } from '../../shared/agents/sessions/sign_in.ts';
import { countCalls } from '../../shared/composition/count_calls.ts';
import { Refusal } from '../../shared/kernel/refusal.ts';
import { transact } from '../../shared/platform/database.ts';
import type { Console } from '../render.tsx';
import { sendAsk } from '../session/ask.tsx';
import { currentSession, renew } from '../session/current.ts';
import { proofIn } from '../session/prove.ts';
import { oneOf, readForm } from '../session/form.ts';
import { assertSameOrigin } from '../session/guard.ts';
import { sendLogin } from '../session/login_routes.ts';
import { refusedOf } from '../show_again.ts';
import type { Given } from '../shown.ts';
import { accountPage, PASSWORD_CHARS } from './account.tsx';
import { appCodeChanges } from './app_code_changes.ts';
import type { Change } from './change.ts';
import { passkeyChanges } from './passkey_changes.ts';
import { SETTINGS, settingsIn } from './settings.tsx';
import { showAccount } from './show_account.ts';

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
        await showAccount(console, ctx, session);
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
        const { passwordMemoryKib: memoryKib } = context.config.agents;
        const change = { password, address, memoryKib };
        await transact(database, (db) => changePassword(db, session, change));
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
      path: SETTINGS,
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
      const given = await readForm(ctx);
      if (!session) {
        // What was typed comes back after signing in, beside what is secret.
        const kept = { operation: path, given: { ...typedIn(given), _back: [PATH] } };
        return sendLogin(console, ctx, 'owner', { next: PATH, kept }, { status: 401 });
      }
      const { address } = ctx.state;
      await countCalls(context, { caller: session.caller, address });
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
        await showAccount(console, ctx, after, { more });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const refused = refusedOf(path, typedIn(given), error);
        await showAccount(console, ctx, session, { refused, status: error.status });
      }
    },
  };
}

function toLogin(ctx: HttpContext): void {
  ctx.status = 303;
  ctx.set('Location', `/console/login?next=${encodeURIComponent(PATH)}`);
  ctx.body = null;
}

/** Of what was sent, what its person would have to type again: no secret, no code, no proof. */
const typedIn = (given: Given): Given =>
  Object.fromEntries(
    Object.entries(given).filter(([name]) => !/^(secret|password|code|made|_.*)$/.test(name)),
  );
