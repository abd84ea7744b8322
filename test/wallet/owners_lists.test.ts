import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';
import { done } from '../tasks/board.ts';

/** Lists that show what is of one tree, or of one agent of it. */
describe('the list of', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const get = async (path: string, { key }: { key: string }) =>
    done(await platform.request(`GET /api/v1/${path}`, { key }));

  it('withdrawals and of addresses that were paid has those of its owner', async () => {
    for (const amount of [1, 2]) {
      const agent = await platform.agent({ usd: 5 });
      const address = `0x${String(amount).repeat(40)}`;
      const body = { amount, address };
      done(await platform.request('POST /api/v1/wallet/withdrawals', { key: agent.key, body }));
      const { withdrawals } = await get('wallet/withdrawals', agent);
      expect(withdrawals.map((one: { amount: number }) => one.amount)).to.deep.equal([amount]);
      const { addresses } = await get('wallet/payout-addresses', agent);
      expect(addresses.map((one: { address: string }) => one.address)).to.deep.equal([address]);
    }
  });

  it('deposits has those of the tree for its root, and its own for a child', async () => {
    const root = await platform.agent({ usd: 3 });
    const child = await childOf(platform, root);
    await platform.agent({ usd: 4 });
    const [{ id }] = await platform.query(
      `insert into deposit (rail, network, tx_id, status, waits_for, look_at, asset, amount,
                            agent_id, root_id, sender, recipient, position, paid_at, bound_by)
       values ('base', 'test', 'of-a-child', 'detected', 'Its block is not final.', now(), 'USDC',
               1, $1, $2, $3, $3, 1, now(), 'reference') returning id`,
      [child.id, root.id, `0x${'cd'.repeat(20)}`],
    );
    const amountsOf = async (agent: { key: string }) =>
      (await get('wallet/deposits', agent)).deposits.map((one: { usd: number | null }) => one.usd);
    expect(await amountsOf(root), String(id)).to.deep.equal([null, 3]);
    expect(await amountsOf(child)).to.deep.equal([null]);
    expect(await amountsOf(await childOf(platform, root))).to.deep.equal([]);
  });

  it('products of a whole tree is in order, with fewer on a page than agents have some', async () => {
    const root = await platform.agent();
    const agents = [root, ...(await Promise.all([1, 2, 3].map(() => childOf(platform, root))))];
    const made: number[] = [];
    for (const agent of [...agents, agents[1]!, root]) {
      made.unshift((await platform.product(agent)).id);
    }
    const listed: number[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await get(`products/mine?below=true&limit=1${cursor}`, root);
      listed.push(...page.products.map((one: { product_id: number }) => one.product_id));
      cursor = page.next_cursor && `&cursor=${page.next_cursor}`;
    }
    expect(listed).to.deep.equal(made);
    const own = await get('products/mine?below=true', agents[1]!);
    expect(own.count).to.equal(2);
  });

  it('webhooks has those of its owner', async () => {
    for (const name of ['a', 'b']) {
      const { key } = await platform.agent();
      const body = { url: `https://${name}.example/hook` };
      done(await platform.request('POST /api/v1/webhooks', { key, body }));
      const { webhooks } = await get('webhooks', { key });
      expect(webhooks.map((one: { url: string }) => one.url)).to.deep.equal([body.url]);
    }
  });
});
