import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { openScene, type Agent, type Scene } from '../approvals/scene.ts';
import { TestPlatform } from '../harness.ts';

const COUNTED = { stock_kind: 'counted', quantity: 30, content: 'It.', price: 0.1 };

describe('a tree whose purchases wait for an owner', () => {
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

  const buy = (agent: Agent, product_id: number, fields = {}, headers = {}) =>
    scene.call('POST /api/v1/orders', agent, { product_id, ...fields }, headers);
  const stockOf = async (id: number) => {
    const { body } = await scene.call(`GET /api/v1/products/${id}/stock`, scene.seller);
    return [body.available, body.reserved, body.sold];
  };

  it('reserves ten times a day for a tree that does not buy, and waits without units then', async () => {
    const { root, child } = await scene.family();
    const { id } = await platform.product(scene.seller, COUNTED);
    const ask = (n: number) => buy(child, id, {}, { 'idempotency-key': `ask${n}` });
    const asked = await Promise.all(Array.from({ length: 13 }, (_, n) => ask(n)));
    for (const { status, text } of asked) expect(status, text).to.equal(202);
    expect(await stockOf(id), 'of thirteen at once').to.deep.equal([20, 10, 0]);
    const other = await scene.family();
    expect((await buy(other.child, id)).status).to.equal(202);
    expect(await stockOf(id), 'of another tree').to.deep.equal([19, 11, 0]);

    const orders = (await scene.call('GET /api/v1/orders', child)).body.orders;
    const reserved = orders.filter(({ deadlines }: { deadlines: object[] }) => deadlines[1]);
    const [denied, bought] = reserved as { approval_id: number }[];
    await scene.decide(root, denied!.approval_id, 'deny');
    await ask(13);
    expect(await stockOf(id), 'what was denied counts').to.deep.equal([20, 10, 0]);
    await scene.decide(root, bought!.approval_id, 'approve');
    const job = asked.find(({ body }) => body.approval_id === bought!.approval_id)!;
    expect((await scene.ended(job.body, child)).status).to.equal('complete');
    await ask(14);
    expect(await stockOf(id), 'what was bought does not').to.deep.equal([19, 10, 1]);
  });
});
