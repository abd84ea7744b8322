import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { openScene, type Agent, type Scene } from '../approvals/scene.ts';
import { TestPlatform } from '../harness.ts';
import { quotesOf, type Kind } from './quoting.ts';
import { runSweep } from './trade.ts';

describe('a quote whose purchase waits for an owner', () => {
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
  const { meet, quote, preview, buy, change, vaultOf, stockOf } = quotesOf(() => platform);

  async function waiting(kind: Kind) {
    const { seller, product } = await meet(kind);
    const { root, child } = await scene.family();
    const asked = await preview(child, { product_id: product.id });
    expect(asked.body).to.include({ held: true, needs_approval: true });
    const { quote_id } = asked.body;
    const { status, body } = await buy(child, { quote_id });
    expect([status, body.status]).to.deep.equal([202, 'approval_required']);
    return { seller, product, root, child, quote_id, asked: body };
  }
  const orderOf = async (agent: Agent, id: number) =>
    (await scene.call(`GET /api/v1/orders/${id}`, agent)).body;
  const lapse = (id: number) =>
    platform.query(
      `with quoted as (update quote set expires_at = now() - interval '1 second' where id = $1)
       update pending_order set reserved_until = now() - interval '1 second' where id = $1`,
      [id],
    );

  for (const kind of ['serial_pool', 'counted', 'unlimited'] as const) {
    it(`is the order that waits, keeps its units and price, and is bought: ${kind}`, async () => {
      const { seller, product, root, child, quote_id, asked } = await waiting(kind);
      expect(await orderOf(child, quote_id)).to.include({
        order_id: quote_id,
        status: 'pending_approval',
        total_due: 1.1,
        approval_id: asked.approval_id,
      });
      if (kind !== 'unlimited') expect(await stockOf(seller, product)).to.deep.equal([0, 1, 0]);
      const again = await buy(child, { quote_id });
      expect([again.status, again.body.approval_id]).to.deep.equal([202, asked.approval_id]);
      const keyed = await buy(child, { quote_id }, { 'idempotency-key': 'other' });
      expect([keyed.status, keyed.body.error]).to.deep.equal([409, 'invalid_transition']);
      await change(seller, product, { price: 2, active: false });
      await scene.decide(root, asked.approval_id, 'approve');
      const { result } = await scene.ended(asked, child);
      expect(result).to.include({ order_id: quote_id, status: 'escrow', total_due: 1.1 });
      expect(await vaultOf(child, quote_id)).to.deep.equal([product.delivers[0]]);
      expect(await platform.balance(root)).to.be.closeTo(3.9, 1e-9);
    });

    for (const decision of ['deny', 'cancel'] as const) {
      it(`is over when it is refused, and its units are free: ${kind}, ${decision}`, async () => {
        const { seller, product, root, child, quote_id, asked } = await waiting(kind);
        await scene.decide(decision === 'deny' ? root : child, asked.approval_id, decision);
        expect(await orderOf(child, quote_id)).to.include({ status: 'cancelled' });
        const { body } = await buy(child, { quote_id });
        expect([body.error, body.details.status]).to.deep.equal(['invalid_transition', 'expired']);
        if (kind !== 'unlimited') expect(await stockOf(seller, product)).to.deep.equal([1, 0, 0]);
        expect(await platform.balance(root)).to.equal(5);
      });
    }

    it(`is bought late only by the same terms: ${kind}`, async () => {
      const same = await waiting(kind);
      await lapse(same.quote_id);
      await runSweep(platform, 'release_reservations');
      await scene.decide(same.root, same.asked.approval_id, 'approve');
      const bought = await scene.ended(same.asked, same.child);
      expect(bought.result, JSON.stringify(bought)).to.include({ order_id: same.quote_id });

      const other = await waiting(kind);
      await lapse(other.quote_id);
      await change(other.seller, other.product, { price: 0.9 });
      await scene.decide(other.root, other.asked.approval_id, 'approve');
      const { error } = await scene.ended(other.asked, other.child);
      expect([error.error, error.details.status]).to.deep.equal(['invalid_transition', 'expired']);
      expect(await orderOf(other.child, other.quote_id)).to.include({ status: 'cancelled' });
      if (kind !== 'unlimited') {
        expect(await stockOf(other.seller, other.product)).to.deep.equal([1, 0, 0]);
      }
      expect(await platform.balance(other.root)).to.equal(5);
    });
  }

  it('is refused late when its units are sold', async () => {
    const { root, child, product, quote_id, asked } = await waiting('serial_pool');
    await lapse(quote_id);
    const other = await platform.agent({ usd: 5 });
    expect((await buy(other, { product_id: product.id })).status).to.equal(200);
    await scene.decide(root, asked.approval_id, 'approve');
    expect((await scene.ended(asked, child)).error.error).to.equal('out_of_stock');
    expect(await platform.balance(root)).to.equal(5);
  });

  it('would wait, says a dry run, and stays as it is', async () => {
    const { product } = await meet('counted');
    const { child } = await scene.family();
    const quote_id = await quote(child, { product_id: product.id });
    const { body } = await buy(child, { quote_id, dry_run: true });
    expect(body.would).to.equal('wait_for_approval');
    expect(
      await platform.query('select status, holds from quote where id = $1', [quote_id]),
    ).to.eql([{ status: 'open', holds: true }]);
    expect((await buy(child, { quote_id })).status).to.equal(202);
    // Another call by the same quote is refused, and its dry run says so.
    const other = { quote_id, max_total_due: 9 };
    const refused = (await buy(child, other)).body;
    expect(refused).to.deep.include({
      error: 'invalid_transition',
      details: { status: 'waiting' },
    });
    const { error, message, details } = refused;
    expect((await buy(child, { ...other, dry_run: true })).body).to.deep.include({
      would: 'be_refused',
      refusal: { error, message, details },
    });
  });
});
