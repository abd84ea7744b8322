import { createHash } from 'node:crypto';

import { expect } from 'chai';

import { act, decide, OPERATOR_TOKEN, orderAs } from '../orders/deal.ts';
import { buy } from '../orders/trade.ts';
import { access, checked, rotate } from './offer.ts';
import { hashOf, openSoldScene, rowsOf, type SoldScene } from './sold_scene.ts';

describe('what was sold of a dataset', () => {
  let scene: SoldScene;
  before(async () => {
    scene = await openSoldScene();
  });
  after(() => scene.close());

  const evidenceOf = (order: number, path = '', key = OPERATOR_TOKEN) =>
    scene.platform.request(`GET /api/v1/admin/disputes/order/${order}${path}`, { key });

  it('is what its buyer gets until the deal is final, and new buyers what is new', async () => {
    const { platform, seller, buyer, sell, renew } = scene;
    const { dataset_id: id, product_id } = await sell();
    const order = await buy(platform, buyer, { id: product_id });
    await renew(id, 2);
    const sold = (await access(platform, buyer, id)).body;
    expect(sold).to.include({ version: 1, current_version: 2, sha256: hashOf(rowsOf(1)) });
    expect(sold.data).to.deep.equal(rowsOf(1));
    expect((await orderAs(platform, buyer, order)).dataset).to.include({
      dataset_id: id,
      version: 1,
      sha256: hashOf(rowsOf(1)),
    });
    const other = await platform.agent({ usd: 5 });
    await buy(platform, other, { id: product_id });
    const fresh = (await access(platform, other, id)).body;
    expect(fresh).to.include({ version: 2 }).and.not.have.property('current_version');
    expect(fresh.data).to.deep.equal(rowsOf(2));
    expect((await access(platform, seller, id)).body.version).to.equal(2);

    await act(platform, 'confirm_order', { orderId: order, key: buyer.key });
    expect((await access(platform, buyer, id)).body.data).to.deep.equal(rowsOf(2));
    expect((await orderAs(platform, buyer, order)).dataset.version).to.equal(1);
  });

  it('is delivered beside what is current, as its buyer asks, and no other version', async () => {
    const { platform, seller, buyer, sell, renew } = scene;
    const { dataset_id: id, product_id } = await sell();
    await buy(platform, buyer, { id: product_id });
    await renew(id, 2);
    await renew(id, 3);
    for (const version of [1, 3]) {
      expect((await access(platform, buyer, id, version)).body.data).to.deep.equal(rowsOf(version));
    }
    for (const [who, version] of [
      [buyer, 2],
      [buyer, 4],
      [seller, 1],
    ] as const) {
      const { status, body } = await access(platform, who, id, version);
      expect([status, body.error]).to.deep.equal([409, 'invalid_transition']);
      expect(body.details).to.deep.equal({ version: 3 });
    }
    const outsider = await platform.agent();
    expect((await access(platform, outsider, id, 1)).status).to.equal(403);
  });

  it('stays what it was when its seller renews it after a complaint, also for operators', async () => {
    const { platform, buyer, sell, renew, keptOf, forget } = scene;
    const { dataset_id: id, product_id } = await sell();
    const order = await buy(platform, buyer, { id: product_id });
    await act(platform, 'dispute_order', { orderId: order, key: buyer.key });
    await renew(id, 2);
    expect((await access(platform, buyer, id)).body.data).to.deep.equal(rowsOf(1));
    const hash = { sha256: hashOf(rowsOf(1)) };
    expect((await evidenceOf(order)).body.dataset).to.deep.equal({
      dataset_id: id,
      version: 1,
      current_version: 2,
      ...hash,
    });
    const kept = await evidenceOf(order, '/dataset');
    expect(kept.headers.get('cache-control')).to.equal('no-store');
    expect(kept.body).to.deep.include({ version: 1, current_version: 2, data: rowsOf(1), ...hash });
    expect(kept.body.sold_sha256).to.equal(hash.sha256);
    expect((await evidenceOf(order, '/dataset', buyer.key)).status).to.equal(401);
    const [logged] = await platform.query(
      `select object_id::int from audit_log where operation = 'disputed_dataset'
        order by id desc limit 1`,
    );
    expect(logged).to.deep.equal({ object_id: order });

    await forget(id);
    expect(await keptOf(id)).to.deep.equal([1, 2]);
    await decide(platform, order, { verdict: 'refund' });
    await forget(id);
    expect(await keptOf(id)).to.deep.equal([2]);
    expect((await evidenceOf(order, '/dataset')).body.error).to.equal('invalid_transition');
    const undisputed = await buy(platform, buyer, { id: product_id });
    expect((await evidenceOf(undisputed, '/dataset')).status).to.equal(404);
  });

  it('is the link that was sold, with its hash, while there is a newer one', async () => {
    const { platform, file, seller, buyer, sell } = scene;
    const url = { url: file.url };
    const { dataset_id: id } = await sell({ type: 'url', data: undefined, url });
    const { product_id } = await checked(platform, seller, id);
    const order = await buy(platform, buyer, { id: product_id });
    const sha256 = createHash('sha256').update('city\n').digest('hex');
    file.behave((res) => void res.end('another\n'));
    await rotate(platform, seller, id, { url: { url: `${file.url}?new` } });
    await checked(platform, seller, id);
    expect((await access(platform, buyer, id)).body).to.include({ version: 1, sha256, ...url });
    expect((await orderAs(platform, buyer, order)).dataset).to.include({ version: 1, sha256 });
    await act(platform, 'dispute_order', { orderId: order, key: buyer.key });
    const kept = (await evidenceOf(order, '/dataset')).body;
    expect(kept).to.include({ type: 'url', sha256, size_bytes: 5, ...url });
  });
});
