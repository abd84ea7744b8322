import { expect } from 'chai';

import { PLATFORM } from '../../shared/kernel/caller.ts';
import { operation } from '../../shared/kernel/operation.ts';
import { releaseDueOrders } from '../../shared/domains/orders/release_due_orders.ts';
import type { JobQueue } from '../../shared/jobs/queue.ts';
import { perform } from '../../shared/performing/perform.ts';
import { purchaseProduct } from '../../shared/domains/orders/purchase_product.ts';
import { Refusal } from '../../shared/kernel/refusal.ts';
import { TestPlatform } from '../harness.ts';
import { defaults } from './operation_defaults.ts';

const DEADLOCK = `do $$ begin raise exception 'on purpose' using errcode = '40P01'; end $$`;

describe('tx.enqueue', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
  });
  after(() => platform.close());

  const call = (key: string) => ({
    caller: PLATFORM,
    key,
    now: platform.context.clock.now(),
    requestId: 'test',
  });

  it('starts the jobs that a handler enqueues if its transaction commits, and only then', async () => {
    const enqueues = (refuses: boolean) =>
      operation({
        ...defaults,
        name: 'enqueues',
        async handle(tx) {
          await tx.enqueue(releaseDueOrders, {}, { cause: 'later', delayMs: 3_600_000 });
          await tx.enqueue(releaseDueOrders, {}, { cause: 'now' });
          if (refuses) throw new Refusal('not_found', 'It does not exist.');
          return { seen: 'both' };
        },
      });
    const started = (key: string) =>
      platform.query(
        `select cause, run_at > now() + interval '59 minutes' as delayed from job
          where cause like $1 order by cause`,
        [`${key}/%`],
      );

    await perform(platform.context, enqueues(true), {}, call('refused')).catch(() => undefined);
    expect(await started('refused')).to.deep.equal([]);

    await perform(platform.context, enqueues(false), {}, call('done'));
    expect(await started('done')).to.deep.equal([
      { cause: 'done/later', delayed: true },
      { cause: 'done/now', delayed: null },
    ]);
  });

  it('starts many jobs at once, each with a cause of its own', async () => {
    const enqueues = operation({
      ...defaults,
      name: 'enqueues',
      async handle(tx) {
        await tx.enqueue(releaseDueOrders, {}, { cause: 'later', delayMs: 3_600_000 });
        await tx.enqueueAll(
          releaseDueOrders,
          Array.from({ length: 130 }, () => ({})),
          { cause: 'many' },
        );
        return { seen: 'all' };
      },
    });
    await perform(platform.context, enqueues, {}, call('many'));
    const [{ started, delayed }] = await platform.query(
      `select count(*)::int as started, count(run_at)::int as delayed from job
        where cause = 'many/later'
           or cause = any (array(select 'many/many/' || n from generate_series(0, 129) n))`,
    );
    expect([started, delayed]).to.deep.equal([131, 1]);
  });

  it('refuses to start two jobs for one cause, and starts neither', async () => {
    const twice = operation({
      ...defaults,
      name: 'twice',
      async handle(tx) {
        await tx.enqueue(releaseDueOrders, {}, { cause: 'same' });
        await tx.enqueue(releaseDueOrders, {}, { cause: 'same' });
        return { seen: 'never' };
      },
    });
    const fault = await perform(platform.context, twice, {}, call('twice')).catch(String);
    expect(fault).to.equal('Error: twice/same has started a job before');
    expect(await platform.query(`select from job where cause like 'twice/%'`)).to.have.length(0);
  });

  it('pushes the jobs that a handler starts after COMMIT, in batches, and none that is not due', async () => {
    const batches: { operation: string; ids: number }[] = [];
    const push: JobQueue['push'] = async ({ operation, ids }) => {
      batches.push({ operation, ids: ids.length }); // Batches are pushed side by side.
      const found = await platform.query('select from job where id = any ($1)', [ids]);
      expect(found, 'pushed after COMMIT').to.have.length(ids.length);
      return true;
    };
    const context = { ...platform.context, queue: { ...platform.context.queue, push } };
    let attempts = 0;
    const startsMany = operation({
      ...defaults,
      name: 'starts_many',
      async handle(tx) {
        attempts += 1;
        const inputs = Array.from({ length: 70 }, () => ({ product_id: 1 }));
        await tx.enqueueAll(purchaseProduct, inputs, { cause: 'purchases' });
        await tx.enqueueAll(releaseDueOrders, Array(9).fill({}), { cause: 'releases' });
        await tx.enqueue(releaseDueOrders, {}, { cause: 'later', delayMs: 3_600_000 });
        if (attempts === 1) await tx.db.query(DEADLOCK); // The transaction runs once more.
        return { seen: 'all' };
      },
    });
    await perform(context, startsMany, {}, call('batches'));
    expect(batches).to.deep.equal([
      { operation: 'purchase_product', ids: 64 },
      { operation: 'purchase_product', ids: 6 },
      { operation: 'release_due_orders', ids: 8 },
      { operation: 'release_due_orders', ids: 1 },
    ]);
  });
});
