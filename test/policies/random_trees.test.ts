// test:all: long random histories of a rule that the tests of its domain decide.
import { expect } from 'chai';
import fc from 'fast-check';

import { audit } from '../../shared/composition/audit.ts';
import { perform } from '../../shared/performing/perform.ts';
import { Refusal } from '../../shared/kernel/refusal.ts';
import { refundOrder } from '../../shared/domains/orders/refund_order.ts';
import { transact } from '../../shared/platform/database.ts';
import { refundCharge } from '../../shared/domains/wallet/refund_charge.ts';
import { runBatch } from '../../workers/run_batch.ts';
import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';
import { recordedPurchases } from '../orders/recorded_purchases.ts';
import { setPolicy } from '../policy.ts';
import { chargesOf, pays } from '../wallet/charges.ts';
import { checkJournal, keepJournal } from './journal.ts';
import { shiftClock, type ShiftedClock } from './shifted_clock.ts';

/** `TREES=200 npm test -- test/policies/random_trees.test.ts` makes more runs. */
const RUNS = Number(process.env.TREES ?? 6);
const SEED = process.env.TREES_SEED;
const seed = Number(SEED ?? Date.now() % 2 ** 31);
const AGENTS = 7;
const STEPS = 40;
/** Steps of a tree that are in flight. */
const AT_ONCE = 5;

const any = fc.nat(1_000);
const Usd = fc.option(fc.constantFrom(0, 0.5, 1, 2.2, 4, 8), { freq: 5, nil: null });
const Step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('buy' as const),
      purchases: fc.array(
        fc.record({ agent: any, product: any, quantity: fc.integer({ min: 1, max: 3 }) }),
        {
          minLength: 1,
          maxLength: 4,
        },
      ),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('charge' as const),
      agent: any,
      service: fc.constantFrom('proxy' as const, 'email' as const),
      units: fc.integer({ min: 1, max: 400 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('refund' as const), which: any }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('limit' as const),
      agent: any,
      perTx: Usd,
      daily: Usd,
      types: fc.constantFrom(
        [],
        [],
        [],
        ['serial_key', 'proxy_service'],
        ['dataset', 'api_service'],
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('midnight' as const),
      readings: fc.integer({ min: 0, max: 12 }),
    }),
  },
);
type Step = typeof Step extends fc.Arbitrary<infer S> ? S : never;

const Tree = fc.record({
  /** Which of those before it spawned each agent. */
  owners: fc.tuple(...Array.from({ length: AGENTS - 1 }, (_, n) => fc.integer({ min: 0, max: n }))),
  steps: fc.array(Step, { minLength: STEPS, maxLength: STEPS }),
});

/** One that can be refunded. */
const SPENDS = `select * from (
    select 'order' as of, id::int from orders where buyer_root = $1 and status = 'escrow'
    union all select 'charge', id::int from charge
     where root_id = $1 and service = 'proxy' and refunded_cash + refunded_credit = 0) s
   order by (of = 'charge') = ($2 % 2 = 0) desc, (id * 7919 + $2) % 101 limit 1`;

interface Agent {
  readonly id: number;
  readonly key: string;
}

