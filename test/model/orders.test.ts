import { expect } from 'chai';
import fc from 'fast-check';

import { audit } from '../../shared/composition/audit.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { holdTimers } from '../orders/deal.ts';
import { command, type Command } from './command.ts';
import { emptyMarket, walletOf, type Market } from './market.ts';
import { endings } from './order_commands.ts';
import { purchases } from './purchase_commands.ts';
import { openMarket, settings } from './setting_commands.ts';

/** `MODEL_RUNS=300 npm test -- test/model/orders.test.ts` makes more runs. */
const RUNS = Number(process.env.MODEL_RUNS ?? 60);
const COMMANDS = 40;
/** A failure prints its seed: MODEL_SEED repeats that run. */
const SEED = process.env.MODEL_SEED;
/** A slow machine makes fewer runs and prints it, unless MODEL_RUNS is set. */
const MS_MAX = process.env.MODEL_RUNS ? RUNS * 10_000 : 50_000;

/**
 * Always this number: fc.commands would mostly draw a handful. Shrinking replaces what a failure
 * does not need with `nothing`.
 */
const Nothing = fc.constant(command('nothing', {}, undefined, async () => undefined));
const OneOf = (all: fc.Arbitrary<Command>[]) =>
  fc.oneof({ withCrossShrink: true }, Nothing, ...all);
const Commands = fc.array(OneOf([...settings, ...purchases, ...endings]), {
  minLength: COMMANDS,
  maxLength: COMMANDS,
});

interface ListedOrder {
  readonly order_id: number;
  readonly status: string;
}

describe('the marketplace', () => {
  let platform: TestPlatform;
  before(async function () {
    this.timeout(130_000);
    // The model knows only its own midnight. More runs may cross a real one.
    const dayMs = 86_400_000;
    await eventually(
      async () => dayMs - (Date.now() % dayMs),
      (leftMs) => leftMs > 110_000,
    );
    platform = await TestPlatform.open();
    await holdTimers(platform);
  });
  after(() => platform.close());

  async function expectAgreement(market: Market) {
    const { members, goods, trades } = market;
    const wallets = members.map(async (member) => {
      const { body } = await platform.request('GET /api/v1/wallet', { key: member.key });
      expect(body).to.include(walletOf(market, member));
    });
    const stocks = goods.map(async ({ id, seller: { key }, left }) => {
      const { body } = await platform.request(`GET /api/v1/products/${id}/stock`, { key });
      expect(body.available ?? Number.POSITIVE_INFINITY).to.equal(left);
    });
    const orders = members.map(async (member) => {
      const { body } = await platform.request('GET /api/v1/orders?limit=100', { key: member.key });
      const bought = trades.filter(({ buyer }) => buyer === member);
      expect(
        Object.fromEntries(body.orders.map((order: ListedOrder) => [order.order_id, order.status])),
      ).to.deep.equal(Object.fromEntries(bought.map(({ id, status }) => [id, status])));
    });
    await Promise.all([...wallets, ...stocks, ...orders]);
    expect(await audit(platform.context.database)).to.deep.equal([]);
  }

  it('changes every order, wallet, limit and stock as its model does', async function () {
    this.timeout(MS_MAX + 60_000);
    let runs = 0;
    const until = performance.now() + MS_MAX;
    await fc.assert(
      fc.asyncProperty(Commands, async (commands) => {
        if (performance.now() > until) return;
        const market = emptyMarket();
        await openMarket(market, platform);
        await fc.asyncModelRun(() => ({ model: market, real: platform }), commands);
        await expectAgreement(market);
        runs += 1;
      }),
      { numRuns: RUNS, ...(SEED && { seed: Number(SEED) }) },
    );
    if (runs < RUNS) console.log(`      ${runs} of ${RUNS} runs in ${MS_MAX / 1000} s`);
  });
});
