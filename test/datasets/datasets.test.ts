import { createHash } from 'node:crypto';

import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';
import { buy } from '../orders/trade.ts';
import { suspend } from '../suspend.ts';
import { access, create, offer, ROWS } from './offer.ts';

describe('datasets', () => {
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

  const refusalOf = async (reply: ReturnType<typeof access>) => {
    const { status, body } = await reply;
    return `${status} ${body.error}`;
  };
  const openings = (id: number) =>
    platform.query(
      `select agent_id::int from opening where object_kind = 'dataset' and object_id = $1`,
      [id],
    );
  const eventsAbout = async (agent: { id: number }, id: number): Promise<string[]> => {
    const found = await platform.query(
      `select type from event where agent_id = $1 and object_kind = 'dataset' and object_id = $2
        order by id`,
      [agent.id, id],
    );
    return found.map(({ type }: { type: string }) => type);
  };

  it('that are free are listed and opened by anyone, each time with an audit row', async () => {
    const made = await offer(platform, seller);
    const id = made.dataset_id;
    expect(made).to.include({ product_id: null, version: 1, status: 'active' });
    const { body } = await platform.request('GET /api/v1/datasets', { key: buyer.key });
    expect(body.datasets[0]).to.include({
      dataset_id: id,
      title: 'Cities of Norway',
      type: 'json',
      price: 0,
      product_id: null,
      row_count: 2,
      size_bytes: JSON.stringify(ROWS).length,
      status: 'active',
      version: 1,
    });
    expect(body.datasets[0], 'checks are of the seller').not.to.have.property('newest');

    for (const _ of [1, 2]) {
      const opened = await access(platform, buyer, id);
      expect(opened.headers.get('cache-control')).to.equal('no-store');
      expect(opened.body).to.deep.equal({
        dataset_id: id,
        version: 1,
        type: 'json',
        status: 'active',
        untrusted: true,
        data: ROWS,
        row_count: 2,
        sha256: createHash('sha256').update(JSON.stringify(ROWS)).digest('hex'),
        next_cursor: null,
        has_more: false,
      });
    }
    expect(await openings(id)).to.deep.equal([{ agent_id: buyer.id }, { agent_id: buyer.id }]);
    expect(await eventsAbout(buyer, id)).to.deep.equal(['dataset.accessed']);
    expect(await eventsAbout(seller, id)).to.deep.equal(['dataset.active', 'dataset.accessed']);
  });

  it('are sealed, and no event or job holds what they deliver', async () => {
    const canary = `CANARY-${Math.random()}`;
    const { dataset_id: id } = await offer(platform, seller, { data: [{ canary }] });
    expect((await access(platform, buyer, id)).text).to.include(canary);
    const [{ found }] = await platform.query(
      `select exists (select from dataset_part where position($1::bytea in content) > 0)
           or exists (select from event where data::text like '%' || $2 || '%')
           or exists (select from job where answer::text like '%' || $2 || '%') as found`,
      [Buffer.from(canary), canary],
    );
    expect(found).to.equal(false);
  });

  it('with a price are opened by their seller, and by buyers once they have paid', async () => {
    const { dataset_id: id, product_id } = await offer(platform, seller, { price: 2 });
    expect(await refusalOf(access(platform, buyer, id))).to.equal('403 forbidden');
    expect((await access(platform, seller, id)).status).to.equal(200);

    const order = await buy(platform, buyer, { id: product_id });
    const vault = await platform.request(`GET /vault/${order}`, { key: buyer.key });
    expect(vault.body.category).to.equal('dataset');
    expect(JSON.parse(vault.body.items[0].content)).to.include({
      dataset_id: id,
      access: `GET /api/v1/datasets/${id}/access`,
    });
    expect((await access(platform, buyer, id)).body.data).to.deep.equal(ROWS);
    const parent = await access(platform, await childOf(platform, buyer), id);
    expect(parent.status, 'what its parent has bought is not for a child').to.equal(403);
    for (const other of [await platform.agent(), await childOf(platform, seller)]) {
      expect(await refusalOf(access(platform, other, id))).to.equal('403 forbidden');
    }
  });

  it('that were opened cannot be given back unseen, and those that were given back not be opened', async () => {
    const { dataset_id: id, product_id } = await offer(platform, seller, { price: 1 });
    const giveBack = (order: number) =>
      platform.request(`POST /api/v1/orders/${order}/refund`, { key: buyer.key });

    const unseen = await buy(platform, buyer, { id: product_id });
    expect((await giveBack(unseen)).body.status).to.equal('refunded');
    expect(await refusalOf(access(platform, buyer, id))).to.equal('403 forbidden');

    const seen = await buy(platform, buyer, { id: product_id });
    expect((await access(platform, buyer, id)).status).to.equal(200);
    expect(await refusalOf(giveBack(seen))).to.equal('409 invalid_transition');
    const key = seller.key;
    await platform.request(`POST /api/v1/orders/${seen}/refund`, { key });
    expect(await refusalOf(access(platform, buyer, id))).to.equal('403 forbidden');
  });

  it('are not both opened and given back, whatever happens at once', async () => {
    const { dataset_id: id, product_id } = await offer(platform, seller, { price: 0.1 });
    for (const _ of [1, 2, 3, 4, 5]) {
      const order = await buy(platform, buyer, { id: product_id });
      const [opened, refunded] = await Promise.all([
        access(platform, buyer, id),
        platform.request(`POST /api/v1/orders/${order}/refund`, { key: buyer.key }),
      ]);
      expect([opened.status, refunded.status]).to.be.deep.oneOf([
        [200, 409],
        [403, 200],
      ]);
      await platform.request(`POST /api/v1/orders/${order}/refund`, { key: seller.key });
    }
  });

  it('are not offered by an agent that is suspended', async () => {
    const agent = await platform.agent();
    await suspend(platform, agent);
    expect(await refusalOf(create(platform, agent))).to.equal('403 agent_suspended');
    const { body } = await platform.request('GET /api/v1/datasets?mine=true', { key: agent.key });
    expect(body.datasets).to.deep.equal([]);
  });

  it('must have what their type delivers, and nothing else', async () => {
    for (const [fields, pointer] of [
      [{ type: 'json' }, '/data'],
      [{ data: ROWS, url: { url: 'https://example.com/' } }, '/url'],
      [{ type: 'url', url: { url: 'ftp://example.com/' } }, '/url/url'],
      [{ type: 'url', url: { url: 'https://u:p@example.com/' } }, '/url/url'],
      [{ type: 'url', url: { url: 'https://:p@example.com/' } }, '/url/url'],
      [{ data: [] }, '/data'],
      [{ data: [{ n: 1 }, {}] }, '/data/1'],
    ] as const) {
      const { status, body } = await create(platform, seller, fields);
      expect(status, JSON.stringify(fields)).to.equal(422);
      expect(body.details.fields.map((one: { pointer: string }) => one.pointer)).to.include(
        pointer,
      );
    }
  });
});
