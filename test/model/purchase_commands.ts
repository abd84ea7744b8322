import { expect } from 'chai';
import fc from 'fast-check';

import type { TestPlatform, Reply } from '../harness.ts';
import { any, command, expectAnswer, pick, usd } from './command.ts';
import * as model from './market.ts';
import type { Good, Market, Member } from './market.ts';

interface Purchase {
  readonly buyer: Member;
  readonly good: Good;
  readonly quantity: number;
}
const Purchase = fc.record({ buyer: any, good: any, quantity: fc.integer({ min: 1, max: 4 }) });
type Drawn = typeof Purchase extends fc.Arbitrary<infer D> ? D : never;

const purchaseOf = ({ members, goods }: Market, { buyer, good, quantity }: Drawn): Purchase => ({
  buyer: pick(members, buyer),
  good: pick(goods, good),
  quantity,
});

const send = (
  platform: TestPlatform,
  { buyer, good, quantity }: Purchase,
  key?: string,
): Promise<Reply> =>
  platform.request('POST /api/v1/orders', {
    key: buyer.key,
    body: { product_id: good.id, quantity },
    // Long enough that no answer is pending on a busy machine.
    headers: { prefer: 'wait=25', ...(key && { 'idempotency-key': key }) },
  });

function record(market: Market, purchase: Purchase, { body }: Reply): void {
  model.buy(market, { id: body.order_id, ...purchase });
  expect(body.total_due).to.equal(usd(model.costOf(purchase.good, purchase.quantity).total));
}

/** Balances, limits and stock may change, so these refusals do not bind the key. */
const FREES_KEY = [
  'tx_limit_exceeded',
  'daily_limit_exceeded',
  'insufficient_balance',
  'out_of_stock',
];

/** With one of a few keys or none, so that keys are used again, for the same or another input. */
const Buy = fc.tuple(Purchase, fc.option(fc.nat(3))).map(([drawn, n]) =>
  command('buy', { ...drawn, key: n }, undefined, async (market, platform) => {
    const purchase = purchaseOf(market, drawn);
    const { buyer, good, quantity } = purchase;
    const key = n === null ? undefined : `key-${n}`;
    const slot = `${buyer.id} ${key}`;
    const before = key ? market.answers.get(slot) : undefined;
    const reply = await send(platform, purchase, key);
    const input = `${good.id} ${quantity}`;
    if (before) {
      if (before.input !== input) return expectAnswer(reply, 'idempotency_conflict');
      expect(reply.headers.get('idempotent-replayed')).to.equal('true');
      expect(reply.text).to.equal(before.text);
      return;
    }
    const refusal = model.purchaseRefusal(buyer, good, quantity);
    expectAnswer(reply, refusal);
    if (!refusal) record(market, purchase, reply);
    if (key && !FREES_KEY.includes(refusal ?? '')) {
      market.answers.set(slot, { input, text: reply.text });
    }
  }),
);

/** The same call several times at once under one key: one purchase, one answer. */
const BuyRepeatedly = fc.tuple(Purchase, fc.uuid()).map(([drawn, key]) =>
  command('buy repeatedly', drawn, undefined, async (market, platform) => {
    const purchase = purchaseOf(market, drawn);
    const refusal = model.purchaseRefusal(purchase.buyer, purchase.good, purchase.quantity);
    const calls = [1, 2, 3].map(() => send(platform, purchase, `${key}-${market.trades.length}`));
    const replies = await Promise.all(calls);
    for (const reply of replies) expectAnswer(reply, refusal);
    if (refusal) return;
    expect(new Set(replies.map(({ text }) => text)).size).to.equal(1);
    record(market, purchase, replies[0]!);
  }),
);

