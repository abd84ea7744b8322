// test:all: long random histories of a rule that the tests of its domain decide.
import { expect } from 'chai';
import fc from 'fast-check';

import { audit } from '../../shared/composition/audit.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { command, type Command } from './command.ts';
import { drawUntilAllHappened, ROUNDS_MAX } from './rounds.ts';
import { emptyMarket, walletOf, type Market } from './market.ts';
import { endings } from './order_commands.ts';
import { purchases } from './purchase_commands.ts';
import { openMarket, settings } from './setting_commands.ts';

/** `MODEL_RUNS=300 npm test -- test/model/orders.test.ts` makes more runs. */
const RUNS = Number(process.env.MODEL_RUNS ?? 60);
/** Markets that trade at the same time, and share batches. */
const MARKETS = 6;
const COMMANDS = 40;
/** MODEL_SEED repeats the runs of this seed alone, as a failure prints it. */
const SEED = process.env.MODEL_SEED;
const seed = Number(SEED ?? Date.now() % 2 ** 31);
/** The time of a run on a slow machine. */
const RUN_MS_MAX = 20_000;

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

/** Last states of orders. A model that never gets there would agree with anything. */
const STATUSES = ['escrow', 'disputed', 'completed', 'refunded', 'partially_refunded'];

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
  }

  it(`changes every order, wallet, limit and stock as its model does (seed ${seed})`, async function () {
    this.timeout(60_000 + ROUNDS_MAX * RUNS * RUN_MS_MAX);
    const ended = new Map<string, number>();
    const property = fc.asyncProperty(Commands, async (commands) => {
      const market = emptyMarket();
      await openMarket(market, platform);
      await fc.asyncModelRun(() => ({ model: market, real: platform }), commands);
      await expectAgreement(market);
      for (const { status } of market.trades) ended.set(status, (ended.get(status) ?? 0) + 1);
      ended.set('runs', (ended.get('runs') ?? 0) + 1);
    });
    const lanes = SEED ? 1 : MARKETS;
    const missing = () => STATUSES.filter((status) => !((ended.get(status) ?? 0) >= RUNS / 10));
    await drawUntilAllHappened(missing, async (round) => {
      const seeds = Array.from({ length: lanes }, (_, n) => seed + round * lanes + n);
      const numRuns = Math.ceil(RUNS / lanes);
      await Promise.all(seeds.map((one) => fc.assert(property, { numRuns, seed: one })));
    });
    expect(await audit(platform.context.database)).to.deep.equal([]);
    console.log(`      ${[...ended].map(([what, times]) => `${times} ${what}`).join(', ')}`);
    expect(ended.get('runs')).to.be.at.least(RUNS);
  });
});
