// test:all: workers are killed at each step of a payment or a charge.
import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { child, endChildren } from '../faults/children.ts';
import { eventually } from '../harness.ts';
import { openScene, payer, type Scene } from './scene.ts';
import { paidBy } from './signed.ts';

const PATH = '/x402/api/v1/email/validate/not-an-address';

describe('a process that is killed with a payment by x402', function () {
  this.timeout(120_000);

  let scene: Scene;
  before(async () => {
    scene = await openScene({ workers: false });
  });
  after(() => scene.close());
  afterEach(async () => {
    await endChildren();
    await scene.platform.pauseWorkers();
  });

  /** Undefined: the connection broke. */
  const call = (url: string, headers: Record<string, string>, wait = 1) =>
    fetch(`${url}${PATH}?wait=${wait}`, { headers }).then(
      async (response) => ({ status: response.status, body: (await response.json()) as object }),
      () => undefined,
    );
  /** Repeated by its sender, the call is made once, and paid for once. */
  async function expectServedOnce(headers: Record<string, string>, before: bigint) {
    const { platform, evm, payTo } = scene;
    const served = await eventually(
      async () => {
        await platform.query(MAKE_DUE);
        return call(platform.url, headers);
      },
      (reply) => reply?.status === 200,
    );
    expect((await call(platform.url, headers))!.body).to.deep.equal(served!.body);
    expect((await evm.balanceOf(payTo)) - before).to.equal(2_000n);
    const [{ paid, charges }] = await platform.query(
      `select (select sum(amount) from x402_payment where status = 'settled') as paid,
              (select count(*)::int from charge) as charges,
              (select count(*)::int from deposit where rail = 'x402') as deposits`,
    );
    expect([BigInt(paid), charges * 2_000]).to.deep.equal([
      await evm.balanceOf(payTo),
      Number(paid),
    ]);
    expect(await audit(platform.context.database)).to.deep.equal([]);
  }

  for (const [point, when] of [
    ['W0', 'before it asks the facilitator'],
    ['X1', 'after the facilitator has settled'],
    ['W4', 'before COMMIT'],
  ] as const) {
    it(`as worker, ${when}, has it taken once and the call made once (${point})`, async () => {
      const { platform, evm, payTo, settings } = scene;
      const before = await evm.balanceOf(payTo);
      const headers = await paidBy(scene, (await payer(scene)).wallet);
      const pending = await call(platform.url, headers, 0);
      expect(pending!.status).to.equal(503);
      const [{ id }] = await platform.query(
        `select id from job where operation = 'settle_x402_payment' order by id desc limit 1`,
      );
      const job = point === 'X1' ? {} : { CRASH_AT_JOB: id as string };
      const armed = await child(platform, 'test/faults/worker.ts', {
        ...settings,
        ...job,
        CRASH_AT: point,
      });
      await eventually(
        () => platform.query(MAKE_FIRST_DUE),
        () => armed.process.signalCode === 'SIGKILL',
      );
      await platform.resumeWorkers();
      await expectServedOnce(headers, before);
    });
  }

  for (const [point, when] of [
    ['X0', 'before it queued the settlement'],
    ['X2', 'between the credit and the call'],
  ] as const) {
    it(`as API, ${when}, has it taken once and the call made once (${point})`, async () => {
      const { platform, evm, payTo, settings } = scene;
      const before = await evm.balanceOf(payTo);
      const headers = await paidBy(scene, (await payer(scene)).wallet);
      await platform.resumeWorkers();
      const armed = await child(platform, 'test/faults/api.ts', { ...settings, CRASH_AT: point });
      expect(await call(armed.url, headers, 10)).to.equal(undefined);
      expect(await armed.ended).to.equal('SIGKILL');
      await expectServedOnce(headers, before);
    });
  }
});

const due = (which: string) => `
  update job set run_at = now(), push_after = now()
   where id in (select id from job where status = 'pending' ${which} for update skip locked)`;

/** Makes every pending job due now. */
const MAKE_DUE = due('');
/** The same, of jobs that no worker has begun: one that is made due again and again is given up. */
const MAKE_FIRST_DUE = due('and attempts = 0');