describe('the policies of a tree of agents', () => {
  let platform: TestPlatform;
  let clock: ShiftedClock;
  let seller: Agent;
  let products: { id: number }[];
  /** How often each thing happened. */
  const counts = new Map<string, number>();
  const note = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
  const { callOf } = chargesOf(() => platform);
  const { record } = recordedPurchases(() => platform);

  before(async () => {
    platform = await TestPlatform.open({ workers: false });
    clock = await shiftClock(platform);
    await keepJournal(platform);
    seller = await platform.agent();
    const goods = { stock_kind: 'unlimited', content: 'It.' };
    products = [
      await platform.product(seller, { ...goods, price: 0.3 }),
      await platform.product(seller, { ...goods, price: 1, category: 'dataset' }),
    ];
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await clock.close();
    await platform.close();
  });

  async function grow(owners: readonly number[]): Promise<Agent[]> {
    const agents: Agent[] = [await platform.agent({ usd: 500 })];
    for (const owner of owners) agents.push(await childOf(platform, agents[owner]!));
    return agents;
  }

  async function run(step: Step, agents: readonly Agent[]): Promise<void> {
    const pick = <T>(list: readonly T[], n: number): T => list[n % list.length]!;
    const root = agents[0]!.id;
    const { context } = clock;
    switch (step.kind) {
      case 'buy': {
        const purchases = step.purchases.map(({ agent, product, quantity }) => ({
          agent: pick(agents, agent),
          product: pick(products, product),
          quantity,
        }));
        const ids = await record(...purchases);
        const operation = 'purchase_product';
        for (const { answer, httpStatus } of await runBatch(context, {
          queue: 'money',
          operation,
          ids,
        })) {
          note(httpStatus === 200 ? 'bought' : (JSON.parse(answer) as { error: string }).error);
        }
        return;
      }
      case 'charge': {
        const { service, units } = step;
        const call = callOf(pick(agents, step.agent), root);
        await perform(context, pays, { service, units }, call);
        return void note('charged');
      }
      case 'refund': {
        const [spend] = await platform.query(SPENDS, [root, step.which]);
        if (!spend) return;
        const caller = {
          agentId: seller.id,
          rootId: seller.id,
          keyId: 0,
          scopes: ['sell'] as const,
        };
        const call = { ...callOf(seller), caller };
        if (spend.of === 'order') await perform(context, refundOrder, { order_id: spend.id }, call);
        else {
          const back = {
            chargeId: spend.id,
            cause: 'test',
            amount: BigInt(1_000 * (step.which + 1)),
          };
          await transact(context.database, (db) =>
            refundCharge({ db, config: context.config }, back),
          );
        }
        return void note(`${spend.of} refunded`);
      }
      case 'limit': {
        const query = platform.query.bind(platform);
        const micros = (usd: number | null) => (usd === null ? null : Math.round(usd * 1e6));
        await setPolicy({ query, context }, pick(agents, step.agent), {
          max_spend_per_tx: micros(step.perTx),
          daily_spend_limit: micros(step.daily),
          allowed_product_types: step.types,
        });
        return void note('limited');
      }
      case 'midnight':
        await clock.passMidnight(step.readings);
        return void note('midnight');
    }
  }

  it(`are never exceeded, whatever happens (seed ${seed})`, async function () {
    this.timeout(60_000 + RUNS * 10_000);
    const property = fc.asyncProperty(Tree, async ({ owners, steps }) => {
      const agents = await grow(owners);
      const left = [...steps];
      const work = async () => {
        for (let step = left.shift(); step; step = left.shift()) {
          await run(step, agents).catch((error: unknown) => {
            if (!(error instanceof Refusal)) throw error;
            note(error.code);
          });
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      const days = await checkJournal(platform, agents[0]!.id);
      if (days.size > 1) note('trees that spent on several days');
    });
    await fc.assert(property, { numRuns: RUNS, seed, endOnFailure: true });
    console.log(`      ${[...counts].map(([what, times]) => `${times} ${what}`).join(', ')}`);
    for (const what of [
      'bought',
      'charged',
      'order refunded',
      'charge refunded',
      'tx_limit_exceeded',
      'daily_limit_exceeded',
      'product_type_not_allowed',
      'trees that spent on several days',
    ]) {
      expect(counts.get(what) ?? 0, what).to.be.at.least(1);
    }
  });

  it('bind a batch in which midnight passes, whichever reading of the clock it falls on', async () => {
    const { context } = clock;
    const agents = await Promise.all(Array.from({ length: 2 }, () => platform.agent({ usd: 100 })));
    const limits = { daily_spend_limit: 500_000 };
    for (const agent of agents) await setPolicy(platform, agent, limits);
    for (let reading = 0; reading < 10; reading += 1) {
      const purchases = [...agents, ...agents].map((agent) => ({ agent, product: products[0]! }));
      const [first, second] = [await record(...purchases), await record(...purchases)];
      await runBatch(context, { queue: 'money', operation: 'purchase_product', ids: first });
      await clock.passMidnight(reading);
      await runBatch(context, { queue: 'money', operation: 'purchase_product', ids: second });
    }
    for (const { id } of agents) {
      const days = await checkJournal(platform, id);
      expect(days.size).to.be.at.least(4);
    }
  });
});
