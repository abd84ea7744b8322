// test:all: long random histories of a rule that the tests of its domain decide.
import { expect } from 'chai';
import fc from 'fast-check';

import { TestPlatform } from '../harness.ts';
import * as deals from '../orders/deal.ts';
import { act, decide, orderAs, walletsOf, type Agent } from '../orders/deal.ts';
import { fallDue, runTimer } from '../orders/trade.ts';
import { drawUntilAllHappened, ROUNDS_MAX } from './rounds.ts';

describe('two agents of one owner', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(() => platform.close());

  /** And the status that they lead to. */
  const ENDINGS = {
    confirmed: 'completed',
    refunded: 'refunded',
    returned: 'refunded',
    withdrawn: 'completed',
    unanswered: 'refunded',
    split: 'partially_refunded',
    due: 'completed',
    open: 'escrow',
  } as const;
  type Ending = keyof typeof ENDINGS;

  const Deal = fc.record({
    seller: fc.constantFrom(0, 1),
    /** In micro-dollars; together they have at most 1.5 million. */
    price: fc.integer({ min: 2, max: 900_000 }),
    ending: fc.constantFrom(...(Object.keys(ENDINGS) as Ending[])),
    /** The share of the price that the seller gets, in thousandths. */
    share: fc.integer({ min: 1, max: 999 }),
  });

  async function end(orderId: number, ending: Ending, earned: number, pair: [Agent, Agent]) {
    const [seller, buyer] = pair;
    const does = (action: deals.Action, { key }: Agent) => act(platform, action, { orderId, key });
    if (ending === 'confirmed') return does('confirm_order', buyer);
    if (ending === 'refunded') return does('refund_order', seller);
    if (ending === 'returned') return does('refund_order', buyer);
    if (ending === 'due') {
      await fallDue(platform, orderId);
      return runTimer(platform, 'release_due_orders');
    }
    if (ending === 'open') return undefined;
    await does('dispute_order', buyer);
    if (ending === 'withdrawn') return does('withdraw_dispute', buyer);
    if (ending === 'split') {
      return decide(platform, orderId, { verdict: 'split', seller_amount: earned / 1e6 });
    }
    await deals.makeSilent(platform, orderId);
    return runTimer(platform, 'refund_unanswered_disputes');
  }

  it('cannot turn welcome credit into cash, whatever they sell each other', async function () {
    this.timeout(ROUNDS_MAX * 300_000);
    let sold = 0;
    let most = 0;
    const property = fc.asyncProperty(
      fc.array(Deal, { minLength: 1, maxLength: 12, size: 'max' }),
      fc.integer({ min: 0, max: 500_000 }),
      async (sequence, deposit) => {
        most = Math.max(most, sequence.length);
        const agents = [
          await platform.agent({ usd: deposit / 1e6 }),
          await platform.agent(),
        ] as const;
        const unlimited = { stock_kind: 'unlimited', content: 'nothing' };
        const products = [
          await platform.product(agents[0], unlimited),
          await platform.product(agents[1], unlimited),
        ] as const;
        for (const { seller, price, ending, share } of sequence) {
          const pair: [Agent, Agent] = [agents[seller]!, agents[1 - seller]!];
          const { id } = products[seller]!;
          await platform.request(`PATCH /api/v1/products/${id}`, {
            key: pair[0].key,
            body: { price: price / 1e6 },
          });
          const body = { product_id: id };
          const bought = await platform.request('POST /api/v1/orders', {
            key: pair[1].key,
            body,
          });
          if (bought.status !== 200) continue;
          sold += 1;
          const earned = Math.max(1, Math.floor((price * share) / 1000));
          const { order_id: orderId } = bought.body;
          await end(orderId, ending, earned, pair);
          expect(await orderAs(platform, pair[1], orderId)).to.include({
            status: ENDINGS[ending],
          });

          const wallets = await walletsOf(platform, ...agents);
          const cash = wallets.reduce((sum, wallet) => sum + Math.round(wallet.cash * 1e6), 0);
          expect(cash).to.be.at.most(deposit);
        }
      },
    );
    await drawUntilAllHappened(
      () => (sold >= 12 && most > 6 ? [] : [`more than ${sold} sales, ${most} of one pair`]),
      () => fc.assert(property, { numRuns: 12 }),
    );
  });
});
