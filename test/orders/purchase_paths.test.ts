import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { insertJobs, newJobId } from '../../shared/jobs/jobs.ts';
import { runBatch } from '../../workers/run_batch.ts';
import { runJob } from '../../workers/run_job.ts';
import { TestPlatform } from '../harness.ts';
import { sceneOf } from './scene.ts';

const batchOf = (ids: string[]) => ({ queue: 'money', operation: 'purchase_product', ids });

/** How jobs are performed. */
const PATHS = {
  'step by step': async ({ context }: TestPlatform, ids: string[]) => {
    for (const id of ids) await runJob(context, id, 0);
  },
  'alone in one call': async ({ context }: TestPlatform, ids: string[]) => {
    for (const id of ids) await runBatch(context, batchOf([id]));
  },
  'as a batch': ({ context }: TestPlatform, ids: string[]) => runBatch(context, batchOf(ids)),
};

const STOCKS = {
  serial_pool: { items: ['a', 'b', 'c', 'd', 'e'].map((name) => `KEY-${name}`) },
  counted: { stock_kind: 'counted', quantity: 5, content: 'One of five.' },
  unlimited: { stock_kind: 'unlimited', content: 'For all.' },
};

describe('a purchase', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open({ workers: false })));
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const { scene } = sceneOf(() => platform);

  for (const [kind, stock] of Object.entries(STOCKS)) {
    it(`leaves the same behind whichever way it is performed: ${kind}`, async () => {
      const traces: unknown[] = [];
      for (const perform of Object.values(PATHS)) {
        const { seller } = await scene({});
        const product = await platform.product(seller, { price: 0.333335, ...stock });
        const buyer = await platform.agent({ usd: 3 });
        const ids: string[] = [];
        for (const quantity of [1, 3]) {
          const { body } = await platform.request('POST /api/v1/orders', {
            key: buyer.key,
            body: { product_id: product.id, quantity },
            headers: { prefer: 'respond-async' },
          });
          ids.push(body.job_id);
        }
        await perform(platform, ids);
        const people = { [buyer.id]: 'buyer', [seller.id]: 'seller' };
        traces.push(await Promise.all(ids.map((id) => traceOf(id, people))));
      }
      const [first, ...others] = traces;
      for (const other of others) expect(other).to.deep.equal(first);
      expect(JSON.stringify(first)).to.contain('"http_status":200');
    });
  }

  it('is made alone when its batch fails, and no other call with it', async () => {
    const { buyer, product } = await scene({ stock_kind: 'unlimited', content: 'For all.' });
    const { database, clock, secrets } = platform.context;
    // Calls are checked before they are recorded: another version has taken the second.
    const inputs = [{ product_id: product.id }, { product_id: 'none' }, { product_id: 999_999 }];
    const jobs = inputs.map((input) => ({
      id: newJobId(clock.now()),
      operation: 'purchase_product',
      agentId: buyer.id,
      rootId: buyer.id,
      input,
      hash: secrets.hash('test', 'test').hash,
      requestId: 'req_fails',
    }));
    await insertJobs(database, jobs);
    const ids = jobs.map(({ id }) => id);
    const answers = await runBatch(platform.context, batchOf(ids));
    const outcomes = ids.map((id) => answers.find((answer) => answer.id === id)?.httpStatus);
    expect(outcomes).to.deep.equal([200, 422, 404]);
    const rows = await platform.query(
      `select job.status, job.fault is not null as fault, orders.id is not null as bought
         from job left join orders on job_id = job.id where job.id = any ($1) order by job.id`,
      [ids],
    );
    expect(rows).to.deep.equal([
      { status: 'complete', fault: false, bought: true },
      { status: 'failed', fault: false, bought: false },
      { status: 'failed', fault: false, bought: false },
    ]);
  });

  /** All that a purchase wrote, with names for what differs from one to the next. */
  async function traceOf(id: string, people: Record<number, string>) {
    const [trace] = await platform.query(TRACE, [id]);
    const { order_id, product_id, escrow_id, release_at } = trace;
    const named = (fields: object[]) =>
      fields.map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([name, value]) => [
            name,
            PEOPLE.has(name) ? people[value as number] : value,
          ]),
        ),
      );
    // The bytes of the answer: the order of its fields too.
    const answer = trace.answer
      .replace(`"order_id":${order_id},`, '"order_id":ORDER,')
      .replace(`/vault/${order_id}"`, '/vault/ORDER"')
      .replace(`"product_id":${product_id},`, '"product_id":PRODUCT,')
      .replace(new Date(release_at).toISOString(), 'RELEASE');
    expect(trace.entries[0].to_id).to.equal(escrow_id);
    const entries = named(trace.entries.map((entry: object) => ({ ...entry, to_id: 'escrow' })));
    const [order] = trace.orders;
    const heldMs = Date.parse(order.release_at) - Date.parse(order.created_at);
    // By the clock of the worker or that of the database, which are some milliseconds apart.
    const held = `${Math.round(heldMs / 60_000)} min`;
    const orders = named([{ ...order, created_at: null, release_at: held }]);
    return { ...trace.job, answer, orders, entries, events: named(trace.events), left: trace.left };
  }
});

const PEOPLE = new Set(['buyer_id', 'buyer_root', 'seller_id', 'seller_root', 'from_id', 'agent']);

const TRACE = `
  select o.id as order_id, o.product_id, o.escrow_id::int, o.release_at, job.answer::text,
         (select json_build_object('status', job.status, 'http_status', job.http_status,
                                   'finished', job.finished_at is not null)) as job,
         (select json_agg(to_jsonb(o) - '{id,job_id,product_id,escrow_id}'::text[])) as orders,
         (select json_agg(json_build_object('kind', kind, 'from_account', from_account,
                    'from_id', from_id, 'to_account', to_account, 'to_id', to_id, 'credit', credit,
                    'cash', cash)) from ledger.transfer where ref = o.id and kind = 'order.hold')
           as entries,
         (select json_agg(json_build_object('agent', agent_id, 'type', type, 'status', status,
                    'fields', (select array_agg(name) from jsonb_object_keys(data) name),
                    'quantity', data ->> 'quantity') order by agent_id = o.buyer_id)
            from event where object_kind = 'order' and object_id = o.id) as events,
         (select json_build_object('spent', spend.amount, 'credit', t.credit, 'cash', t.cash,
                    'units', (select count(*) from stock where order_id = o.id),
                    'counted', (select quantity from product where id = o.product_id))
            from spend, ledger.treasury t
           where spend.agent_id = o.buyer_id and t.id = o.buyer_id) as left
    from job join orders o on o.job_id = job.id where job.id = $1
   group by o.id, job.id`;
