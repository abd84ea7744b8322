import { expect } from 'chai';
import fc from 'fast-check';

import type { TestPlatform, Reply } from '../harness.ts';
import * as deals from '../orders/deal.ts';
import { fallDue, runTimer } from '../orders/trade.ts';
import { any, command, expectAnswer, hasTrades, pick, usd } from './command.ts';
import * as model from './market.ts';
import type { Action, Market, Trade } from './market.ts';

const Act = fc
  .record({
    trade: any,
    action: fc.constantFrom<Action[]>(
      'get_vault_item',
      'confirm_order',
      'refund_order',
      'dispute_order',
      'dispute_order',
      'dispute_order',
      'respond_dispute',
      'withdraw_dispute',
    ),
    by: fc.oneof({ weight: 5, arbitrary: fc.constantFrom('buyer', 'seller') }, any),
  })
  .map(({ trade: n, action, by }) =>
    command(action, { n, by }, hasTrades, async (market, platform) => {
      const trade = pickFor(action, market.trades, n);
      const { buyer, good } = trade;
      const caller =
        typeof by === 'number' ? pick(market.members, by) : by === 'buyer' ? buyer : good.seller;
      const refusal = model.act(trade, action, caller);
      const reply = await deals.act(platform, action, { orderId: trade.id, key: caller.key });
      expectAnswer(reply, refusal);
      if (refusal) return;
      if (action === 'get_vault_item') expectOwnSecrets(market, trade, reply);
      else expectState(trade, reply);
    }),
  );

const REQUIRED_STATUS: { readonly [action: string]: Trade['status'] } = {
  dispute_order: 'escrow',
  respond_dispute: 'disputed',
  withdraw_dispute: 'disputed',
  decide_dispute: 'disputed',
};

/** Mostly a trade that allows this action, or nearly all of these calls would be refused. */
function pickFor(action: string, trades: readonly Trade[], n: number): Trade {
  const likely = [
    pick(trades, n),
    ...trades.filter(({ status }) => status === REQUIRED_STATUS[action]),
  ];
  return n % 4 === 0 ? likely[0]! : pick(likely, n);
}

function expectState({ status, refunded }: Trade, { body }: Reply): void {
  expect([body.status, body.refunded]).to.deep.equal([status, usd(refunded)]);
}

/** Expects as many secrets as were paid for, and none that another order delivered. */
function expectOwnSecrets({ seen }: Market, { id, good, quantity }: Trade, { body }: Reply): void {
  if (good.kind !== 'serial_pool') {
    expect(body.items).to.deep.equal([{ untrusted: true, content: 'shared' }]);
    return;
  }
  expect(body.items).to.have.length(quantity);
  for (const { content } of body.items as { content: string }[]) {
    expect(seen.get(content) ?? id, content).to.equal(id);
    seen.set(content, id);
  }
}

const Decide = fc
  .record({
    trade: any,
    verdict: fc.constantFrom('release', 'refund', 'split', 'split'),
    share: fc.bigInt({ min: 1n, max: 999n }),
  })
  .map(({ trade: n, verdict, share }) =>
    command('decide', { n, verdict, share }, hasTrades, async ({ trades }, platform) => {
      const trade = pickFor('decide_dispute', trades, n);
      await decide(platform, trade, verdict, share);
    }),
  );

async function decide(
  platform: TestPlatform,
  trade: Trade,
  verdict: string,
  share: bigint,
): Promise<void> {
  const { id, subtotal, status } = trade;
  if (verdict === 'split' && subtotal < 2n) return; // Too small to divide.
  const divided = (subtotal * share) / 1000n || 1n;
  const earned = { release: subtotal, refund: 0n }[verdict] ?? divided;
  const amount = verdict === 'split' && { seller_amount: usd(earned) };
  const reply = await deals.decide(platform, id, { verdict, ...amount });
  expectAnswer(reply, status === 'disputed' ? undefined : 'invalid_transition');
  if (status !== 'disputed') return;
  model.settle(trade, earned);
  expect(reply.body.status).to.equal(trade.status);
}

/** Some orders fall due: for release, or because nobody answered their dispute. */
const Wait = fc
  .record({ trades: fc.array(any, { minLength: 1, maxLength: 4 }), both: fc.boolean() })
  .map((drawn) =>
    command('wait', drawn, hasTrades, async ({ trades }, platform) => {
      const overdue = drawn.trades.map((n) => pick(trades, n));
      for (const trade of overdue) trade.due = true;
      await fallDue(platform, ...overdue.map(({ id }) => id));
      for (const { id } of overdue) await deals.makeSilent(platform, id);
      const timers = ['release_due_orders', 'refund_unanswered_disputes'];
      await Promise.all(timers.map((timer) => runTimer(platform, timer)));
      for (const trade of overdue) {
        if (trade.status === 'escrow') model.settle(trade, trade.subtotal);
        if (trade.status === 'disputed' && !trade.answered) model.settle(trade, 0n);
      }
    }),
  );

export const endings = [Act, Act, Act, Act, Act, Act, Act, Decide, Decide, Decide, Wait];
