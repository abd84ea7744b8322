import { expect } from 'chai';

import { openScene, type Agent, type Scene } from '../approvals/scene.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { runTimer } from '../orders/trade.ts';

const ASYNC = { prefer: 'respond-async' };

interface Told {
  readonly type: string;
  readonly agent_id: number;
  readonly object: object;
  readonly data: Record<string, unknown>;
}

describe('the end of a job', () => {
  let platform: TestPlatform;
  let scene: Scene;
  before(async () => {
    platform = await TestPlatform.open();
    scene = await openScene(platform);
  });
  after(() => platform.close());

  const told = async (agent: Agent): Promise<Told[]> =>
    (await platform.request('GET /api/v1/events?type=job.*', { key: agent.key })).body.events;
  /** Events that an agent has been told, once there are so many. */
  const toldOf = (agent: Agent, count = 1) =>
    eventually(
      () => told(agent),
      ({ length }) => length >= count,
    );
  const balance = (agent: Agent) => platform.balance(agent);

  it('is told to an agent that did not wait for it, and to the owner of its tree', async () => {
    const { root, child } = await scene.family(null);
    const { status, body } = await scene.spend('purchase', child, ASYNC);
    expect(status).to.equal(202);
    const [one, ...others] = await toldOf(child);
    expect(others).to.deep.equal([]);
    expect(one).to.include({ type: 'job.completed', agent_id: child.id });
    expect(one!.object).to.deep.equal({ kind: 'agent', id: child.id, status: 'active' });
    expect(one!.data).to.deep.equal({ job_id: body.job_id, operation: 'purchase_product' });
    expect(await told(root)).to.deep.equal([one]);
    expect(await told(scene.seller)).to.deep.equal([]);
    const job = await platform.request(`GET ${body.poll}`, { key: child.key });
    expect(job.body).to.include({ status: 'complete' });
  });

  it('is told of each of many calls that are performed at once', async () => {
    const agent = await platform.agent({ usd: 5 });
    const calls = Array.from({ length: 6 }, () => scene.spend('purchase', agent, ASYNC));
    const asked = (await Promise.all(calls)).map(({ body }) => body.job_id as string);
    const ends = (await toldOf(agent, 6)).map(({ data }) => data.job_id as string);
    expect(ends.toSorted()).to.deep.equal(asked.toSorted());
  });

  it('is told of a refusal with its error, and no money has moved', async () => {
    const agent = await platform.agent();
    const before = await balance(agent);
    const dear = await platform.product(scene.seller, { price: 50 });
    const { body } = await platform.request('POST /api/v1/orders', {
      key: agent.key,
      headers: ASYNC,
      body: { product_id: dear.id },
    });
    const [one] = await toldOf(agent);
    expect(one).to.deep.include({
      type: 'job.failed',
      data: {
        job_id: body.job_id,
        operation: 'purchase_product',
        reason: 'insufficient_balance',
      },
    });
    expect(await balance(agent)).to.equal(before);
  });

  it('is told where a call had to be answered before it', async () => {
    const agent = await platform.agent({ usd: 1 });
    await platform.pauseWorkers();
    const body = { product_id: scene.product };
    const { status } = await platform.request('POST /api/v1/orders?wait=1', {
      key: agent.key,
      body,
    });
    expect(status).to.equal(202);
    await platform.resumeWorkers();
    expect((await toldOf(agent)).map(({ type }) => type)).to.deep.equal(['job.completed']);
  });

  it('is told where an owner was asked first, of a purchase and of a write', async () => {
    const { root, child } = await scene.family();
    for (const name of ['purchase', 'a task'] as const) {
      const asked = await scene.ask(child, name);
      await scene.decide(root, asked.approval_id, 'approve');
      await scene.ended(asked, child);
    }
    const operations = (await toldOf(child, 2)).map(({ data }) => data.operation);
    expect(operations).to.deep.equal(['purchase_product', 'task_post']);
  });

  it('is no event where the call was answered, or nobody called', async () => {
    const agent = await platform.agent({ usd: 5 });
    const headers = { prefer: 'wait=25' };
    expect((await scene.spend('purchase', agent, headers)).status).to.equal(200);
    expect((await scene.spend('a task', agent)).status).to.equal(200);
    await runTimer(platform, 'release_due_orders');
    const last = await scene.spend('purchase', agent, ASYNC);
    const [one, ...others] = await toldOf(agent);
    expect(others).to.deep.equal([]);
    expect(one!.data.job_id).to.equal(last.body.job_id);
    const [{ count }] = await platform.query(
      `select count(*)::int as count from event join job on job.id::text = data ->> 'job_id'
        where type like 'job.%' and (job.tell_after is null or job.agent_id <> event.agent_id)`,
    );
    expect(count).to.equal(0);
  });
});
