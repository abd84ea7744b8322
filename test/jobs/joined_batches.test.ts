import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { catalog } from '../../shared/composition/catalog.ts';
import { openStatements } from '../../workers/run_batch.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { sceneOf } from '../orders/scene.ts';

describe('batches of one operation in a worker', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open({ workers: false })));
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });
  const { scene } = sceneOf(() => platform);

  it('are joined while one is in hand, and each is answered with its own jobs', async () => {
    const { buyer, product } = await scene({ price: 0.1, stock_kind: 'unlimited', content: 'a' });
    const call = async () => {
      const { body } = await platform.request('POST /api/v1/orders', {
        key: buyer.key,
        body: { product_id: product.id },
        headers: { prefer: 'respond-async' },
      });
      return body.job_id as string;
    };
    const batches: string[][] = [];
    for (const size of [1, 1, 2, 1, 2]) {
      batches.push(await Promise.all(Array.from({ length: size }, call)));
    }
    const statements: number[] = [];
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const op = catalog.get('purchase_product')!;
    const held: typeof op = {
      ...op,
      batch: {
        async handleMany(database, ids) {
          statements.push(ids.length);
          await released;
          return op.batch!.handleMany(database, ids);
        },
      },
    };
    const performTogether = openStatements();
    const answered = batches.map(async (ids, n) => {
      // The first is a statement of its own; the others come while it is in hand.
      await eventually(
        async () => statements.length,
        (count) => count >= Math.min(n, 1),
      );
      return performTogether(platform.context, held, ids);
    });
    await eventually(
      async () => statements.length,
      (count) => count === 1,
    );
    release();
    const answers = await Promise.all(answered);
    expect(answers.map((one) => one.map(({ id }) => id))).to.deep.equal(batches);
    expect(answers.flat().map(({ httpStatus }) => httpStatus)).to.deep.equal(Array(7).fill(200));
    expect(statements).to.deep.equal([1, 6]);
  });
});
