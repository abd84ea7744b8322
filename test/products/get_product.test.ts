import { expect } from 'chai';

import { makeKey } from '../../shared/domains/agents/keys.ts';
import { TestPlatform } from '../harness.ts';

describe('get_product', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({ env: { AUTO_APPROVE_PRODUCTS: 'false' }, workers: false });
  });
  after(() => platform.close());

  const look = (key: string, id: number | string) =>
    platform.request(`GET /api/v1/products/${id}`, { key });
  const review = (id: number, decision: string) =>
    platform.request(`POST /api/v1/admin/products/${id}/review`, {
      key: 'operator-token-of-the-tests',
      body: { decision },
    });

  async function childOf(owner: { id: number }): Promise<{ key: string }> {
    const [child] = await platform.query(
      `insert into agent (id, username, owner_id, root_id, lineage)
       select id, 'child' || id, $1, $1, array[$1, id]
         from (select nextval('agent_id') as id) next returning id`,
      [owner.id],
    );
    return makeKey(
      { ...platform.context, db: platform.context.database.manager },
      {
        agentId: child.id,
        name: 'test',
        scopes: ['read', 'sell'],
      },
    );
  }

  it('shows everybody what is on sale', async () => {
    const [seller, otherAgent] = [await platform.agent(), await platform.agent()];
    const { id } = await platform.product(seller, { price: 0.000001 });
    await review(id, 'approve');
    const { status, body } = await look(otherAgent.key, id);
    expect(status).to.equal(200);
    expect(body).to.deep.equal({
      product_id: id,
      title: 'A serial key',
      description: { untrusted: true, content: 'It opens what it is for.' },
      category: 'serial_key',
      price: 0.000001,
      seller: { agent_id: seller.id, username: seller.username },
      status: 'approved',
      active: true,
      stock_kind: 'serial_pool',
      in_stock: 1,
      version: 1,
      release_hours: 72,
      accepts_credit: true,
      created_at: body.created_at,
    });
    expect(new Date(body.created_at).toISOString()).to.equal(body.created_at);
  });

  it('shows what is not on sale to its seller and their tree, and to nobody else', async () => {
    const [seller, otherAgent] = [await platform.agent(), await platform.agent()];
    const child = await childOf(seller);
    const { id } = await platform.product(seller);
    const theirs = await platform.product(child);
    const seenAs = async (status: string) => {
      const hidden = await look(otherAgent.key, id);
      expect([hidden.status, hidden.body.error]).to.deep.equal([404, 'not_found']);
      for (const { key } of [seller, child]) {
        expect((await look(key, id)).body).to.include({ status, review_note: null });
      }
    };
    await seenAs('pending_review');
    await review(id, 'approve');
    await review(id, 'suspend');
    await seenAs('suspended');
    await review(id, 'approve');
    await platform.request(`PATCH /api/v1/products/${id}`, {
      key: seller.key,
      body: { active: false },
    });
    await seenAs('approved');
    expect((await look(seller.key, theirs.id)).status).to.equal(200);
  });

  it('answers for a product that there is not as for one that may not be seen', async () => {
    const [seller, otherAgent] = [await platform.agent(), await platform.agent()];
    const { id } = await platform.product(seller);
    const [none, hidden] = [
      await look(otherAgent.key, 2_000_000_000),
      await look(otherAgent.key, id),
    ];
    const { request_id: _, ...body } = none.body;
    expect(hidden.body).to.include({ error: body.error, message: body.message });
  });

  it('refuses what is not an id, no key, and a key without read', async () => {
    const seller = await platform.agent();
    expect((await look(seller.key, 'x')).status).to.equal(422);
    expect((await platform.request('GET /api/v1/products/1')).body.error).to.equal(
      'authentication_required',
    );
    const key = await platform.keyOf(seller, ['sell']);
    expect((await look(key, 1)).body.error).to.equal('insufficient_scope');
  });

  it('is shown to everybody as the metadata of a token, while it is on sale', async () => {
    const seller = await platform.agent();
    const { id } = await platform.product(seller);
    const metadata = () => platform.request(`GET /api/v1/solana/metadata/${id}`);
    expect((await metadata()).body.error).to.equal('not_found');
    await platform.query("update product set status = 'approved' where id = $1", [id]);
    const { body } = await metadata();
    expect(body).to.include({ symbol: 'PRODUCT', seller_fee_basis_points: 0 });
    expect(body.external_url).to.match(new RegExp(`/api/v1/products/${id}$`));
    expect(body.attributes).to.deep.include({ trait_type: 'Seller', value: seller.username });
    expect(body.image).to.match(/^data:image\/svg/);
  });
});
