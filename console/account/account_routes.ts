import type { HttpContext, Route } from '../../api/http/routes.ts';
import {
  changePassword,
  endSessions,
  listSessions,
} from '../../shared/agents/sessions/list_sessions.ts';
import { saveSettings, type OwnerSettings } from '../../shared/agents/sessions/settings.ts';
import { provesAgain } from '../../shared/agents/sessions/sign_in.ts';
import type { WebSession } from '../../shared/agents/sessions/sessions.ts';
import { countCalls } from '../../shared/composition/count_calls.ts';
import { Refusal } from '../../shared/kernel/refusal.ts';
import { transact } from '../../shared/platform/database.ts';
import { sendPage, type Console } from '../render.tsx';
import { sendAsk } from '../session/ask.tsx';
import { currentSession, renew } from '../session/current.ts';
import { prove } from '../session/prove.ts';
import { oneOf, readForm } from '../session/form.ts';
import { assertSameOrigin } from '../session/guard.ts';
import { refusedOf } from '../show_again.ts';
import type { Given } from '../shown.ts';
import { accountPage, PASSWORD_CHARS, type AccountAnswers } from './account.tsx';
import { settingsIn } from './settings.tsx';

const PATH = accountPage.path;

/** A form of the page was sent by the person of this session. */
interface Sent {
  readonly ctx: HttpContext;
  readonly session: WebSession;
  readonly given: Given;
}

interface Done extends Partial<AccountAnswers> {
  /** What is chosen now. */
  readonly settings?: OwnerSettings;
}

/** What a form of the page changes. */
interface Change {
  /** Below that of the page. */
  readonly path: string;
  /** What it does, where a proof within ten minutes is needed: it is asked for by these words. */
  readonly proof?: string;
  /** Returns what to say of it. */
  readonly perform: (sent: Sent) => Promise<Done>;
}

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
    ...changesOf(console).map((change) => routeOf(console, change)),
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
        if (!(await provesAgain(context, session, { secret: oneOf(given, 'secret'), address }))) {
          throw new Refusal('invalid_key', 'That is not the password now, so it was not changed.');
        }
        await transact(database, (db) => changePassword(db, session, { password, address }));
        await renew(context, ctx, session);
        return { said: 'The password was changed. All other sessions have ended.' };
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
      const session = await currentSession(context, ctx, 'owner');
      if (!session) return toLogin(ctx);
      const { address } = ctx.state;
      await countCalls(context, { caller: session.caller, address });
      const given = await readForm(ctx);
      try {
        if (proof !== undefined && !session.isFresh) {
          const secret = oneOf(given, '_secret');
          const question = { title: proof, action: PATH + path, given, session };
          if (secret === '') return sendAsk(console, ctx, { ...question, ask: 'proof' });
          await prove(context, ctx, session, secret);
        }
        const more = await perform({ ctx, session, given });
        await show(console, ctx, session, { more });
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
  { more = {}, refused, status }: More = {},
): Promise<void> {
  const { settings = session.settings, ...rest } = more;
  const sessions = await listSessions(console.context.database, session);
  const answers: AccountAnswers = { said: undefined, ...rest, sessions, current: session.id };
  const asked = { params: {}, query: {} };
  const shown = { ...session, settings };
  const request = { page: accountPage, asked, url: PATH, session: shown, refused };
  sendPage(console, ctx, request, { ...answers }, status);
}

function toLogin(ctx: HttpContext): void {
  ctx.status = 303;
  ctx.set('Location', `/console/login?next=${encodeURIComponent(PATH)}`);
  ctx.body = null;
}
