import { expect } from 'chai';

import { TestPlatform } from '../harness.ts';
import { childOf } from './child.ts';

const ROUTE = 'GET /api/v1/agent/children';

describe('list_children', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open()));
  after(() => platform.close());

  const list = async (key: string, query = '') =>
    (await platform.request(`${ROUTE}${query}`, { key })).body;
  const idsOf = (body: { children: { agent_id: number }[] }) =>
    body.children.map(({ agent_id }) => agent_id);

  it('lists all below the caller, newest first, and nobody else', async () => {
    const [root, other] = [await platform.agent(), await platform.agent()];
    const child = await childOf(platform, root);
    const sibling = await childOf(platform, root);
    const grandchild = await childOf(platform, child);
    await childOf(platform, other);
    const all = await list(root.key);
    expect(idsOf(all)).to.deep.equal([grandchild.id, sibling.id, child.id]);
    expect(all.children[0].owner_id).to.equal(child.id);
    expect(idsOf(await list(child.key))).to.deep.equal([grandchild.id]);
    expect(idsOf(await list(grandchild.key))).to.deep.equal([]);
  });

  it('shows its name, what its keys allow, and what it spent today', async () => {
    const root = await platform.agent({ usd: 10 });
    const body = { agent_name: 'shopper', permissions: ['buy', 'read'] };
    const made = await platform.request('POST /api/v1/agent/spawn', { key: root.key, body });
    const goods = { stock_kind: 'unlimited', content: 'It.', price: 1 };
    const { id } = await platform.product(await platform.agent(), goods);
    const { key } = made.body.api_key;
    await platform.request('POST /api/v1/orders', { key, body: { product_id: id } });
    const { children } = await list(root.key);
    expect(children).to.have.length(1);
    expect(children[0]).to.deep.include({
      agent_id: made.body.agent.agent_id,
      agent_name: 'shopper',
      username: `${root.username}/shopper`,
      owner_id: root.id,
      status: 'active',
      permissions: ['read', 'buy'],
      spent_today: 1.1,
    });
    await platform.query('update spend set day = day - 1 where root_id = $1', [root.id]);
    expect((await list(root.key)).children[0].spent_today).to.equal(0);
  });

  it('sorts, counts, and finds by status and by a part of the name', async () => {
    const root = await platform.agent();
    const made: number[] = [];
    for (const agent_name of ['scout-10', 'Scout-9', 'quill']) {
      const sent = { key: root.key, body: { agent_name } };
      made.push((await platform.request('POST /api/v1/agent/spawn', sent)).body.agent.agent_id);
    }
    const [ten, nine, quill] = made;
    await platform.query(
      `update spend set day = (now() at time zone 'UTC')::date, amount = 5 where agent_id = $1`,
      [nine],
    );
    await platform.query(`update agent set status = 'suspended' where id = $1`, [ten]);
    const listed = async (query: string) => {
      const body = await list(root.key, `?${query}`);
      return [idsOf(body), body.total_count];
    };
    expect(await listed('sort=newest')).to.deep.equal([[quill, nine, ten], 3]);
    expect(await listed('sort=oldest')).to.deep.equal([[ten, nine, quill], 3]);
    expect(await listed('sort=name')).to.deep.equal([[quill, nine, ten], 3]);
    expect(await listed('sort=spent_desc&limit=2')).to.deep.equal([[nine, quill], 3]);
    expect(await listed('name=SCOUT')).to.deep.equal([[nine, ten], undefined]);
    expect(await listed('name=SCOUT&status=active&sort=name')).to.deep.equal([[nine], 1]);
    // The name of the root is no part of it.
    expect(await listed(`name=${root.username}&sort=name`)).to.deep.equal([[], 0]);
  });

  it('pages', async () => {
    const root = await platform.agent();
    for (let n = 0; n < 3; n += 1) await childOf(platform, root);
    const first = await list(root.key, '?limit=2');
    expect([first.count, first.has_more]).to.deep.equal([2, true]);
    const rest = await list(root.key, `?limit=2&cursor=${first.next_cursor}`);
    expect([rest.count, rest.has_more, rest.next_cursor]).to.deep.equal([1, false, null]);
    expect(new Set([...idsOf(first), ...idsOf(rest)]).size).to.equal(3);
  });
});
