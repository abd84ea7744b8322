// test:all: workers are killed at each step of an approved purchase.
import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { child as start, endChildren, openPlatform } from '../faults/children.ts';
import { eventually, type TestPlatform } from '../harness.ts';
import { openScene, type Agent, type Scene } from './scene.ts';

const WORKER = 'test/faults/worker.ts';

describe('a worker that is killed', function () {
  this.timeout(60_000);

  let platform: TestPlatform;
  let scene: Scene;
  before(async () => {
    platform = await openPlatform();
    scene = await openScene(platform);
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  /** Kills a worker that is at this point with this job; then others go on. */
  async function kill(point: string, jobId: string, cause: () => Promise<unknown>): Promise<void> {
    await platform.pauseWorkers();
    const armed = await start(platform, WORKER, { CRASH_AT: point, CRASH_AT_JOB: jobId });
    try {
      await cause();
      expect(await armed.ended).to.equal('SIGKILL');
    } finally {
      await endChildren();
      await platform.resumeWorkers();
    }
  }

  const makeDue = (jobId: string) =>
    platform.query(
      `update job set run_at = least(run_at, now()), push_after = null
        where id = $1 and status = 'pending' and deferral is null`,
      [jobId],
    );
  const paidBy = ({ id }: Agent) =>
    platform.query(
      `select job_id from orders where buyer_id = $1
        union all select call_id from charge where agent_id = $1`,
      [id],
    );

  for (const [name, point, when] of [
    ['purchase', 'W0', 'with a purchase, before it began'],
    ['some proxies', 'W4', 'with a write, before COMMIT'],
    ['an address', 'W3', 'with a job that asked outside, before it is finished'],
  ] as const) {
    it(`${when}, has it performed once when it was approved (${point})`, async () => {
      const { root, child } = await scene.family();
      const asked = await scene.ask(child, name);
      const id = asked.poll.split('/').pop()!;
      await kill(point, id, () => scene.decide(root, asked.approval_id, 'approve'));
      const job = await eventually(
        async () => {
          await makeDue(id);
          return (await platform.request(`GET ${asked.poll}`, { key: child.key })).body;
        },
        ({ status }) => status !== 'pending',
      );
      expect(job.status).to.equal('complete');
      expect(await paidBy(child)).to.have.length(1);
    });
  }

  it('while its call asks, asks once, and nothing is done (W1)', async () => {
    const { root, child } = await scene.family();
    await platform.pauseWorkers();
    const { body } = await scene.spend('an address', child, { prefer: 'respond-async' });
    await kill('W1', body.job_id, () => makeDue(body.job_id));
    const [asked, ...others] = await eventually(
      async () => {
        await makeDue(body.job_id);
        return scene.list(root);
      },
      ({ length }) => length > 0,
    );
    expect(others).to.deep.equal([]);
    expect(await paidBy(child)).to.deep.equal([]);
    await scene.decide(root, asked!.approval_id, 'deny');
  });
});
