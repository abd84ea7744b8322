import type { HttpContext, Route } from '../../api/http/routes.ts';
import { signIn } from '../../shared/agents/sessions/sign_in.ts';
import { endSession } from '../../shared/agents/sessions/sessions.ts';
import { countCalls } from '../../shared/composition/count_calls.ts';
import { PLATFORM } from '../../shared/agents/caller.ts';
import { Refusal } from '../../shared/kernel/refusal.ts';
import { sendPage, type Console } from '../render.tsx';
import { showAgain } from '../show_again.ts';
import type { Shown } from '../shown.ts';
import { cookiesOf, mayTakePasswords, readCookie } from './cookies.ts';
import {
  currentSession,
  giveDevice,
  giveSession,
  takeSession,
  type SessionKind,
} from './current.ts';
import { baseOf, oneOf, pathWithin, readForm } from './form.ts';
import { assertSameOrigin } from './guard.ts';
import { LOGIN_PAGES, type KeptForm, type LoginAnswers } from './login.tsx';

const KINDS = ['owner', 'operator'] as const;

/** `/console/login` and `/admin/login`, and the way out. */
export const loginRoutes = (console: Console): Route[] =>
  KINDS.flatMap((kind) => routesOf(console, kind));

function routesOf(console: Console, kind: SessionKind): Route[] {
  const { context } = console;
  const base = baseOf(kind);
  const { publicUrl } = context.config.api;

  async function logIn(ctx: HttpContext): Promise<void> {
    assertSameOrigin(ctx, publicUrl);
    const { address } = ctx.state;
    await countCalls(context, { caller: PLATFORM, address });
    const given = await readForm(ctx);
    const name = oneOf(given, 'name');
    const kept = keptIn(oneOf(given, 'kept'));
    const next = pathWithin(base, oneOf(given, 'next'));
    try {
      if (!mayTakePasswords(publicUrl)) {
        throw new Refusal('forbidden', 'No password is taken over a connection that is not safe.');
      }
      const before = await currentSession(context, ctx, kind);
      const known = readCookie(ctx.req, cookiesOf(publicUrl).device);
      const device = ctx.req.headers['user-agent'] ?? '';
      const secret = oneOf(given, 'secret');
      const made = await signIn(context, { kind, name, secret, known, device, address });
      if (before) await endSession(context.database, before);
      giveSession(context, ctx, kind, made.token);
      giveDevice(context, ctx, made.known);
      if (!kept) {
        ctx.status = 303;
        ctx.set('Location', next);
        ctx.body = null;
        return;
      }
      await showAgain(console, ctx, { kind, kept, token: made.token });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const refused: Shown['refused'] = {
        operation: '',
        message: error.message,
        code: error.code,
        isUnknown: false,
        fields: {},
        given: {},
        links: [],
      };
      sendLogin(console, ctx, kind, { next, name, kept }, { refused, status: error.status });
    }
  }

  return [
    {
      route: `GET ${base}/login`,
      handle(ctx) {
        const next = pathWithin(base, String(ctx.query.next ?? base));
        sendLogin(console, ctx, kind, { next });
      },
    },
    { route: `POST ${base}/login`, handle: logIn },
    {
      route: `POST ${base}/logout`,
      async handle(ctx) {
        assertSameOrigin(ctx, publicUrl);
        const session = await currentSession(context, ctx, kind);
        if (session) await endSession(context.database, session);
        takeSession(context, ctx, kind);
        ctx.status = 303;
        ctx.set('Location', `${base}/login`);
        ctx.body = null;
      },
    },
  ];
}

/** The page of signing in, in place of what was asked for. */
export function sendLogin(
  console: Console,
  ctx: HttpContext,
  kind: SessionKind,
  answers: LoginAnswers,
  { refused, status = 200 }: { refused?: Shown['refused']; status?: number } = {},
): void {
  const page = LOGIN_PAGES[kind];
  const request = { page, asked: { params: {}, query: {} }, url: page.path, session: undefined };
  sendPage(console, ctx, { ...request, refused }, { ...answers }, status);
}

function keptIn(text: string): KeptForm | undefined {
  if (text === '') return undefined;
  try {
    const { operation, given } = JSON.parse(text) as Partial<KeptForm>;
    if (typeof operation !== 'string' || !given) return undefined;
    const fields = Object.entries(given).map(([name, texts]) => [name, [texts].flat().map(String)]);
    return { operation, given: Object.fromEntries(fields) as KeptForm['given'] };
  } catch {
    return undefined;
  }
}
