import algosdk from 'algosdk';
import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { child, endChildren, openPlatform, type Child } from '../faults/children.ts';
import { eventually, type TestPlatform } from '../harness.ts';
import { startTimer } from '../orders/trade.ts';
import {
  assetsOf,
  emptied,
  issue,
  mint,
  openIssuerRig,
  tokenOf,
  untilClosed,
  URI,
} from './issuer.ts';
import type { IssuerRig } from './issuer.ts';

const WORKER = 'test/faults/worker.ts';

describe('a worker that is killed while it issues a token', function () {
  this.timeout(120_000);

  let issuer: IssuerRig;
  let platform: TestPlatform;
  let agent: { id: number; key: string };
  before(async () => {
    issuer = await openIssuerRig();
    platform = await openPlatform({ workers: false, env: issuer.env });
    agent = await platform.agent({ usd: 10 });
  });
  after(async () => {
    await endChildren();
    await platform.close();
    await issuer.rig.close();
  });

  /** One round after the other, until the process is killed. */
  async function untilKilled({ process }: Child): Promise<void> {
    const isPending = `select from job where request_id = $1 and status = 'pending'`;
    let round = await startTimer(platform, 'deploy_tokens');
    await eventually(
      async () => {
        const pending = await platform.query(isPending, [round]);
        if (pending.length === 0) round = await startTimer(platform, 'deploy_tokens');
      },
      () => process.signalCode === 'SIGKILL',
    );
  }

  /** Of one that was asked for without a worker that issues it. */
  async function killAt(id: number, points: readonly string[]): Promise<void> {
    for (const point of points) {
      const crash = { CRASH_AT: point, CRASH_AT_JOB: String(id), WITHOUT_DISPATCHER: 'yes' };
      await untilKilled(await child(platform, WORKER, { ...issuer.env, ...crash }));
      const status = point === 'T0' ? 'pending' : 'submitted';
      expect((await tokenOf(platform, id)).status, point).to.equal(status);
    }
  }

  async function recorded(id: 'asset_id' | 'nft_id', call: () => Promise<{ body: object }>) {
    await platform.resumeWorkers();
    const { body } = await call();
    await platform.pauseWorkers();
    return (body as Record<string, number>)[id]!;
  }

  it('makes one asset, whatever it was about to do', async () => {
    const refill = await emptied(issuer);
    const id = await recorded('asset_id', () => issue(platform, agent));
    await refill();
    await killAt(id, ['T0', 'T1', 'T2', 'T3']);
    await platform.resumeWorkers();
    expect(await untilClosed(platform, id)).to.include({ status: 'deployed', attempts: 1 });
    await platform.pauseWorkers();
    expect(await assetsOf(issuer)).to.have.length(1);
    expect(await audit(platform.context.database)).to.deep.equal([]);
  });

  it('mints one NFT, whatever it was about to do', async () => {
    const address = algosdk.generateAccount().addr.toString();
    await platform.resumeWorkers();
    const first = await mint(platform, agent, { uri: URI, address });
    await untilClosed(platform, first.body.nft_id);
    await platform.pauseWorkers();
    const refill = await emptied(issuer);
    const id = await recorded('nft_id', () => mint(platform, agent, { uri: URI, address }));
    await refill();
    await killAt(id, ['T0', 'T2']);
    await platform.resumeWorkers();
    const closed = await untilClosed(platform, id);
    expect(closed).to.include({ status: 'deployed', number: '2', attempts: 1 });
    const shown = await platform.request(`GET /api/v1/nft/${id}`, { key: agent.key });
    const { params } = await issuer.rig.algod.getApplicationByID(shown.body.app_id).do();
    expect(params!.globalState![0]!.value.uint).to.equal(2n);
    expect(await audit(platform.context.database)).to.deep.equal([]);
  });
});
