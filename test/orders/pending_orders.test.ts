import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { childOf } from '../agents/child.ts';
import { openScene, type Agent, type Scene } from '../approvals/scene.ts';
import { TestPlatform } from '../harness.ts';
import { eventsOf, runTimer, runSweep } from './trade.ts';

describe('a purchase that waits for an owner', () => {
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

  const KINDS = {
    serial_pool: { price: 0.1 },
    counted: { stock_kind: 'counted', quantity: 1, content: 'It.', price: 0.1 },
  };
  /** A product of one unit. */
  const lastUnit = async (kind: keyof typeof KINDS = 'serial_pool') =>
    (await platform.product(scene.seller, KINDS[kind])).id;
  const buy = (agent: Agent, product_id: number, fields = {}, headers = {}) =>
    scene.call('POST /api/v1/orders', agent, { product_id, ...fields }, headers);
  const orderOf = async (agent: Agent, id: number) =>
    (await scene.call(`GET /api/v1/orders/${id}`, agent)).body;
  const lastOrder = async (agent: Agent) =>
    (await scene.call('GET /api/v1/orders', agent)).body.orders[0];
  const stockOf = async (id: number) => {
    const { body } = await scene.call(`GET /api/v1/products/${id}/stock`, scene.seller);
    return [body.available, body.reserved, body.sold];
  };
  const expireIn = (approval: number, seconds: number) =>
    platform.query(
      `update approval set expires_at = now() + $2 * interval '1 second' where id = $1`,
      [approval, seconds],
    );

  async function asking(kind: keyof typeof KINDS = 'serial_pool') {
    const { root, child } = await scene.family();
    const product = await lastUnit(kind);
    const { status, body: asked } = await buy(child, product);
    expect([status, asked.status]).to.deep.equal([202, 'approval_required']);
    return { root, child, product, asked, order: await lastOrder(child) };
  }

  for (const kind of Object.keys(KINDS) as (keyof typeof KINDS)[]) {
    it(`has its units, which nobody else buys, and becomes the order that it showed: ${kind}`, async () => {
      const { root, child, product, asked, order } = await asking(kind);
      expect(order).to.deep.include({
        product_id: product,
        quantity: 1,
        total_due: 0.11,
        credit: 0,
        cash: 0,
        status: 'pending_approval',
        release_at: null,
        approval_id: asked.approval_id,
        available_actions: ['cancel_approval'],
      });
      expect(order.deadlines.map(({ happens }: { happens: string }) => happens)).to.deep.equal([
        'The units are no longer reserved for this order.',
        'The purchase is refused.',
      ]);
      const minutes = (Date.parse(order.deadlines[0].at) - Date.parse(order.created_at)) / 60_000;
      expect(minutes).to.be.within(13, 15);
      expect(await stockOf(product)).to.deep.equal([0, 1, 0]);
      const other = await platform.agent({ usd: 5 });
      expect((await buy(other, product)).body.error).to.equal('out_of_stock');
      expect((await orderOf(other, order.order_id)).error).to.equal('not_found');
      expect((await orderOf(scene.seller, order.order_id)).error).to.equal('not_found');
      expect(await orderOf(root, order.order_id)).to.deep.include({
        status: 'pending_approval',
        available_actions: [],
      });
      for (const route of ['POST /api/v1/orders/:id/confirm', 'GET /vault/:id']) {
        const path = route.replace(':id', String(order.order_id));
        const { body } = await scene.call(path, child, path.startsWith('POST') ? {} : undefined);
        expect([body.error, body.details.status]).to.eql(['invalid_transition', order.status]);
      }

      await scene.decide(root, asked.approval_id, 'approve');
      const { result } = await scene.ended(asked, child);
      expect(result).to.include({ order_id: order.order_id, status: 'escrow' });
      expect(await lastOrder(child)).to.include({ order_id: order.order_id, status: 'escrow' });
      expect(await stockOf(product)).to.deep.equal([0, 0, 1]);
      expect((await scene.call(`GET /vault/${order.order_id}`, child)).body.items).to.have.length(
        1,
      );
      expect(await platform.balance(root)).to.be.closeTo(4.89, 1e-9);
    });

    for (const [end, becomes] of Object.entries({
      deny: 'cancelled',
      cancel: 'cancelled',
      expire: 'expired',
    })) {
      it(`gives its units back when it is refused: ${kind}, ${end}`, async () => {
        const { root, child, product, asked, order } = await asking(kind);
        if (end === 'expire') {
          await expireIn(asked.approval_id, -1);
          await runTimer(platform, 'expire_approvals');
        } else {
          const by = end === 'deny' ? root : child;
          await scene.decide(by, asked.approval_id, end as 'deny' | 'cancel');
        }
        expect(await orderOf(child, order.order_id)).to.deep.include({
          status: becomes,
          approval_id: null,
          available_actions: [],
          deadlines: [],
        });
        expect(await stockOf(product)).to.deep.equal([1, 0, 0]);
        expect(await eventsOf(platform, child)).to.include.members([
          'order.pending_approval',
          `order.${becomes}`,
        ]);
        const { body } = await buy(await platform.agent({ usd: 5 }), product);
        expect(body.status).to.equal('escrow');
      });
    }

    it(`loses its units after a quarter of an hour, and waits on: ${kind}`, async () => {
      const { root, child, product, asked, order } = await asking(kind);
      expect(await runSweep(platform, 'release_reservations')).to.deep.equal({
        released: 0,
        failed: 0,
      });
      await platform.query(
        `update pending_order set reserved_until = now() - interval '1 second' where id = $1`,
        [order.order_id],
      );
      expect(await runSweep(platform, 'release_reservations')).to.deep.equal({
        released: 1,
        failed: 0,
      });
      expect(await eventsOf(platform, child)).to.include('order.reservation_ended');
      expect(await stockOf(product)).to.deep.equal([1, 0, 0]);
      const waiting = await orderOf(child, order.order_id);
      expect([waiting.status, waiting.deadlines.length]).to.deep.equal(['pending_approval', 1]);
      expect((await buy(await platform.agent({ usd: 5 }), product)).status).to.equal(200);
      await scene.decide(root, asked.approval_id, 'approve');
      expect((await scene.ended(asked, child)).error?.error).to.equal('out_of_stock');
      expect(await orderOf(child, order.order_id)).to.include({ status: 'cancelled' });
      expect(await stockOf(product), 'nothing more').to.deep.equal([0, 0, 1]);
    });
  }

  it('gives its units back when it is approved and refused then', async () => {
    const { root, child, product, asked, order } = await asking();
    await scene.call(`PATCH /api/v1/products/${product}`, scene.seller, { price: 0.2 });
    await scene.decide(root, asked.approval_id, 'approve');
    expect((await scene.ended(asked, child)).error.error).to.equal('price_changed');
    expect(await orderOf(child, order.order_id)).to.include({ status: 'cancelled' });
    expect(await stockOf(product)).to.deep.equal([1, 0, 0]);
  });

  it('keeps its units while it asks a higher policy too', async () => {
    const root: Agent = await platform.agent({ usd: 4.5 });
    const lead: Agent = await childOf(platform, root);
    const child: Agent = await childOf(platform, lead);
    await scene.set(lead, child, { approval_threshold: 0 });
    const product = await lastUnit();
    const { body: asked } = await buy(child, product);
    await scene.set(root, lead, { approval_threshold: 0 });
    await scene.decide(lead, asked.approval_id, 'approve');
    const job = await scene.call(`GET ${asked.poll}?wait=5`, child);
    const second = job.body.approval.approval_id;
    expect(second).not.to.equal(asked.approval_id);
    expect(await lastOrder(child)).to.include({ status: 'pending_approval', approval_id: second });
    expect(await stockOf(product)).to.deep.equal([0, 1, 0]);
    await scene.decide(root, second, 'approve');
    expect((await scene.ended(asked, child)).status).to.equal('complete');
  });

  it('takes no other units than those that it has reserved', async () => {
    const { root, child } = await scene.family();
    const { id } = await platform.product(scene.seller, { ...KINDS.counted, quantity: 5 });
    const { body: asked } = await buy(child, id, { quantity: 2 });
    const { order_id } = await lastOrder(child);
    await scene.decide(root, asked.approval_id, 'approve');
    expect((await scene.ended(asked, child)).result).to.include({ order_id });
    expect(await stockOf(id)).to.deep.equal([3, 0, 2]);
  });

  it('reserves no more than its tree can pay for', async () => {
    const { child } = await scene.family();
    const { id } = await platform.product(scene.seller, {
      ...KINDS.counted,
      quantity: 100,
      price: 1,
    });
    for (const key of ['a', 'b']) await buy(child, id, { quantity: 3 }, { 'idempotency-key': key });
    expect(await stockOf(id)).to.deep.equal([97, 3, 0]);
    expect(await scene.list(child)).to.have.length(2);
    expect((await lastOrder(child)).deadlines).to.have.length(1);
  });

  it('is one of many that ask for the last units, and gets them or is refused', async () => {
    const families = await Promise.all(Array.from({ length: 4 }, () => scene.family()));
    const buyers = await Promise.all([1, 2].map(() => platform.agent({ usd: 5 })));
    for (const kind of Object.keys(KINDS) as (keyof typeof KINDS)[]) {
      const product = await lastUnit(kind);
      const replies = await Promise.all([
        ...families.map(({ child }) => buy(child, product)),
        ...buyers.map((buyer) => buy(buyer, product)),
      ]);
      const outcomes = replies.map(({ body }) => body.error ?? body.status);
      const lucky = outcomes.filter((outcome) => outcome !== 'out_of_stock');
      expect(lucky, outcomes.join()).to.have.length(1);
      const [available, reserved, sold] = await stockOf(product);
      expect([available, reserved + sold]).to.deep.equal([0, 1]);
    }
  });

  it('is approved or has expired, and never both', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { root, child, product, asked, order } = await asking();
      await expireIn(asked.approval_id, 0.05);
      const [decided] = await Promise.all([
        scene.decide(root, asked.approval_id, 'approve'),
        runTimer(platform, 'expire_approvals'),
        platform
          .query('update pending_order set reserved_until = now() where id = $1', [order.order_id])
          .then(() => runTimer(platform, 'release_reservations')),
      ]);
      await expireIn(asked.approval_id, -1).catch(() => undefined);
      await runTimer(platform, 'expire_approvals');
      const job = await scene.ended(asked, child);
      const isApproved = decided.status === 200;
      expect(job.result?.status ?? job.error.error).to.equal(
        isApproved ? 'escrow' : 'approval_expired',
      );
      expect(await stockOf(product)).to.deep.equal(isApproved ? [0, 0, 1] : [1, 0, 0]);
      expect(await platform.balance(root)).to.be.closeTo(isApproved ? 4.89 : 5, 1e-9);
    }
  });
});
