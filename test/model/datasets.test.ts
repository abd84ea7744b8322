// test:all: long random histories of a rule that the tests of its domain decide.
import { expect } from 'chai';
import fc from 'fast-check';

import { audit } from '../../shared/composition/audit.ts';
import { access, offer, rotate } from '../datasets/offer.ts';
import { TestPlatform, type Reply } from '../harness.ts';
import { act, decide, walletsOf } from '../orders/deal.ts';
import { drawUntilAllHappened, ROUNDS_MAX } from './rounds.ts';

/** `MODEL_RUNS=100 npm test -- test/model/datasets.test.ts` makes more runs. */
const RUNS = Number(process.env.MODEL_RUNS ?? 8);
const STEPS = 45;
const MEMBERS = 3;

/** Amounts are in tenths of a cent, so that fees are whole. */
interface Member {
  readonly id: number;
  readonly key: string;
  balance: number;
}

interface Offered {
  readonly id: number;
  readonly seller: Member;
  version: number;
  price: number;
  product: number | undefined;
  readonly orders: Bought[];
}

interface Bought {
  readonly id: number;
  readonly of: Offered;
  readonly buyer: Member;
  readonly price: number;
  /** The version bought. */
  readonly version: number;
  status: string;
  isOpened: boolean;
}

const ACTIONS = ['offer', 'sell', 'buy', 'open', 'rotate', 'return', 'settle', 'decide'] as const;
const Step = fc.record({
  action: fc.oneof(fc.constantFrom(...ACTIONS), fc.constantFrom('buy' as const, 'open' as const)),
  which: fc.nat(1000),
  by: fc.nat(MEMBERS - 1),
  cents: fc.integer({ min: 0, max: 30 }),
  flag: fc.boolean(),
});
type Step = typeof Step extends fc.Arbitrary<infer T> ? T : never;

const MUST_HAPPEN = [
  'open: none',
  'open: forbidden',
  'buy: none',
  'sell: none',
  'rotate: none',
  'return: none',
  'decide: none',
];

