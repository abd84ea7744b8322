import type { HttpContext, Route } from '../../http/routes.ts';
import { countCalls } from '../../../shared/composition/invoke/count_calls.ts';
import type { Context } from '../../../shared/composition/context.ts';
import { isUsed, signInByLink } from '../../../shared/domains/agents/sessions/start_link.ts';
import { PLATFORM } from '../../../shared/kernel/caller.ts';
import { Refusal, refusalOf } from '../../../shared/kernel/refusal.ts';
import { isLoopback } from '../../../shared/platform/egress/addresses.ts';
import { page } from '../page.ts';
import { sendPage, type Console } from '../render.tsx';
import { refusedOf } from '../show_again.ts';
import { currentSession, giveSession } from './current.ts';
import { oneOf, readForm } from './form.ts';
import { assertSameOrigin } from './guard.ts';
import { isFromHere } from './local_request.ts';

const FIRST_STEPS = '/admin/start';

/**
 * `/start?code=…`, the link that `npm start` prints. Looking at it changes nothing, so that a
 * preview cannot use it up: the operator presses a button, which sends the code once.
 */
export function startRoutes(console: Console): Route[] {
  const { context } = console;
  return [
    {
      route: 'GET /start',
      async handle(ctx) {
        assertLocal(context, ctx);
        if (await currentSession(context, ctx, 'operator')) return lead(ctx);
        const code = String(ctx.query.code ?? '');
        const used = code !== '' && (await isUsed(context, code));
        send(console, ctx, { code, used });
      },
    },
    {
      route: 'POST /start',
      async handle(ctx) {
        assertLocal(context, ctx);
        assertSameOrigin(ctx, context.config.api.publicUrl);
        const { address } = ctx.state;
        await countCalls(context, { caller: PLATFORM, address });
        const code = oneOf(await readForm(ctx), 'code');
        const device = ctx.req.headers['user-agent'] ?? '';
        try {
          giveSession(
            context,
            ctx,
            'operator',
            await signInByLink(context, code, { device, address }),
          );
        } catch (error) {
          const refusal = refusalOf(error);
          if (error !== refusal) throw error;
          return send(console, ctx, { refused: refusedOf('', {}, refusal) }, refusal.status);
        }
        context.log.info({ address }, 'an operator signed in by the link of npm start');
        lead(ctx);
      },
    },
  ];
}

/**
 * Refuses, as if there were no such page, whoever is not on this machine, and everybody in
 * production or without a link.
 */
function assertLocal({ config }: Context, { req }: HttpContext): void {
  const { production, agents, api } = config;
  const isHere =
    !production &&
    agents.startLink !== undefined &&
    isLoopback(new URL(api.publicUrl).hostname) &&
    isFromHere(req);
  if (!isHere) throw new Refusal('not_found', 'There is nothing at this path.');
}

function lead(ctx: HttpContext): void {
  ctx.status = 303;
  ctx.set('Location', FIRST_STEPS);
  ctx.body = null;
}

interface Sent {
  code?: string;
  /** Somebody has signed in by it. */
  used?: boolean;
  refused?: ReturnType<typeof refusedOf>;
}

function send(
  console: Console,
  ctx: HttpContext,
  { code = '', used = false, refused }: Sent,
  status = 200,
): void {
  const asked = { params: {}, query: {} };
  const request = { page: START, asked, url: START.path, session: undefined, refused };
  sendPage(console, ctx, request, { code, used }, status);
}

const START = page({
  path: '/start',
  title: 'Begin',
  access: 'public',
  view: (answers) => <Start {...(answers as { code: string; used: boolean })} />,
});

const Start = ({ code, used }: { code: string; used: boolean }) => (
  <section class="card narrow" aria-labelledby="begin">
    <h1 id="begin">This marketplace runs on your machine</h1>
    {used ? (
      <>
        <p>
          This link was used. It signs in once: sign in as <code>operator</code> with the token that
          is in <code>.data/operator_token</code>, or start <code>npm start</code> again, which
          prints another link.
        </p>
        <p class="buttons">
          <a class="button main" href="/admin/login">
            Sign in
          </a>
        </p>
      </>
    ) : code === '' ? (
      <p>
        Open the link that <code>npm start</code> printed. It signs you in as the operator, once. Or
        sign in as <code>operator</code> <a href="/admin/login">with the token</a> that is in{' '}
        <code>.data/operator_token</code>.
      </p>
    ) : (
      <>
        <p>
          You are about to become its operator: the one who approves goods, decides disputes and
          sees all money. The next page leads you to a first purchase.
        </p>
        <form method="post" action="/start" class="form">
          <input type="hidden" name="code" value={code} />
          <p class="buttons">
            <button class="button main" data-focus="">
              Become the operator
            </button>
          </p>
        </form>
      </>
    )}
  </section>
);
