import { expect } from 'chai';
import fc from 'fast-check';

import type { TestPlatform, Reply } from '../harness.ts';
import { any, command, expectAnswer, pick, usd } from './command.ts';
import * as model from './market.ts';
import type { Good, Market, Member } from './market.ts';

interface Asked {
  readonly buyer: Member;
  readonly good: Good;
  readonly quantity: number;
}
const Asked = fc.record({ buyer: any, good: any, quantity: fc.integer({ min: 1, max: 4 }) });
type Drawn = typeof Asked extends fc.Arbitrary<infer D> ? D : never;

const askedOf = ({ members, goods }: Market, { buyer, good, quantity }: Drawn): Asked => ({
  buyer: pick(members, buyer),
  good: pick(goods, good),
  quantity,
});

const send = (
  platform: TestPlatform,
  { buyer, good, quantity }: Asked,
  key?: string,
): Promise<Reply> =>
  platform.request('POST /api/v1/orders', {
    key: buyer.key,
    body: { product_id: good.id, quantity },
    // However busy the machine is, no answer is pending.
    headers: { prefer: 'wait=25', ...(key && { 'idempotency-key': key }) },
  });

function record(market: Market, asked: Asked, { body }: Reply): void {
  model.buy(market, { id: body.order_id, ...asked });
  expect(body.total_due).to.equal(usd(model.costOf(asked.good, asked.quantity).total));
}

/** Money and limits may change, so these refusals leave the key free. */
const FREES_KEY = ['tx_limit_exceeded', 'daily_limit_exceeded', 'insufficient_balance'];

/** With one of a few keys or none, so that keys come again, for the same or for something else. */
const Buy = fc.tuple(Asked, fc.option(fc.nat(3))).map(([drawn, n]) =>
  command('buy', { ...drawn, key: n }, undefined, async (market, platform) => {
    const asked = askedOf(market, drawn);
    const { buyer, good, quantity } = asked;
    const key = n === null ? undefined : `key-${n}`;
    const slot = `${buyer.id} ${key}`;
    const before = key ? market.answers.get(slot) : undefined;
    const reply = await send(platform, asked, key);
    const input = `${good.id} ${quantity}`;
    if (before) {
      if (before.asked !== input) return expectAnswer(reply, 'idempotency_conflict');
      expect(reply.headers.get('idempotent-replayed')).to.equal('true');
      expect(reply.text).to.equal(before.text);
      return;
    }
    const refusal = model.purchaseRefusal(buyer, good, quantity);
    expectAnswer(reply, refusal);
    if (!refusal) record(market, asked, reply);
    if (key && !FREES_KEY.includes(refusal ?? '')) {
      market.answers.set(slot, { asked: input, text: reply.text });
    }
  }),
);

/** The same call several times at once under one key: one purchase, one answer. */
const BuyRepeatedly = fc.tuple(Asked, fc.uuid()).map(([drawn, key]) =>
  command('buy repeatedly', drawn, undefined, async (market, platform) => {
    const asked = askedOf(market, drawn);
    const refusal = model.purchaseRefusal(asked.buyer, asked.good, asked.quantity);
    const calls = [1, 2, 3].map(() => send(platform, asked, `${key}-${market.trades.length}`));
    const replies = await Promise.all(calls);
    for (const reply of replies) expectAnswer(reply, refusal);
    if (refusal) return;
    expect(new Set(replies.map(({ text }) => text)).size).to.equal(1);
    record(market, asked, replies[0]!);
  }),
);

/** Several calls at once travel in batches, and who comes first is not known. */
const BuyTogether = fc.array(Asked, { minLength: 2, maxLength: 8 }).map((drawn) =>
  command('buy together', drawn, undefined, async (market, platform) => {
    const asked = drawn.map((one) => askedOf(market, one));
    const replies = await Promise.all(asked.map((one) => send(platform, one)));
    const all = asked.map((one, n) => ({ one, reply: replies[n]! }));
    const fixed = ({ buyer, good, quantity }: Asked) => model.fixedRefusal(buyer, good, quantity);
    for (const { one, reply } of all.filter((each) => fixed(each.one))) {
      expectAnswer(reply, fixed(one));
    }
    const open = all.filter(({ one }) => !fixed(one));
    const bought = open.filter(({ reply }) => reply.status === 200);
    // Within a tree, orders are numbered while its lock is held: in the order in which they paid.
    bought.sort((a, b) => a.reply.body.order_id - b.reply.body.order_id);
    for (const { one, reply } of bought) {
      const { buyer, good, quantity } = one;
      expect(model.purchaseRefusal(buyer, good, quantity), reply.text).to.equal(undefined);
      record(market, one, reply);
    }
    for (const { one, reply } of open.filter((each) => each.reply.status !== 200)) {
      expectRightly(one, reply, asked);
    }
  }),
);

/** There was less and less for them, so what they were refused for must be lacking at the end. */
function expectRightly({ buyer, good, quantity }: Asked, { body, text }: Reply, asked: Asked[]) {
  const { total } = model.costOf(good, quantity);
  const othersHeldSome = asked.some((other) => other.good === good && other.quantity > 1);
  const lacking: { [code: string]: boolean } = {
    daily_limit_exceeded: model.exceedsDay(buyer, total),
    insufficient_balance: model.lacksMoney(buyer, total),
    // Who wants one unit does not wait for those that somebody else has in hand for a moment.
    out_of_stock:
      model.lacksStock(good, quantity) || (good.kind === 'serial_pool' && othersHeldSome),
  };
  expect(lacking[body.error], text).to.equal(true);
}

const Preview = Asked.map((drawn) =>
  command('preview', drawn, undefined, async (market, platform) => {
    const { buyer, good, quantity } = askedOf(market, drawn);
    const reply = await platform.request('POST /api/v1/orders/preview', {
      key: buyer.key,
      body: { product_id: good.id, quantity },
    });
    const refusal = model.purchaseRefusal(buyer, good, quantity);
    const told = ['product_unavailable', 'self_purchase'].includes(refusal ?? '');
    const soldOut = model.lacksStock(good, quantity) ? 'out_of_stock' : undefined;
    expectAnswer(reply, told ? refusal : soldOut);
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

export const purchases = [Buy, Buy, Buy, BuyRepeatedly, BuyTogether, BuyTogether, Preview];
