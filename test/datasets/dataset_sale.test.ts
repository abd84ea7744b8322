import { expect } from 'chai';
import pg from 'pg';

import { audit } from '../../shared/composition/audit.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { act, decide } from '../orders/deal.ts';
import { buy } from '../orders/trade.ts';
import { access, mine, offer, ROWS } from './offer.ts';

describe('the sale of datasets', () => {
  let platform: TestPlatform;
  let seller: Awaited<ReturnType<TestPlatform['agent']>>;
  let buyer: typeof seller;
  before(async () => {
    platform = await TestPlatform.open();
    seller = await platform.agent();
    buyer = await platform.agent({ usd: 20 });
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const sell = (dataset_id: number, fields: object = {}, { key } = seller) =>
    platform.request('POST /api/v1/products', {
      key,
      body: {
        title: 'Cities',
        description: 'By people.',
        category: 'dataset',
        stock_kind: 'unlimited',
        price: 2,
        dataset_id,
        ...fields,
      },
    });
  const codeOf = ({ status, body }: { status: number; body: { error?: string } }) =>
    `${status} ${body.error ?? 'given'}`;
  const opened = async (id: number, who = buyer) => codeOf(await access(platform, who, id));
  const orderOf = (product: number) => buy(platform, buyer, { id: product });
  const key = () => buyer.key;

  it('by create_product makes one that was free a product, which has to be bought', async () => {
    const { dataset_id: id } = await offer(platform, seller);
    expect(await opened(id)).to.equal('200 given');
    const { body: product } = await sell(id);
    expect(product).to.include({ category: 'dataset', price: 2, status: 'approved' });
    const { product_id } = product;
    expect(await mine(platform, seller, id)).to.include({ product_id, price: 2 });
    expect(await opened(id)).to.equal('403 forbidden');

    const orderId = await orderOf(product_id);
    const vault = await act(platform, 'get_vault_item', { orderId, key: key() });
    expect(JSON.parse(vault.body.items[0].content)).to.include({ dataset_id: id });
    expect((await access(platform, buyer, id)).body.data).to.deep.equal(ROWS);
    await act(platform, 'confirm_order', { orderId, key: key() });
    const wallet = await platform.request('GET /api/v1/wallet', { key: seller.key });
    expect(wallet.body.cash + wallet.body.credit).to.equal(2.5);
  });

  it('by create_product may be of so many units', async () => {
    const { dataset_id: id } = await offer(platform, seller);
    const { body } = await sell(id, { stock_kind: 'counted', quantity: 1 });
    await orderOf(body.product_id);
    const more = await platform.request('POST /api/v1/orders', {
      key: key(),
      body: { product_id: body.product_id },
    });
    expect(codeOf(more)).to.equal('400 out_of_stock');
  });

  it('by create_product happens once, however many ask at once', async () => {
    const { dataset_id: id } = await offer(platform, seller);
    const answers = await Promise.all([1, 2, 3].map(() => sell(id)));
    expect(answers.map(codeOf).sort()).to.deep.equal([
      '200 given',
      '409 invalid_transition',
      '409 invalid_transition',
    ]);
    const { product_id } = await mine(platform, seller, id);
    expect((await sell(id)).body.details).to.deep.equal({ product_id });
  });

  it('by create_product is for datasets of its caller which can be delivered', async () => {
    const other = await platform.agent();
    const { dataset_id: id } = await offer(platform, seller);
    expect(codeOf(await sell(id, {}, other))).to.equal('403 forbidden');
    expect(codeOf(await sell(999_999))).to.equal('404 not_found');
    await platform.pauseWorkers();
    const link = { type: 'url', url: { url: 'https://example.com/' } };
    const unchecked = await offer(platform, seller, link);
    expect(codeOf(await sell(unchecked.dataset_id))).to.equal('409 invalid_transition');
    const priced = await offer(platform, seller, { ...link, price: 1 });
    expect(codeOf(await sell(priced.dataset_id))).to.equal('409 invalid_transition');
    await platform.resumeWorkers();
    for (const [fields, pointer] of [
      [{ category: 'serial_key' }, '/category'],
      [{ content: 'any' }, '/content'],
      [{ stock_kind: 'serial_pool', items: ['any'] }, '/dataset_id'],
    ] as const) {
      const { status, body } = await sell(id, fields);
      expect(status).to.equal(422);
      expect(body.details.fields[0].pointer).to.equal(pointer);
    }
    expect(await opened(id), 'it is free still').to.equal('200 given');
  });

  it('takes nobody by surprise who opens it at that moment', async () => {
    for (let n = 0; n < 5; n += 1) {
      const { dataset_id: id } = await offer(platform, seller);
      const [sold, ...got] = await Promise.all([sell(id), ...[1, 2, 3, 4].map(() => opened(id))]);
      expect(sold!.status).to.equal(200);
      for (const one of got) expect(one).to.be.oneOf(['200 given', '403 forbidden']);
    }
    // The audit finds whoever got it without having paid.
  });

  /** Ends of an order, and whether its buyer may open the dataset then. */
  for (const [status, verdict, outcome] of [
    ['escrow', undefined, '200 given'],
    ['disputed', 'none', '200 given'],
    ['completed', { verdict: 'release' }, '200 given'],
    ['partially_refunded', { verdict: 'split', seller_amount: 0.1 }, '200 given'],
    ['refunded', { verdict: 'refund' }, '403 forbidden'],
  ] as const) {
    it(`gives access by an order that is ${status}: ${outcome}`, async () => {
      const { dataset_id: id, product_id } = await offer(platform, seller, { price: 1 });
      const orderId = await orderOf(product_id);
      if (verdict) await act(platform, 'dispute_order', { orderId, key: key() });
      if (typeof verdict === 'object') await decide(platform, orderId, verdict);
      const found = await eventually(
        () => platform.request(`GET /api/v1/orders/${orderId}`, { key: key() }),
        ({ body }) => body.status === status,
      );
      expect(found.body.status).to.equal(status);
      expect(await opened(id)).to.equal(outcome);
    });
  }

  it('gives access by an older order when a newer one was refunded', async () => {
    const { dataset_id: id, product_id } = await offer(platform, seller, { price: 1 });
    await orderOf(product_id);
    const newer = await orderOf(product_id);
    await act(platform, 'refund_order', { orderId: newer, key: seller.key });
    expect(await opened(id)).to.equal('200 given');
  });

  it('gives access by an older order while a newer one is being refunded', async () => {
    const { dataset_id: id, product_id } = await offer(platform, seller, { price: 1 });
    await orderOf(product_id);
    const newer = await orderOf(product_id);
    const url = new URL(platform.postgres);
    url.pathname = platform.name;
    const refund = new pg.Client({ connectionString: url.href });
    await refund.connect();
    const write = (sql: string) => refund.query(`${sql} where id = ${newer}`);
    try {
      await refund.query('set session_replication_role = replica');
      await refund.query('begin');
      await write(`update orders set status = 'refunded', closed_at = now(),
                          refunded = subtotal + fee`);
      const opening = opened(id);
      await eventually(
        () =>
          platform.query(`select pid from pg_stat_activity where wait_event_type = 'Lock'
                             and datname = current_database()`),
        (waiting) => waiting.length > 0,
      );
      await refund.query('commit');
      expect(await opening).to.equal('200 given');
      // No money has moved.
      await write(`update orders set status = 'escrow', closed_at = null, refunded = 0`);
      await refund.query('update dataset_sale set is_open = true where order_id = $1', [newer]);
    } finally {
      await refund.end();
    }
  });

  it('is of what the dataset delivers, whatever its product says', async () => {
    const { product_id } = await offer(platform, seller, { price: 1 });
    const change = (body: object) =>
      platform.request(`PATCH /api/v1/products/${product_id}`, { key: seller.key, body });
    const { status, body } = await change({ content: 'Pay me elsewhere.' });
    expect([status, body.details.fields[0].pointer]).to.deep.equal([422, '/content']);
    expect((await change({ price: 3 })).body).to.include({ price: 3 });
  });
});