describe('datasets', () => {
  let platform: TestPlatform;
  const seen = new Set<string>();
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(() => platform.close());

  it('do what the model says, whatever sequence of calls is made', async function () {
    this.timeout(ROUNDS_MAX * RUNS * 30_000);
    const Steps = fc.array(Step, { minLength: STEPS, maxLength: STEPS });
    const missing = () => MUST_HAPPEN.filter((one) => !seen.has(one));
    await drawUntilAllHappened(missing, () =>
      fc.assert(fc.asyncProperty(Steps, run), { numRuns: RUNS, endOnFailure: true }),
    );
  });

  async function run(steps: readonly Step[]): Promise<void> {
    const agents = Array.from({ length: MEMBERS }, () => platform.agent({ usd: 1 }));
    const members = (await Promise.all(agents)).map(({ id, key }) => ({ id, key, balance: 1_500 }));
    const datasets: Offered[] = [];
    for (const step of steps) await take(step, members, datasets);
    const wallets = await walletsOf(platform, ...members);
    expect(wallets.map(({ cash, credit }) => Math.round((cash + credit) * 1e6))).to.deep.equal(
      members.map(({ balance }) => balance * 1_000),
    );
    const held = members.map((member) =>
      sumOf(
        datasets
          .flatMap(({ orders }) => orders)
          .filter(({ buyer, status }) => buyer === member && isOpen(status))
          .map(({ price }) => totalOf(price)),
      ),
    );
    expect(wallets.map(({ in_escrow }) => Math.round(in_escrow * 1e6))).to.deep.equal(
      held.map((amount) => amount * 1_000),
    );
    expect(await audit(platform.context.database)).to.deep.equal([]);
  }

  async function take(step: Step, members: Member[], datasets: Offered[]): Promise<void> {
    const by = members[step.by]!;
    if (step.action === 'offer' || datasets.length === 0) {
      const price = step.flag ? 0 : step.cents * 10;
      const data = [{ version: 1 }];
      const made = await offer(platform, by, { data, ...(price && { price: price / 1_000 }) });
      const product = made.product_id ?? undefined;
      datasets.push({ id: made.dataset_id, seller: by, version: 1, price, product, orders: [] });
      return;
    }
    const dataset = datasets[step.which % datasets.length]!;
    if (isOfOrder(step.action)) {
      const status = step.action === 'decide' ? 'disputed' : 'escrow';
      const orders = datasets
        .flatMap((one) => one.orders)
        .filter((order) => order.status === status);
      const order = orders[step.which % orders.length];
      return order && OF_ORDER[step.action](order, step);
    }
    return OF_DATASET[step.action](dataset, by, step);
  }

  /** Notes what the answer was, which must be this. */
  function expectCode(action: string, { status, body }: Reply, refusal: string | undefined): void {
    const said = status === 200 ? undefined : body.error;
    expect(said, `${action}: ${JSON.stringify(body)}`).to.equal(refusal);
    seen.add(`${action}: ${refusal ?? 'none'}`);
  }

  const OF_DATASET = {
    async sell(dataset: Offered, by: Member, { cents }: Step): Promise<void> {
      const price = (cents + 1) * 10;
      const listing = { title: 'Any', description: 'Any.', stock_kind: 'unlimited' };
      const reply = await platform.request('POST /api/v1/products', {
        key: by.key,
        body: { ...listing, category: 'dataset', price: price / 1_000, dataset_id: dataset.id },
      });
      const isSold = dataset.product === undefined ? undefined : 'invalid_transition';
      const refusal = by === dataset.seller ? isSold : 'forbidden';
      expectCode('sell', reply, refusal);
      if (!refusal) Object.assign(dataset, { price, product: reply.body.product_id });
    },

    async buy(dataset: Offered, by: Member): Promise<void> {
      const { price, product, seller, version } = dataset;
      if (product === undefined || by === seller) return;
      const body = { product_id: product };
      const reply = await platform.request('POST /api/v1/orders?wait=20', { key: by.key, body });
      const isPoor = by.balance < totalOf(price);
      expectCode('buy', reply, isPoor ? 'insufficient_balance' : undefined);
      if (isPoor) return;
      by.balance -= totalOf(price);
      const fresh = { price, version, status: 'escrow', isOpened: false };
      dataset.orders.push({ id: reply.body.order_id, of: dataset, buyer: by, ...fresh });
    },

    async open(dataset: Offered, by: Member): Promise<void> {
      const needsNone = by === dataset.seller || dataset.product === undefined;
      const order = dataset.orders.findLast(
        ({ buyer, status }) => buyer === by && status !== 'refunded',
      );
      const reply = await access(platform, by, dataset.id);
      expectCode('open', reply, needsNone || order ? undefined : 'forbidden');
      if (reply.status !== 200) return;
      const isSold = !needsNone && isOpen(order!.status);
      const version = isSold ? order!.version : dataset.version;
      expect(reply.body.data).to.deep.equal([{ version }]);
      if (!needsNone) order!.isOpened = true;
    },

    async rotate(dataset: Offered, by: Member): Promise<void> {
      const data = [{ version: dataset.version + 1 }];
      const reply = await rotate(platform, by, dataset.id, { data });
      const isSellers = by === dataset.seller;
      expectCode('rotate', reply, isSellers ? undefined : 'forbidden');
      if (isSellers) dataset.version += 1;
    },
  };

  /** Effects on datasets of calls about orders in the right status. Others: the model of orders. */
  const OF_ORDER = {
    async return(order: Bought, { flag }: Step): Promise<void> {
      const { key } = flag ? order.buyer : order.of.seller;
      const reply = await act(platform, 'refund_order', { orderId: order.id, key });
      const refusal = flag && order.isOpened ? 'invalid_transition' : undefined;
      expectCode('return', reply, refusal);
      if (!refusal) settle(order, 0);
    },

    async settle(order: Bought, { flag }: Step): Promise<void> {
      const { id: orderId, buyer } = order;
      const action = flag ? 'confirm_order' : 'dispute_order';
      expectCode(action, await act(platform, action, { orderId, key: buyer.key }), undefined);
      if (flag) settle(order, order.price);
      else order.status = 'disputed';
    },

    async decide(order: Bought, { cents, flag }: Step): Promise<void> {
      const part = Math.min(cents * 10, order.price);
      const isSplit = flag && part > 0 && part < order.price;
      const verdict = isSplit
        ? { verdict: 'split', seller_amount: part / 1_000 }
        : { verdict: flag ? 'release' : 'refund' };
      expectCode('decide', await decide(platform, order.id, verdict), undefined);
      settle(order, isSplit ? part : flag ? order.price : 0);
    },
  };

  const isOfOrder = (action: string): action is keyof typeof OF_ORDER => action in OF_ORDER;

  /** So much of it to its seller, the fee of that to the platform, the rest back. */
  function settle(order: Bought, part: number): void {
    order.of.seller.balance += part;
    order.buyer.balance += totalOf(order.price) - totalOf(part);
    const inPart = part === order.price ? 'completed' : 'partially_refunded';
    order.status = part === 0 ? 'refunded' : inPart;
    seen.add(order.status);
  }
});

const totalOf = (price: number) => price + price / 10;
const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);
const isOpen = (status: string) => status === 'escrow' || status === 'disputed';
