import { randomUUID } from 'node:crypto';

import { expect } from 'chai';
import pg from 'pg';

import { audit } from '../../shared/composition/audit.ts';
import { act, orderAs } from '../orders/deal.ts';
import { buy, runTimer } from '../orders/trade.ts';
import { access, offer, rotate } from './offer.ts';
import { hashOf, openSoldScene, rowsOf, type SoldScene } from './sold_scene.ts';

describe('what is kept of a dataset that was sold', () => {
  let scene: SoldScene;
  before(async () => {
    scene = await openSoldScene();
  });
  after(async () => {
    expect(await audit(scene.platform.context.database)).to.deep.equal([]);
    await scene.close();
  });

  it('is said by each order that was bought in a batch', async () => {
    const { platform, sell, renew } = scene;
    const { dataset_id: id, product_id } = await sell();
    await renew(id, 2);
    const { database } = platform.context;
    const buyers = await Promise.all([1, 2, 3].map(() => platform.agent({ usd: 1 })));
    const jobs = buyers.map(() => randomUUID());
    const sold = await platform.query(
      `select answer ->> 'order_id' as id from purchase_batch($1, $2, $3, $4, $5)`,
      [
        jobs,
        buyers.map((one) => one.id),
        buyers.map(() => product_id),
        buyers.map(() => 1),
        buyers.map(() => null),
      ],
    );
    expect(sold).to.have.length(3);
    for (const one of buyers) {
      const { body } = await platform.request('GET /api/v1/orders', { key: one.key });
      const sha256 = hashOf(rowsOf(2));
      expect(body.orders[0].dataset).to.include({ dataset_id: id, version: 2, sha256 });
      expect(body.orders[0].dataset.access).to.include({ status: 'ready', reason: null });
    }
    expect(await audit(database)).to.deep.equal([]);
  });

  it('is kept once, until the last deal about it is final', async () => {
    const { platform, buyer, sell, renew, keptOf, forget } = scene;
    const { dataset_id: id, product_id } = await sell();
    const orders = [];
    for (let n = 0; n < 3; n += 1) orders.push(await buy(platform, buyer, { id: product_id }));
    await renew(id, 2);
    await renew(id, 3);
    expect(await keptOf(id), 'a purchase of version 2 may not be committed yet').to.deep.equal([
      1, 2, 3,
    ]);
    await forget(id);
    expect(await keptOf(id)).to.deep.equal([1, 3]);
    for (const order of orders) {
      expect(await keptOf(id)).to.deep.equal([1, 3]);
      await act(platform, 'confirm_order', { orderId: order, key: buyer.key });
      await forget(id);
    }
    expect(await keptOf(id)).to.deep.equal([3]);
  });

  it('is kept though the release before deletes what it replaces', async () => {
    const { platform, buyer, sell, renew, keptOf, forget } = scene;
    const { dataset_id: id, product_id } = await sell();
    await buy(platform, buyer, { id: product_id });
    await renew(id, 2);
    await forget(id);
    await platform.query('delete from dataset_part where dataset_id = $1 and version < 2', [id]);
    expect(await keptOf(id)).to.deep.equal([1, 2]);
  });

  it('is what a purchase has read that is committed after the next version', async () => {
    const { platform, buyer, sell, renew } = scene;
    const { dataset_id: id, product_id } = await sell();
    const url = new URL(platform.postgres);
    url.pathname = platform.name;
    const slow = new pg.Client({ connectionString: url.href });
    await slow.connect();
    try {
      await slow.query('begin');
      const { rows } = await slow.query('select purchase_alone($1, $2, $3, 1, null) as answer', [
        randomUUID(),
        buyer.id,
        product_id,
      ]);
      expect(rows[0].answer).to.include({ status: 'escrow' });
      await renew(id, 2);
      await runTimer(platform, 'forget_old_versions');
      await slow.query('commit');
    } finally {
      await slow.end();
    }
    expect((await access(platform, buyer, id)).body.data).to.deep.equal(rowsOf(1));
    expect(await audit(platform.context.database)).to.deep.equal([]);
  });

  it('is right while it is renewed, bought, opened and forgotten at once', async () => {
    const { platform, sell, renew, forget } = scene;
    const { dataset_id: id, product_id } = await sell();
    const buyers = await Promise.all(Array.from({ length: 6 }, () => platform.agent({ usd: 5 })));
    let version = 1;
    let isDone = false;
    const renewing = (async () => {
      while (!isDone) await renew(id, (version += 1));
    })();
    const forgetting = (async () => {
      while (!isDone) await forget(id);
    })();
    try {
      await Promise.all(
        buyers.map(async (one, n) => {
          for (let round = 0; round < 3; round += 1) {
            const order = await buy(platform, one, { id: product_id });
            const { dataset } = await orderAs(platform, one, order);
            for (let time = 0; time < 2; time += 1) {
              const { body, text } = await access(platform, one, id);
              expect(body.data, text).to.deep.equal(rowsOf(dataset.version));
              expect(body.sha256).to.equal(dataset.sha256);
            }
            // Some deals stay open, of other versions than the current one.
            if (n % 2) await act(platform, 'confirm_order', { orderId: order, key: one.key });
          }
        }),
      );
    } finally {
      isDone = true;
      await Promise.all([renewing, forgetting]);
    }
    expect(version).to.be.above(1);
    expect(await audit(platform.context.database)).to.deep.equal([]);
  });

  it('counts as stored by its seller while it is kept', async () => {
    const { platform, buyer, forget } = scene;
    const own = await platform.agent();
    const large = (n: number) => [{ n, text: 'x'.repeat(2_000) }];
    const { dataset_id: id, product_id } = await offer(platform, own, {
      price: 0.1,
      data: large(1),
    });
    const orderId = await buy(platform, buyer, { id: product_id });
    await rotate(platform, own, id, { data: large(2) });
    // Makes it an agent that has uploaded very much.
    await platform.query(
      `insert into dataset_upload (upload_id, agent_id, root_id, after, row_count, bytes, content)
       select 1000000 + n, $1::bigint, $1, 0, 1, least(16777216, 268435456 - 6500 - n * 16777216),
              'x'::bytea from generate_series(0, 15) n`,
      [own.id],
    );
    const refused = await rotate(platform, own, id, { data: large(3) });
    expect([refused.status, refused.body.error]).to.deep.equal([413, 'payload_too_large']);
    await act(platform, 'confirm_order', { orderId, key: buyer.key });
    await forget(id);
    expect((await rotate(platform, own, id, { data: large(3) })).status).to.equal(200);
    await platform.query('delete from dataset_upload where agent_id = $1', [own.id]);
  });
});