/** Several calls at once are performed in batches, in an unknown order. */
const BuyTogether = fc.array(Purchase, { minLength: 2, maxLength: 8 }).map((drawn) =>
  command('buy together', drawn, undefined, async (market, platform) => {
    const purchase = drawn.map((one) => purchaseOf(market, one));
    const replies = await Promise.all(purchase.map((one) => send(platform, one)));
    const all = purchase.map((one, n) => ({ one, reply: replies[n]! }));
    const fixed = ({ buyer, good, quantity }: Purchase) =>
      model.fixedRefusal(buyer, good, quantity);
    for (const { one, reply } of all.filter((each) => fixed(each.one))) {
      expectAnswer(reply, fixed(one));
    }
    const open = all.filter(({ one }) => !fixed(one));
    const bought = open.filter(({ reply }) => reply.status === 200);
    // In a tree of agents, order ids are assigned while its lock is held: in the order of payment.
    bought.sort((a, b) => a.reply.body.order_id - b.reply.body.order_id);
    for (const { one, reply } of bought) {
      const { buyer, good, quantity } = one;
      expect(model.purchaseRefusal(buyer, good, quantity), reply.text).to.equal(undefined);
      record(market, one, reply);
    }
    for (const { one, reply } of open.filter((each) => each.reply.status !== 200)) {
      expectJustified(one, reply, purchase);
    }
  }),
);

/** Money and stock only decrease, so what caused a refusal must still be missing at the end. */
function expectJustified(
  { buyer, good, quantity }: Purchase,
  { body, text }: Reply,
  purchase: Purchase[],
) {
  const { total } = model.costOf(good, quantity);
  const othersHeldSome = purchase.some((other) => other.good === good && other.quantity > 1);
  const lacking: { [code: string]: boolean } = {
    daily_limit_exceeded: model.exceedsDay(buyer, total),
    insufficient_balance: model.lacksMoney(buyer, total),
    // A buyer of one unit does not wait for units that another transaction holds for a moment.
    out_of_stock:
      model.lacksStock(good, quantity) || (good.kind === 'serial_pool' && othersHeldSome),
  };
  expect(lacking[body.error], text).to.equal(true);
}

const Preview = Purchase.map((drawn) =>
  command('preview', drawn, undefined, async (market, platform) => {
    const { buyer, good, quantity } = purchaseOf(market, drawn);
    const reply = await platform.request('POST /api/v1/orders/preview', {
      key: buyer.key,
      body: { product_id: good.id, quantity, hold: false },
    });
    const refusal = model.purchaseRefusal(buyer, good, quantity);
    const isShown = ['product_unavailable', 'self_purchase'].includes(refusal ?? '');
    const soldOut = model.lacksStock(good, quantity) ? 'out_of_stock' : undefined;
    expectAnswer(reply, isShown ? refusal : soldOut);
    if (reply.status !== 200) return;
    const { subtotal, fee, total } = model.costOf(good, quantity);
    expect(reply.body).to.include({
      subtotal: usd(subtotal),
      fee: usd(fee),
      total_due: usd(total),
      affordable: refusal === undefined,
    });
  }),
);

/** A purchase by a quote, where one is held: then nothing refuses it. */
const BuyQuoted = Purchase.map((drawn) =>
  command('buy by quote', drawn, undefined, async (market, platform) => {
    const purchase = purchaseOf(market, drawn);
    const { buyer, good, quantity } = purchase;
    const { key } = buyer;
    const asked = { key, body: { product_id: good.id, quantity } };
    const { body } = await platform.request('POST /api/v1/orders/preview', asked);
    if (body.held !== true) return;
    expect(model.purchaseRefusal(buyer, good, quantity)).to.equal(undefined);
    const reply = await platform.request('POST /api/v1/orders', {
      key,
      body: { quote_id: body.quote_id },
      headers: { prefer: 'wait=25' },
    });
    expectAnswer(reply, undefined);
    record(market, purchase, reply);
  }),
);

export const purchases = [
  Buy,
  Buy,
  Buy,
  BuyQuoted,
  BuyRepeatedly,
  BuyTogether,
  BuyTogether,
  Preview,
];
