import type { HttpContext, Route } from '../../http/routes.ts';
import {
  changePassword,
  endSessions,
} from '../../../shared/domains/agents/sessions/list_sessions.ts';
import { stopReset } from '../../../shared/domains/agents/resets/password_reset.ts';
import { saveSettings } from '../../../shared/domains/agents/sessions/settings.ts';
import { refuseWeakPasswordOf } from '../../../shared/domains/agents/weak_passwords/weak_passwords.ts';
import { provesAgain } from '../../../shared/domains/agents/sessions/sign_in.ts';
import { countCalls } from '../../../shared/composition/invoke/count_calls.ts';
import { Refusal } from '../../../shared/kernel/refusal.ts';
import { transact } from '../../../shared/platform/database.ts';
import type { Console } from '../render.tsx';
import { sendAsk } from '../session/ask.tsx';
import { currentSession, renew } from '../session/current.ts';
import { proofIn } from '../session/prove.ts';
import { assertForm, oneOf, readFields } from '../session/form.ts';
import { assertSameOrigin } from '../session/guard.ts';
import { sendLogin } from '../session/login_routes.ts';
import { refusedOf } from '../show_again.ts';
import type { FormFields } from '../page_state.ts';
import { accountPage, assertPasswordLength, CHANGE_PASSWORD } from './account.tsx';
import { appCodeChanges } from './app_code_changes.ts';
import type { Change, ChangeResult } from './change.ts';
import { EXPORT, exportFile } from './export_file.ts';
import { mailChanges } from './mail_changes.ts';
import { passkeyChanges } from './passkey_changes.ts';
import { SETTINGS, settingsIn } from './settings.tsx';
import { showAccount } from './show_account.ts';

const PATH = accountPage.path;

/** `/console/account`: settings of the console itself, which no operation covers. */
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
    ...[
      ...changesOf(console),
      ...appCodeChanges(context),
      ...passkeyChanges(context),
      ...mailChanges(context),
    ].map((change) => routeOf(console, change)),
  ];
}

function changesOf(console: Console): Change[] {
  const { context } = console;
  const { database } = context;
  return [
    {
      path: EXPORT,
      proof: 'Download your data',
      async perform({ ctx, session }) {
        const text = await exportFile(console, ctx, session);
        return { said: '', file: { name: 'account.json', text } };
      },
    },
    {
      path: '/sessions',
      proof: 'End other sessions',
      async perform({ session, given }) {
        const which = oneOf(given, 'session');
        const isId = /^\d{1,15}$/.test(which);
        if (!isId && which !== 'others')
          throw new Refusal('bad_request', 'There is no such session.');
        const ended = await endSessions(database, session, isId ? Number(which) : 'others');
        return {
          said: ended === 1 ? 'One session was ended.' : `${ended} sessions were ended.`,
        };
      },
    },
    {
      path: CHANGE_PASSWORD,
      async perform({ ctx, session, given }) {
        const password = oneOf(given, 'password');
        assertPasswordLength(password);
        await refuseWeakPasswordOf(database, session.caller.agentId, password);
        const { address } = ctx.state;
        const secret = oneOf(given, 'secret');
        if (!(await provesAgain(context, session, { secret, address }, 'password'))) {
          throw new Refusal(
            'invalid_key',
            'The current password is wrong, so nothing was changed.',
          );
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
        return { said: 'The reset was stopped. Your password is unchanged.' };
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
      const given = await readFields(ctx);
      if (!session) {
        // The typed fields come back after signing in, except secrets.
        const { _account = [] } = given;
        const kept = { operation: path, given: { ...typedIn(given), _account, _back: [PATH] } };
        return sendLogin(console, ctx, 'owner', { next: PATH, kept }, { status: 401 });
      }
      const { address } = ctx.state;
      await countCalls(context, { caller: session.caller, address });
      try {
        assertForm(given, session);
        if (proof !== undefined && !session.isFresh) {
          const question = { title: proof, action: PATH + path, given, session };
          if (!(await proofIn(context, ctx, session, given))) {
            return await sendAsk(console, ctx, { ...question, ask: 'proof' });
          }
          session = { ...session, isFresh: true };
        }
        const more = await perform({ ctx, session, given });
        if (more.file) return sendFile(ctx, more.file);
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

function sendFile(ctx: HttpContext, { name, text }: NonNullable<ChangeResult['file']>): void {
  ctx.status = 200;
  ctx.set('Content-Type', 'application/json; charset=utf-8');
  ctx.set('Content-Disposition', `attachment; filename="${name}"`);
  ctx.set('Cache-Control', 'no-store');
  ctx.body = text;
}

function toLogin(ctx: HttpContext): void {
  ctx.status = 303;
  ctx.set('Location', `/console/login?next=${encodeURIComponent(PATH)}`);
  ctx.body = null;
}

/** The sent fields that a person would have to type again: no secret, code or proof. */
const typedIn = (given: FormFields): FormFields =>
  Object.fromEntries(
    Object.entries(given).filter(([name]) => !/^(secret|password|code|made|_.*)$/.test(name)),
  );
