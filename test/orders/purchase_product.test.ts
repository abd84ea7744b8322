import { expect } from 'chai';

import { audit } from '../../shared/ledger/audit.ts';
import { House } from '../harness.ts';

describe('purchase_product', () => {
  let house: House;
  before(async () => {
    house = await House.open();
  });
  after(async () => {
    expect(await audit(house.world.database)).to.deep.equal([]);
    await house.close();
  });

  interface Scene {
    usd?: number;
    price?: number;
    items?: number;
    [field: string]: unknown;
  }

  async function scene({ usd = 5, price = 1, items = 1, ...fields }: Scene = {}) {
    const seller = await house.agent();
    const buyer = await house.agent({ usd });
    const product = await house.product(seller, {
      price,
      ...(!fields.stock_kind && {
        items: Array.from({ length: items }, (_, n) => `KEY-${seller.id}-${n}`),
      }),
      ...fields,
    });
    return { seller, buyer, product };
  }

  const buy = (key: string, body: object, headers: Record<string, string> = {}) =>
    house.request('POST /api/v1/orders', { key, body, headers });

  it('moves price plus 10 % into escrow, credit first, and delivers to the vault at once', async () => {
    const { buyer, product, seller } = await scene({ usd: 5, price: 1 });

    const { status, body } = await buy(buyer.key, { product_id: product.id });

    expect(status).to.equal(200);
    expect(body).to.deep.equal({
      order_id: body.order_id,
      status: 'escrow',
      item_endpoint: `/vault/${body.order_id}`,
      product_id: product.id,
      quantity: 1,
      total_due: 1.1,
      release_at: body.release_at,
    });
    const { body: wallet } = await house.request('GET /api/v1/wallet', { key: buyer.key });
    expect(wallet).to.include({
      balance: 4.4,
      cash: 4.4,
      credit: 0,
      in_escrow: 1.1,
      daily_spend: 1.1,
    });
    const vault = await house.request(`GET ${body.item_endpoint}`, { key: buyer.key });
    expect(vault.body.items).to.deep.equal([{ untrusted: true, content: `KEY-${seller.id}-0` }]);
  });

  it('charges exactly what the preview said, for one unit and for several', async () => {
    const { buyer, product } = await scene({ usd: 50, price: 0.333335, items: 7 });
    for (const quantity of [1, 2, 3]) {
      const asked = { product_id: product.id, quantity };
      const preview = await house.request('POST /api/v1/orders/preview', {
        key: buyer.key,
        body: asked,
      });
      const before = await house.balance(buyer);
      const { body } = await buy(buyer.key, asked);
      expect(body.total_due).to.equal(preview.body.total_due);
      expect(await house.balance(buyer)).to.be.closeTo(before - body.total_due, 1e-9);
    }
  });

  it('delivers each unit of a serial pool once and several units to one order', async () => {
    const { buyer, product } = await scene({ usd: 20, items: 3 });
    const first = await buy(buyer.key, { product_id: product.id, quantity: 2 });
    const second = await buy(buyer.key, { product_id: product.id });
    const vaults = await Promise.all(
      [first, second].map(({ body }) =>
        house.request(`GET /vault/${body.order_id}`, { key: buyer.key }),
      ),
    );
    const items = vaults.flatMap(({ body }) =>
      body.items.map((item: { content: string }) => item.content),
    );
    expect(new Set(items).size).to.equal(3);
    expect(vaults[0]!.body.items).to.have.length(2);
  });

  it('counts a counted product down and sells an unlimited one without end', async () => {
    const counted = await scene({
      stock_kind: 'counted',
      quantity: 3,
      content: 'seat',
      price: 0.01,
    });
    const bought = await buy(counted.buyer.key, { product_id: counted.product.id, quantity: 2 });
    expect(bought.status).to.equal(200);
    const tooMany = await buy(counted.buyer.key, { product_id: counted.product.id, quantity: 2 });
    expect(tooMany.body.error).to.equal('out_of_stock');

    const endless = await scene({ stock_kind: 'unlimited', content: 'open', price: 0.01 });
    const many = await buy(endless.buyer.key, { product_id: endless.product.id, quantity: 100 });
    expect(many.status).to.equal(200);
    const vault = await house.request(`GET /vault/${many.body.order_id}`, {
      key: endless.buyer.key,
    });
    expect(vault.body.items).to.deep.equal([{ untrusted: true, content: 'open' }]);
  });

  for (const [code, expected, world, change] of [
    ['insufficient_balance', 402, { usd: 0 }, {}],
    ['out_of_stock', 400, {}, { quantity: 2 }],
    ['out_of_stock', 400, { usd: 0 }, { quantity: 1000 }],
    ['product_unavailable', 400, { active: false }, {}],
    ['validation_error', 422, {}, { product_id: 'one' }],
    ['validation_error', 422, {}, { quantity: 0 }],
    ['validation_error', 422, {}, { quantity: 1001 }],
    ['validation_error', 422, {}, { colour: 'red' }],
    ['not_found', 404, {}, { product_id: 2 ** 31 - 1 }],
  ] as const) {
    it(`refuses with ${code} and leaves the wallet alone: ${JSON.stringify([world, change])}`, async () => {
      const { buyer, product } = await scene(world);
      const before = await house.balance(buyer);

      const { status, body } = await buy(buyer.key, { product_id: product.id, ...change });

      expect([status, body.error]).to.deep.equal([expected, code]);
      expect(body).to.include.keys('message', 'details', 'retryable', 'next_actions', 'request_id');
      expect(await house.balance(buyer)).to.equal(before);
    });
  }

  it('refuses to sell to the seller', async () => {
    const { seller, product } = await scene();
    const { status, body } = await buy(seller.key, { product_id: product.id });
    expect([status, body.error]).to.deep.equal([400, 'self_purchase']);
  });

  it('refuses an unapproved product', async () => {
    const { buyer, product } = await scene();
    await house.query(`update product set status = 'suspended' where id = $1`, [product.id]);
    const { status, body } = await buy(buyer.key, { product_id: product.id });
    expect([status, body.error]).to.deep.equal([400, 'product_unavailable']);
  });

  describe('under a policy', () => {
    const limit = (agent: { id: number }, columns: Record<string, unknown>) =>
      house.query(
        `insert into policy (agent_id, ${Object.keys(columns).join(', ')})
         values ($1, ${Object.keys(columns)
           .map((_, n) => `$${n + 2}`)
           .join(', ')})`,
        [agent.id, ...Object.values(columns)],
      );

    for (const [code, expected, policy, trace] of [
      [
        'daily_limit_exceeded',
        402,
        { daily_spend_limit: 1_000_000 },
        { rule: 'daily_spend_limit', limit: 1, used: 0, largest_that_passes: 1 },
      ],
      [
        'tx_limit_exceeded',
        402,
        { max_spend_per_tx: 500_000 },
        { rule: 'max_spend_per_tx', limit: 0.5, largest_that_passes: 0.5 },
      ],
      [
        'product_type_not_allowed',
        403,
        { allowed_product_types: ['dataset'] },
        { rule: 'allowed_product_types', asked: 'serial_key' },
      ],
    ] as const) {
      it(`refuses with ${code} and says what would pass`, async () => {
        const { buyer, product } = await scene();
        await limit(buyer, policy);
        const before = await house.balance(buyer);
        const { status, body } = await buy(buyer.key, { product_id: product.id });
        expect([status, body.error]).to.deep.equal([expected, code]);
        expect(body.details.policy_trace).to.include({ ...trace, policy_of: buyer.id });
        expect(await house.balance(buyer)).to.equal(before);
      });
    }

    it('refuses a suspended agent', async () => {
      const { buyer, product } = await scene();
      await house.query(`update agent set status = 'suspended' where id = $1`, [buyer.id]);
      const { status, body } = await buy(buyer.key, { product_id: product.id });
      expect([status, body.error]).to.deep.equal([403, 'agent_suspended']);
    });

    it('lets exactly five of twenty simultaneous purchases through a limit for five', async () => {
      const { buyer, product } = await scene({ usd: 50, items: 20 });
      await limit(buyer, { daily_spend_limit: 5_500_000 });
      const replies = await Promise.all(
        Array.from({ length: 20 }, () => buy(buyer.key, { product_id: product.id })),
      );
      const told = replies.map(({ status, body }) => (status === 200 ? 'bought' : body.error));
      expect(told.filter((word) => word === 'bought')).to.have.length(5);
      expect(told.filter((word) => word === 'daily_limit_exceeded')).to.have.length(15);
      expect(await house.balance(buyer)).to.equal(45);
    });
  });

  it('tells what is lacking in the order of the interface', async () => {
    const { buyer, product } = await scene({ usd: 0, price: 3, items: 1 });
    const ask = async (quantity = 1) =>
      (await buy(buyer.key, { product_id: product.id, quantity })).body.error;
    expect(await ask(1)).to.equal('insufficient_balance');
    expect(await ask(2)).to.equal('out_of_stock');
    await house.query('insert into policy (agent_id, daily_spend_limit) values ($1, 1)', [
      buyer.id,
    ]);
    expect(await ask(2)).to.equal('daily_limit_exceeded');
    await house.query('update policy set max_spend_per_tx = 1 where agent_id = $1', [buyer.id]);
    expect(await ask(2)).to.equal('tx_limit_exceeded');
    await house.query(`update policy set allowed_product_types = '{dataset}' where agent_id = $1`, [
      buyer.id,
    ]);
    expect(await ask(2)).to.equal('product_type_not_allowed');
    await house.query(`update agent set status = 'suspended' where id = $1`, [buyer.id]);
    expect(await ask(2)).to.equal('agent_suspended');
    await house.query('update product set active = false where id = $1', [product.id]);
    expect(await ask(2)).to.equal('product_unavailable');
    expect((await buy(buyer.key, { product_id: 2_000_000_000 })).body.error).to.equal('not_found');
    expect((await buy(buyer.key, { product_id: 0 })).body.error).to.equal('validation_error');
    const reader = await house.keyOf(buyer, ['read']);
    expect((await buy(reader, { product_id: 0 })).body.error).to.equal('insufficient_scope');
    expect((await buy('vnx_wrong', { product_id: 0 })).body.error).to.equal('invalid_key');
  });

  it('sells the last unit to exactly one of ten simultaneous buyers', async () => {
    const { product } = await scene({ items: 1 });
    const buyers = await Promise.all(Array.from({ length: 10 }, () => house.agent({ usd: 5 })));

    const replies = await Promise.all(
      buyers.map(({ key }) => buy(key, { product_id: product.id })),
    );

    expect(replies.filter(({ status }) => status === 200)).to.have.length(1);
    expect(replies.filter(({ body }) => body.error === 'out_of_stock')).to.have.length(9);
    const balances = await Promise.all(buyers.map((buyer) => house.balance(buyer)));
    expect(balances.toSorted()).to.deep.equal([4.4, ...Array.from({ length: 9 }, () => 5.5)]);
  });

  it('spends a wallet for ten on exactly ten of forty simultaneous purchases', async () => {
    const { buyer, product } = await scene({ usd: 10.5, items: 40 });
    const replies = await Promise.all(
      Array.from({ length: 40 }, () => buy(buyer.key, { product_id: product.id })),
    );
    expect(replies.filter(({ status }) => status === 200)).to.have.length(10);
    expect(replies.filter(({ body }) => body.error === 'insufficient_balance')).to.have.length(30);
    expect(await house.balance(buyer)).to.equal(0);
  });

  it('sells every unit of a pool to buyers who want several each', async () => {
    const { product } = await scene({ items: 12 });
    const buyers = await Promise.all(Array.from({ length: 12 }, () => house.agent({ usd: 10 })));
    const replies = await Promise.all(
      buyers.map(({ key }) => buy(key, { product_id: product.id, quantity: 3 })),
    );
    expect(replies.filter(({ status }) => status === 200)).to.have.length(4);
    expect(replies.filter(({ body }) => body.error === 'out_of_stock')).to.have.length(8);
  });
});
