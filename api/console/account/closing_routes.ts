import type { HttpContext, Route } from '../../http/routes.ts';
import { countCalls } from '../../../shared/composition/invoke/count_calls.ts';
import type { WebSession } from '../../../shared/domains/agents/sessions/sessions.ts';
import { findHoldings } from '../../../shared/domains/ledger/holdings.ts';
import { toUsd } from '../../../shared/kernel/money.ts';
import { cardReserve } from '../../../shared/domains/deposits/card/card_reserve.ts';
import { closeAccount } from '../../../shared/domains/closing/close_account.ts';
import { obstaclesOf } from '../../../shared/domains/closing/obstacles.ts';
import { Refusal } from '../../../shared/kernel/refusal.ts';
import { invalid } from '../../../shared/kernel/schema.ts';
import { changeAs } from '../mail/call.ts';
import { readWaiting, sendPage, type Console } from '../render.tsx';
import { sendAsk } from '../session/ask.tsx';
import { currentSession, takeSession } from '../session/current.ts';
import { assertForm, oneOf, readFields } from '../session/form.ts';
import { assertSameOrigin } from '../session/guard.ts';
import { sendLogin } from '../session/login_routes.ts';
import { proofIn } from '../session/prove.ts';
import { refusedOf } from '../show_again.ts';
import { CLOSING, closedPage, closingPage } from './closing_page.tsx';

const TITLE = 'Close the account for good';

/** `/console/account/closing`: what stands in the way of closing the account, and its end. */
export function closingRoutes(console: Console): Route[] {
  const { context } = console;
  return [
    {
      route: `GET ${CLOSING}`,
      async handle(ctx) {
        const session = await currentSession(context, ctx, 'owner');
        if (!session) return sendLogin(console, ctx, 'owner', { next: CLOSING });
        await countCalls(context, { caller: session.caller, address: ctx.state.address });
        await send(console, ctx, session);
      },
    },
    {
      route: `POST ${CLOSING}`,
      async handle(ctx) {
        assertSameOrigin(ctx, context.config.api.publicUrl);
        const session = await currentSession(context, ctx, 'owner');
        const given = await readFields(ctx);
        if (!session) return sendLogin(console, ctx, 'owner', { next: CLOSING }, { status: 401 });
        await countCalls(context, { caller: session.caller, address: ctx.state.address });
        try {
          assertForm(given, session);
          if (oneOf(given, 'name').trim() !== session.name) {
            throw invalid([{ pointer: '/name', message: 'is invalid' }]);
          }
          if (!session.isFresh && !(await proofIn(context, ctx, session, given))) {
            const question = { title: TITLE, action: CLOSING, given, session };
            return await sendAsk(console, ctx, { ...question, ask: 'proof' });
          }
          await changeAs(context, ctx, session.caller, closeAccount);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          return send(console, ctx, session, refusedOf(CLOSING, given, error), error.status);
        }
        takeSession(context, ctx, 'owner');
        const asked = { params: {}, query: {} };
        sendPage(console, ctx, { page: closedPage, asked, url: CLOSING, session: undefined }, {});
      },
    },
  ];
}

async function send(
  console: Console,
  ctx: HttpContext,
  session: WebSession,
  refused?: ReturnType<typeof refusedOf>,
  status?: number,
): Promise<void> {
  const { database, config } = console.context;
  const obstacles = await obstaclesOf(database, config, session.caller.rootId);
  const waiting = await readWaiting(console, ctx, session);
  const reserve = await reserveOf(console, session.caller.rootId);
  const answers = { ...waiting, obstacles, leastWithdrawal: config.withdrawals.min, reserve };
  const asked = { params: {}, query: {} };
  const request = { page: closingPage, asked, url: CLOSING, session, refused };
  sendPage(console, ctx, request, answers, status);
}

/** The cash that may not be withdrawn yet; null: all may. */
async function reserveOf({ context }: Console, rootId: number) {
  const { database, config } = context;
  const { amount, until } = await cardReserve(database, config, rootId);
  if (amount === 0n || !until) return null;
  const { funds } = (await findHoldings(database, [rootId])).get(rootId)!;
  const kept = amount < funds.cash ? amount : funds.cash;
  return { amount: toUsd(kept), until: until.toISOString() };
}
