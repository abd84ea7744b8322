import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { childOf } from '../agents/child.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { inQueue } from '../in_queue.ts';
import { openScene, type Agent, type Scene } from './scene.ts';

const GOES = 'escrow';

describe('a call for which an owner is needed', () => {
  let platform: TestPlatform;
  let scene: Scene;
  before(async () => {
    platform = await TestPlatform.open();
    scene = await openScene(platform);
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  describe('after it was approved', () => {
    /** A call that waits while something changes, and is approved then. */
    async function approvedAfter(
      change: (family: { root: Agent; child: Agent }) => Promise<unknown>,
    ) {
      const family = await scene.family();
      const asked = await scene.ask(family.child);
      await change(family);
      await scene.decide(family.root, asked.approval_id, 'approve');
      const job = await scene.ended(asked, family.child);
      return { ...family, asked, code: job.error?.error ?? job.result?.status };
    }

    for (const [code, policy] of [
      ['tx_limit_exceeded', { max_spend_per_tx: 0.1 }],
      ['daily_limit_exceeded', { daily_spend_limit: 0.1 }],
      ['product_type_not_allowed', { allowed_product_types: 'dataset' }],
      [GOES, { approval_threshold: null }],
      [GOES, { governance_level: 'medium', new_seller_threshold: 0 }],
    ] as const) {
      it(`is judged by the policy of then: ${JSON.stringify(policy)}`, async () => {
        const found = await approvedAfter(({ root, child }) => scene.set(root, child, policy));
        expect(found.code).to.equal(code);
        const balance = code === GOES ? 5 - 0.11 : 5;
        expect(await platform.balance(found.root)).to.be.closeTo(balance, 1e-9);
      });
    }

    it('is refused while its agent is suspended', async () => {
      const { root, code } = await approvedAfter(({ root, child }) =>
        scene.call(`POST /agent/monitor/${child.id}/suspend`, root, {}),
      );
      expect([code, await platform.balance(root)]).to.deep.equal(['agent_suspended', 5]);
    });

    it('is refused when it costs more by then, and costs what it costs when that is less', async () => {
      const goods = { stock_kind: 'unlimited', content: 'It.', price: 0.2 };
      const product = await platform.product(scene.seller, goods);
      const { root, child } = await scene.family();
      for (const [price, expected, balance] of [
        [0.3, 'price_changed', 5],
        [0.1, GOES, 5 - 0.11],
      ] as const) {
        const order = { product_id: product.id };
        const { body: asked } = await scene.call('POST /api/v1/orders', child, order);
        const route = `PATCH /api/v1/products/${product.id}`;
        await scene.call(route, scene.seller, { price });
        await scene.decide(root, asked.approval_id, 'approve');
        const job = await scene.ended(asked, child);
        expect(job.error?.error ?? job.result.status).to.equal(expected);
        expect(await platform.balance(root)).to.be.closeTo(balance, 1e-9);
        await scene.call(route, scene.seller, { price: 0.2 });
      }
    });

    it('asks a higher policy that asks by then, and is performed when that is approved too', async () => {
      const root: Agent = await platform.agent({ usd: 4.5 });
      const lead: Agent = await childOf(platform, root);
      const child: Agent = await childOf(platform, lead);
      await scene.set(lead, child, { approval_threshold: 0 });
      const asked = await scene.ask(child);
      await scene.set(root, lead, { approval_threshold: 0 });
      await scene.decide(lead, asked.approval_id, 'approve');
      const [second] = await eventually(
        () => scene.list(root),
        ({ length }) => length > 0,
      );
      expect(second!.approval_id).not.to.equal(asked.approval_id);
      const { body } = await scene.decide(lead, second!.approval_id, 'approve');
      expect(body.error).to.equal('forbidden');
      await scene.decide(root, second!.approval_id, 'approve');
      expect((await scene.ended(asked, child)).status).to.equal('complete');
    });
  });

  it('asks nobody about what could not be bought anyway', async () => {
    const { child } = await scene.family();
    const dear = await platform.product(scene.seller, { items: ['one'], price: 100 });
    const order = { product_id: dear.id };
    const poor = await scene.call('POST /api/v1/orders', child, order);
    expect(poor.body.error).to.equal('insufficient_balance');
    const few = await scene.call('POST /api/v1/orders', child, { ...order, quantity: 2 });
    expect(few.body.error).to.equal('out_of_stock');
  });

  it('refuses what cannot wait, and sells a part where a caller wants that', async () => {
    const { root, child } = await scene.family(0.005);
    const partial = await scene.call('GET /api/v1/proxy/list?limit=10&partial=true', child);
    expect([partial.body.count, partial.body.charged]).to.deep.equal([5, 0.005]);
    await scene.set(root, child, { approval_threshold: 0.006 });
    const batch = await scene.spend('a batch of addresses', child);
    expect(batch.body).to.include({ status: 'complete', charged: 0.006 });
  });

  const waiting = ({ id }: { id: number }, calls: number) =>
    platform.query(
      `insert into approval (job_id, agent_id, root_id, policy_of, rule, asks_above, operation,
                             amount, product_type, quantity, expires_at)
       select gen_random_uuid(), id, root_id, id, 'approval_threshold', 0, 'validate_email', 2000,
              'api_service', 1, now() + interval '1 day'
         from agent, generate_series(1, $2) where id = $1`,
      [id, calls],
    );

  it('lets a hundred calls of an agent wait, and no more', async () => {
    const { child } = await scene.family();
    await waiting(child, 100);
    const { status, body } = await scene.spend('purchase', child);
    expect([status, body.error]).to.deep.equal([429, 'rate_limited']);
    await platform.query('delete from approval where agent_id = $1', [child.id]);
    await scene.ask(child);
  });

  it('lets the hundredth call of an agent wait, and not another that comes with it', async () => {
    const { child } = await scene.family();
    await waiting(child, 99);
    const lock = `select from agent where id = ${child.id} for no key update`;
    const replies = await inQueue(platform, lock, [
      () => scene.spend('an address', child),
      () => scene.spend('a batch of addresses', child),
    ]);
    const codes = replies.map(({ status, body }) => [status, body.error ?? body.status]);
    expect(codes).to.deep.equal([
      [202, 'approval_required'],
      [429, 'rate_limited'],
    ]);
    await platform.query(
      `delete from approval where agent_id = $1
          and not exists (select from job where job.id = approval.job_id)`,
      [child.id],
    );
  });
});
