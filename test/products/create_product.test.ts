import { randomUUID } from 'node:crypto';
import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';
import { suspend } from '../suspend.ts';

describe('create_product', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const listing = (fields: object = {}) => ({
    title: 'Editor licence',
    description: 'One licence, for ever.',
    category: 'serial_key',
    price: 1.5,
    stock_kind: 'serial_pool',
    items: [`KEY-${randomUUID()}`],
    ...fields,
  });
  const shared = (fields: object = {}) => {
    const { items: _, ...rest } = listing();
    return { ...rest, stock_kind: 'unlimited', content: 'The text.', ...fields };
  };
  const create = (key: string, body: object, headers: Record<string, string> = {}) =>
    platform.request('POST /api/v1/products', { key, body, headers });
  const refusedFields = async (body: object) => {
    const seller = await platform.agent();
    const reply = await create(seller.key, body);
    expect(reply.status, reply.text).to.equal(422);
    expect(reply.body.error).to.equal('validation_error');
    const mine = await platform.request('GET /api/v1/products/mine', { key: seller.key });
    expect(mine.body.count).to.equal(0);
    return reply.body.details.fields.map(({ pointer }: { pointer: string }) => pointer);
  };

  it('puts a pool of secrets on sale and answers the product', async () => {
    const seller = await platform.agent();
    const items = [`KEY-${randomUUID()}`, { user: randomUUID(), password: 'p' }];

    const { status, body } = await create(seller.key, listing({ items }));

    expect(status).to.equal(200);
    expect(body).to.deep.equal({
      product_id: body.product_id,
      title: 'Editor licence',
      description: { untrusted: true, content: 'One licence, for ever.' },
      category: 'serial_key',
      price: 1.5,
      seller: { agent_id: seller.id, username: seller.username },
      status: 'approved',
      active: true,
      stock_kind: 'serial_pool',
      in_stock: 2,
      version: 1,
      release_hours: 72,
      accepts_credit: true,
      created_at: body.created_at,
      review_note: null,
    });
  });

  it('puts so many of one content on sale, or any number of it', async () => {
    const { key } = await platform.agent();
    const counted = await create(
      key,
      shared({ stock_kind: 'counted', quantity: 7, release_hours: 720, active: false }),
    );
    expect(counted.body).to.include({ in_stock: 7, release_hours: 720, active: false });
    const unlimited = await create(key, shared({ content: { user: 'u', port: 8080 } }));
    expect(unlimited.body).to.include({ in_stock: null, stock_kind: 'unlimited' });
  });

  it('delivers text as it was sent, and an object as JSON in the order of its fields', async () => {
    const seller = await platform.agent();
    const buyer = await platform.agent({ usd: 20 });
    const text = '  spaces, \u200bzero width and\nlines stay\t';
    const item = { b: 1, a: [{ d: 2, c: 3 }] };
    const delivered = async (body: object) => {
      const { body: product } = await create(seller.key, body);
      const order = await platform.request('POST /api/v1/orders', {
        key: buyer.key,
        body: { product_id: product.product_id },
      });
      const vault = await platform.request(`GET ${order.body.item_endpoint}`, { key: buyer.key });
      return vault.body.items[0].content;
    };
    expect(await delivered(listing({ items: [text] }))).to.equal(text);
    expect(await delivered(listing({ items: [item] }))).to.equal('{"b":1,"a":[{"d":2,"c":3}]}');
    expect(await delivered(shared({ content: text }))).to.equal(text);
  });

  it('shows a title on one line without what deceives, and a description as it was sent', async () => {
    const { key } = await platform.agent();
    const { body } = await create(
      key,
      listing({ title: ' Editor\u202e\n licence\u0007 ', description: ' Two\nlines\u200b.\n' }),
    );
    expect(body.title).to.equal('Editor licence');
    expect(body.description.content).to.equal(' Two\nlines\u200b.\n');
  });

  it('refuses a title or a description that nobody could see', async () => {
    expect(await refusedFields(listing({ title: '\u200b \u202e' }))).to.deep.equal(['/title']);
    expect(await refusedFields(listing({ description: '\u200b' }))).to.deep.equal(['/description']);
  });

  it('refuses what does not belong to the kind of stock, and names what is missing', async () => {
    const none = { items: undefined };
    expect(await refusedFields(listing(none))).to.deep.equal(['/items']);
    expect(await refusedFields(listing({ content: 'x', quantity: 1 }))).to.deep.equal([
      '/content',
      '/quantity',
    ]);
    expect(
      await refusedFields(listing({ ...none, stock_kind: 'counted', content: 'x' })),
    ).to.deep.equal(['/quantity']);
    expect(await refusedFields(listing({ stock_kind: 'unlimited' }))).to.deep.equal([
      '/items',
      '/content',
    ]);
  });

  it('refuses prices, hours and secrets out of range', async () => {
    expect(await refusedFields(listing({ price: 0 }))).to.include('/price');
    expect(await refusedFields(listing({ price: 0.0000015 }))).to.include('/price');
    expect(await refusedFields(listing({ price: 1_000_000.01 }))).to.include('/price');
    expect(await refusedFields(listing({ release_hours: 721 }))).to.include('/release_hours');
    expect(await refusedFields(listing({ items: [] }))).to.include('/items');
    expect(await refusedFields(listing({ items: ['a', ''] }))).to.include('/items/1');
    for (const nothing of [{}, '{}', '{ }', '[]', '""', 'null', ' \n']) {
      expect(await refusedFields(listing({ items: ['a', nothing] }))).to.include('/items/1');
      expect(await refusedFields(shared({ content: nothing }))).to.include('/content');
    }
    expect(await refusedFields(listing({ items: ['ä'.repeat(4_097)] }))).to.include('/items/0');
    expect(await refusedFields(shared({ content: { a: 'x'.repeat(65_536) } }))).to.include(
      '/content',
    );
    expect(await refusedFields(shared({ dataset_id: 1 }))).to.deep.equal(['/content', '/category']);
    expect(await refusedFields(listing({ dataset_id: 1 }))).to.include('/dataset_id');
  });

  it('refuses a secret that stands twice in one call, also as an object in another order', async () => {
    expect(await refusedFields(listing({ items: ['a', 'b', 'a'] }))).to.deep.equal(['/items/2']);
    const items = [{ a: 1, b: 2 }, 'x', { b: 2, a: 1 }];
    expect(await refusedFields(listing({ items }))).to.deep.equal(['/items/2']);
  });

  it('refuses a secret that this seller has listed before, and lists nothing of that call', async () => {
    const seller = await platform.agent();
    const [old, fresh] = [randomUUID(), randomUUID()];
    await create(seller.key, listing({ items: [old] }));

    const again = await create(seller.key, listing({ items: [fresh, old] }));

    expect(again.status).to.equal(422);
    expect(again.body.details.fields).to.deep.equal([
      { pointer: '/items/1', message: 'was listed before' },
    ]);
    expect(again.text).not.to.contain(old);
    const mine = await platform.request('GET /api/v1/products/mine', { key: seller.key });
    expect(mine.body.count).to.equal(1);
    expect((await create(seller.key, listing({ items: [fresh] }))).status).to.equal(200);
    const another = await platform.agent();
    expect((await create(another.key, listing({ items: [old] }))).status).to.equal(200);
  });

  it('lists a secret once when many calls list it at the same time', async () => {
    const seller = await platform.agent();
    const items = Array.from({ length: 20 }, () => randomUUID());
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        create(seller.key, listing({ items: n % 2 ? items : [...items].reverse() })),
      ),
    );
    expect(replies.map(({ status }) => status)).to.have.members([200, ...Array(7).fill(422)]);
  });

  it('makes one product of a call that is repeated with its key', async () => {
    const seller = await platform.agent();
    const [body, headers] = [listing(), { 'idempotency-key': randomUUID() }];
    const first = await create(seller.key, body, headers);
    const second = await create(seller.key, body, headers);
    expect(second.text).to.equal(first.text);
    const mine = await platform.request('GET /api/v1/products/mine', { key: seller.key });
    expect(mine.body.count).to.equal(1);
  });

  it('refuses a key without sell, a suspended agent, and one below a suspended one', async () => {
    const seller = await platform.agent();
    const below = await childOf(platform, seller);
    const { body } = await create(await platform.keyOf(seller, ['read', 'buy']), listing());
    expect(body.error).to.equal('insufficient_scope');

    await suspend(platform, seller);
    for (const { key } of [seller, below]) {
      const refused = await create(key, listing());
      expect([refused.status, refused.body.error]).to.deep.equal([403, 'agent_suspended']);
    }
  });

  it('leaves no secret readable in any table', async () => {
    const seller = await platform.agent();
    const secret = `PLAIN-${randomUUID()}`;
    const headers = () => ({ 'idempotency-key': randomUUID() });
    const { body } = await create(seller.key, listing({ items: [secret] }), headers());
    await create(seller.key, listing({ items: [{ secret }] }), headers());
    await create(seller.key, shared({ content: secret }), headers());
    await platform.request(`PATCH /api/v1/products/${body.product_id}`, {
      key: seller.key,
      body: { price: 2 },
      headers: headers(),
    });
    await platform.request(`POST /api/v1/products/${body.product_id}/stock`, {
      key: seller.key,
      body: { items: [`${secret}-2`] },
      headers: headers(),
    });

    const tables: { name: string }[] = await platform.query(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
        where schemaname in ('public', 'ledger')
          and has_table_privilege(format('%I.%I', schemaname, tablename), 'select')`,
    );
    expect(tables.map(({ name }) => name)).to.include.members(['public.stock', 'public.job']);
    for (const { name } of tables) {
      const rows = await platform.query(
        `select 1 from ${name} t where t::text like '%' || $1 || '%' or t::text like '%' || $2 || '%'`,
        [secret, Buffer.from(secret).toString('hex')],
      );
      expect(rows, name).to.deep.equal([]);
    }
  });
});
