import type { HttpContext, Route } from '../../http/routes.ts';
import {
  signIn,
  signInByCode,
  signInProven,
} from '../../../shared/domains/agents/sessions/sign_in.ts';
import { endSession } from '../../../shared/domains/agents/sessions/sessions.ts';
import { countCalls } from '../../../shared/composition/invoke/count_calls.ts';
import { PLATFORM } from '../../../shared/kernel/caller.ts';
import { Refusal } from '../../../shared/kernel/refusal.ts';
import { sendPage, type Console } from '../render.tsx';
import { refusedOf, showAgain } from '../show_again.ts';
import type { PageState } from '../page_state.ts';
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
import { askForAny, ownerOfAnswer, takesPasskeys } from './webauthn.ts';
import { LOGIN_PAGES, type KeptForm, type LoginAnswers } from './login.tsx';

const KINDS = ['owner', 'operator'] as const;

/** `/console/login` and `/admin/login`, and signing out. */
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
    const name = oneOf(given, 'name').trim();
    const kept = keptIn(oneOf(given, 'kept'));
    const next = pathWithin(base, oneOf(given, 'next'));
    const ticket = kind === 'owner' ? oneOf(given, 'ticket') || undefined : undefined;
    try {
      if (!mayTakePasswords(publicUrl)) {
        throw new Refusal('forbidden', 'Passwords are taken over HTTPS only.');
      }
      const before = await currentSession(context, ctx, kind);
      const known = readCookie(ctx.req, cookiesOf(publicUrl).device);
      const device = ctx.req.headers['user-agent'] ?? '';
      const secret = oneOf(given, 'secret');
      const browser = { known, device, address };
      const passkey = kind === 'owner' ? oneOf(given, '_passkey') : '';
      const made = passkey
        ? await signInProven(context, await ownerOfAnswer(context, passkey, 'sign in'), browser)
        : ticket === undefined
          ? await signIn(context, { kind, name, secret, ...browser })
          : await signInByCode(context, { ticket, code: oneOf(given, 'code'), ...browser });
      if ('ticket' in made) return await sendLogin(console, ctx, kind, { next, kept, ...made });
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
      const refused = refusedOf('', {}, error);
      // A ticket that is over is useless: name and password are asked for again.
      const again = error.code === 'authentication_required' ? undefined : ticket;
      const answers = { next, name, kept, ticket: again };
      await sendLogin(console, ctx, kind, answers, { refused, status: error.status });
    }
  }

  return [
    {
      route: `GET ${base}/login`,
      async handle(ctx) {
        const next = pathWithin(base, String(ctx.query.next ?? base));
        await sendLogin(console, ctx, kind, { next });
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

/** Sends the sign-in page in place of the requested one. */
export async function sendLogin(
  console: Console,
  ctx: HttpContext,
  kind: SessionKind,
  answers: LoginAnswers,
  { refused, status = 200 }: { refused?: PageState['refused']; status?: number } = {},
): Promise<void> {
  const page = LOGIN_PAGES[kind];
  const { context } = console;
  const { publicUrl } = context.config.api;
  const takes = kind === 'owner' && takesPasskeys(publicUrl) && mayTakePasswords(publicUrl);
  const passkey =
    takes && answers.ticket === undefined ? await askForAny(context, 'sign in') : undefined;
  const request = { page, asked: { params: {}, query: {} }, url: page.path, session: undefined };
  sendPage(console, ctx, { ...request, refused }, { ...answers, passkey }, status);
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
