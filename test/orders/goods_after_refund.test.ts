import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { childOf } from '../agents/child.ts';
import { offer } from '../datasets/offer.ts';
import { TestPlatform } from '../harness.ts';
import { act, decide, makeSilent, openDeal, orderAs } from './deal.ts';
import { openings, tellings, type Bought, type Goods, headers } from './goods.ts';
import { buy, meet, runTimer } from './trade.ts';

/** Goods that a buyer can still open when its deal has ended, by every interface. */
describe('goods after a refund', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const dispute = ({ orderId, buyer }: Bought) =>
    act(platform, 'dispute_order', { orderId, key: buyer.key });
  async function verdict(bought: Bought, body: object) {
    await dispute(bought);
    const { status, text } = await decide(platform, bought.orderId, body);
    expect(status, text).to.equal(200);
  }

  /** How deals end, and whether their goods stay open (lifecycles: Order, Dataset access). */
  const ENDS: readonly [status: string, how: string, stay: boolean, end: (_: Bought) => unknown][] =
    [
      ['escrow', 'nothing yet', true, () => undefined],
      ['disputed', 'a dispute', true, dispute],
      ['completed', 'a verdict for its seller', true, (it) => verdict(it, { verdict: 'release' })],
      ['refunded', 'a verdict for its buyer', false, (it) => verdict(it, { verdict: 'refund' })],
      [
        'partially_refunded',
        'a verdict for both',
        true,
        (it) => verdict(it, { verdict: 'split', seller_amount: 0.3 }),
      ],
      [
        'refunded',
        'a refund by its seller',
        false,
        ({ orderId, seller }) => act(platform, 'refund_order', { orderId, key: seller.key }),
      ],
      [
        'refunded',
        'no answer of its seller',
        false,
        async (it) => {
          await dispute(it);
          await makeSilent(platform, it.orderId);
          await runTimer(platform, 'refund_unanswered_disputes');
        },
      ],
      [
        'completed',
        'a dispute that its buyer took back',
        true,
        async (it) => {
          await dispute(it);
          const { orderId, buyer } = it;
          await act(platform, 'withdraw_dispute', { orderId, key: buyer.key });
          await act(platform, 'confirm_order', { orderId, key: buyer.key });
        },
      ],
    ];

  /** The goods are open, or closed, everywhere; and others, and the seller, have none. */
  async function expectGoods(bought: Bought, what: Goods, stay: boolean) {
    const { canary, open, tool } = what;
    for (const [way, text] of await openings(platform, bought, what)) {
      expect(text.includes(canary), `${way}: ${text.slice(0, 300)}`).to.equal(stay);
    }
    for (const [way, text] of await tellings(platform, bought)) {
      expect(text, way).not.to.include(canary);
    }
    const child = await childOf(platform, bought.buyer);
    const others = [
      child,
      await platform.agent(),
      ...(tool === 'access_dataset' ? [] : [bought.seller]),
    ];
    for (const { key } of others) {
      expect((await platform.request(`GET ${open}`, { key })).text).not.to.include(canary);
    }
  }

  const upload = async ({ key }: { key: string }, body: object) =>
    (await platform.request('POST /api/v1/datasets/uploads', { key, body })).body;

  for (const [status, how, stay, end] of ENDS) {
    it(`${stay ? 'stay open' : 'are closed'} in a vault after ${how}`, async () => {
      const canary = `CANARY-${randomUUID()}`;
      const deal = await openDeal(platform, { items: [canary] });
      const { orderId, buyer } = deal;
      const goods = {
        canary,
        open: `/vault/${orderId}`,
        tool: 'get_vault_item' as const,
        input: { order_id: orderId },
      };
      const opened = await platform.request(`GET ${goods.open}`, { key: buyer.key, headers });
      expect(opened.text).to.include(canary);
      await end(deal);
      expect((await orderAs(platform, buyer, orderId)).status).to.equal(status);
      await expectGoods(deal, goods, stay);
      // A unit that was seen is never sold to another.
      const again = await platform.agent({ usd: 5 });
      const body = { product_id: deal.productId };
      const sold = await platform.request('POST /api/v1/orders', { key: again.key, body });
      expect(sold.body.error).to.equal('out_of_stock');
    });

    it(`${stay ? 'stay open' : 'are closed'} in a dataset after ${how}`, async () => {
      const canary = `CANARY-${randomUUID()}`;
      const [seller, buyer] = [await platform.agent(), await platform.agent({ usd: 5 })];
      const { upload_id } = await upload(seller, { jsonl: JSON.stringify({ canary, page: 1 }) });
      await upload(seller, { upload_id, after: 1, jsonl: JSON.stringify({ canary, page: 2 }) });
      const fields = { type: 'json', price: 1, upload_id };
      const { dataset_id: id, product_id } = await offer(platform, seller, fields);
      const deal = { seller, buyer, orderId: await buy(platform, buyer, { id: product_id }) };
      const goods = {
        canary,
        open: `/api/v1/datasets/${id}/access`,
        tool: 'access_dataset' as const,
        input: { dataset_id: id },
      };
      const first = await platform.request(`GET ${goods.open}`, { key: buyer.key, headers });
      expect(first.text).to.include(canary);
      expect(first.body.has_more).to.equal(true);
      await end(deal);
      expect((await orderAs(platform, buyer, deal.orderId)).status).to.equal(status);
      await expectGoods(deal, goods, stay);
      // The rest of what was begun before.
      const next = `${goods.open}?cursor=${encodeURIComponent(first.body.next_cursor)}`;
      const rest = await platform.request(`GET ${next}`, { key: buyer.key });
      expect(rest.text.includes(canary)).to.equal(stay);
      // The vault says what was bought, and holds nothing of it.
      const vault = await platform.request(`GET /vault/${deal.orderId}`, { key: buyer.key });
      expect([vault.status, vault.text.includes(canary)]).to.deep.equal([stay ? 200 : 409, false]);
    });
  }

  it('that nobody saw are closed to their buyer, and open to the next', async () => {
    const canary = `CANARY-${randomUUID()}`;
    const { seller, buyer, product } = await meet(platform, { items: [canary] });
    const orderId = await buy(platform, buyer, product);
    await act(platform, 'refund_order', { orderId, key: buyer.key });
    const goods = { tool: 'get_vault_item' as const, input: { order_id: orderId }, canary };
    await expectGoods({ orderId, seller, buyer }, { ...goods, open: `/vault/${orderId}` }, false);
    const next = await platform.agent({ usd: 5 });
    const second = await buy(platform, next, product);
    const { text } = await platform.request(`GET /vault/${second}`, { key: next.key });
    expect(text).to.include(canary);
    const before = await platform.request(`GET /vault/${orderId}`, { key: buyer.key });
    expect(before.status).to.equal(409);
  });

  it('are not opened and refunded by their buyer at once, by whatever interface', async () => {
    for (let n = 0; n < 6; n += 1) {
      const canary = `CANARY-${randomUUID()}`;
      const { buyer, product } = await meet(platform, { items: [canary] });
      const orderId = await buy(platform, buyer, product);
      const open = () => platform.request(`GET /vault/${orderId}`, { key: buyer.key });
      const tool = { tool: 'get_vault_item' as const, params: { order_id: orderId } };
      const replies = await Promise.all([
        open(),
        act(platform, 'refund_order', { orderId, key: buyer.key }),
        platform.request('POST /api/v1/mcp/call', { key: buyer.key, body: tool }),
      ]);
      const seen = [replies[0], replies[2]].some(({ text }) => text.includes(canary));
      expect(replies[1].status).to.equal(seen ? 409 : 200);
      expect(await platform.balance(buyer)).to.be.closeTo(seen ? 4.4 : 5.5, 1e-9);
    }
  });
});
