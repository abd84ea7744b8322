import type { HttpContext, Route } from '../../api/http/routes.ts';
import {
  changePassword,
  endSessions,
  listSessions,
} from '../../shared/agents/sessions/list_sessions.ts';
import { provesAgain } from '../../shared/agents/sessions/sign_in.ts';
import type { WebSession } from '../../shared/agents/sessions/sessions.ts';
import { countCalls } from '../../shared/composition/count_calls.ts';
import { Refusal } from '../../shared/kernel/refusal.ts';
import { transact } from '../../shared/platform/database.ts';
import { sendPage, type Console } from '../render.tsx';
import { refusedOf } from '../show_again.ts';
import { accountPage, PASSWORD_CHARS, type AccountAnswers } from './account.tsx';
import { currentSession, renew } from './current.ts';
import { oneOf, readForm } from './form.ts';
import { assertSameOrigin } from './guard.ts';

const PATH = accountPage.path;

/** `/console/account`: what is of the console itself, and so no operation of the marketplace. */
export function accountRoutes(console: Console): Route[] {
  const { context } = console;
  const { database } = context;

  async function show(ctx: HttpContext, session: WebSession, more: More = {}): Promise<void> {
    const { said, refused, status } = more;
    const sessions = await listSessions(database, session);
    const answers: AccountAnswers = { sessions, current: session.id, said };
    const asked = { params: {}, query: {} };
    const request = { page: accountPage, asked, url: PATH, session, refused };
    sendPage(console, ctx, request, { ...answers }, status);
  }

  const change = (
    path: string,
    perform: (ctx: HttpContext, session: WebSession) => Promise<string>,
  ): Route => ({
    route: `POST ${PATH}${path}`,
    async handle(ctx) {
      assertSameOrigin(ctx, context.config.api.publicUrl);
      const session = await currentSession(context, ctx, 'owner');
      if (!session) return toLogin(ctx);
      await countCalls(context, { caller: session.caller, address: ctx.state.address });
      try {
        await show(ctx, session, { said: await perform(ctx, session) });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const refused = refusedOf('', {}, error);
        await show(ctx, session, { refused, status: error.status });
      }
    },
  });

  return [
    {
      route: `GET ${PATH}`,
      async handle(ctx) {
        const session = await currentSession(context, ctx, 'owner');
        if (!session) return toLogin(ctx);
        await show(ctx, session);
      },
    },
    change('/sessions', async (ctx, session) => {
      const which = oneOf(await readForm(ctx), 'session');
      const isId = /^\d{1,15}$/.test(which);
      if (!isId && which !== 'others') throw new Refusal('bad_request', 'Which session?');
      const ended = await endSessions(database, session, isId ? Number(which) : 'others');
      return ended === 1 ? 'One session was ended.' : `${ended} sessions were ended.`;
    }),
    change('/password', async (ctx, session) => {
      const given = await readForm(ctx);
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
      return 'The password was changed. All other sessions have ended.';
    }),
  ];
}

interface More {
  readonly said?: string;
  readonly refused?: ReturnType<typeof refusedOf>;
  readonly status?: number;
}

function toLogin(ctx: HttpContext): void {
  ctx.status = 303;
  ctx.set('Location', `/console/login?next=${encodeURIComponent(PATH)}`);
  ctx.body = null;
}
