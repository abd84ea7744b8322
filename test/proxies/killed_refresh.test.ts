// test:all: a worker is killed while it refreshes the proxies.
import { expect } from 'chai';

import { child, endChildren, openPlatform } from '../faults/children.ts';
import { countLostBatches } from '../../shared/domains/proxies/checks/batches.ts';
import { eventually } from '../harness.ts';
import type { Peer } from './peers.ts';
import { ProxyRig } from './proxy_rig.ts';

const WORKER = 'test/faults/worker.ts';
const PEERS = 12;

describe('a worker that is killed in the middle of a refresh', function () {
  this.timeout(120_000);

  let rig: ProxyRig;
  let peers: Peer[];
  beforeEach(async () => {
    rig = await ProxyRig.open({ open: openPlatform, env: { PROXY_CHECK_MS: '20000' } });
    await rig.platform.pauseWorkers();
    peers = await Promise.all(Array.from({ length: PEERS }, () => rig.peer('working')));
    rig.list(peers.map(({ address }) => address));
  });
  afterEach(async () => {
    await endChildren();
    await rig.close();
  });

  /**
   * A job that waits for another attempt need not wait as long as that may take. Nobody is at
   * work; what a dead worker had in hand is waited for until PostgreSQL knows of its death.
   */
  const hurry = () =>
    rig.platform.query(
      `update job set run_at = now(), push_after = now() where status = 'pending'`,
    );
  const recorded = async () => {
    const { status, body } = await rig.refresh({ prefer: 'respond-async' });
    expect(status).to.equal(202);
    return body.job_id as string;
  };
  const known = async () => (await rig.platform.query('select * from proxy')).length;
  const sold = async () => {
    const { key } = await rig.platform.agent();
    return (await rig.platform.request('GET /api/v1/proxy/list?limit=100', { key })).body.count;
  };

  /** Each once in the pool, checked once, and on sale. */
  async function allIsWell(): Promise<void> {
    await rig.checked(...peers);
    const rows = await rig.platform.query('select state, checks from proxy');
    expect(rows).to.deep.equal(Array.from({ length: PEERS }, () => ({ state: 'hot', checks: 1 })));
    const slots = () =>
      rig.platform.query(`select slot from proxy_check_slot where busy_until > now()`);
    await eventually(slots, (busy) => busy.length === 0);
    expect(await eventually(sold, (count) => count > 0)).to.equal(PEERS);
  }

  for (const [point, when, rows] of [
    ['W3', 'with all written down', 0],
    ['W5', 'after COMMIT', PEERS],
  ] as const) {
    it(`${when}, loses nothing and sells nothing unchecked (${point})`, async () => {
      const job = await recorded();
      const env = { ...rig.env, CRASH_AT: point, CRASH_AT_JOB: job };
      expect(await (await child(rig.platform, WORKER, env)).ended).to.equal('SIGKILL');
      expect(await known()).to.equal(rows);
      expect(await sold()).to.equal(0);
      await hurry();
      await rig.platform.resumeWorkers();
      await allIsWell();
    });
  }

  async function killWhileItChecks(): Promise<void> {
    for (const peer of peers) peer.become('silent');
    await recorded();
    const worker = await child(rig.platform, WORKER, rig.env);
    await eventually(
      async () => peers,
      (all) => all.every(({ connections }) => connections > 0),
    );
    worker.kill('SIGKILL');
    expect(await worker.ended).to.equal('SIGKILL');
  }

  it('while it checks, loses nothing and sells nothing unchecked', async () => {
    await killWhileItChecks();
    expect(await known()).to.equal(PEERS);
    expect(await sold()).to.equal(0);
    for (const peer of peers) peer.become('working');
    await hurry();
    await rig.platform.resumeWorkers();
    await allIsWell();
  });

  it('while it checks, and for good: its batch is due again by itself', async () => {
    await killWhileItChecks();
    // Ends it like its last attempt: no worker performs it again, and its time is over.
    await rig.platform.query(`delete from job where status = 'pending'`);
    await rig.platform.query(`update proxy set next_check_at = now()`);
    await rig.platform.query(
      `update proxy_check_slot set busy_until = now() - interval '1 second'
        where isfinite(busy_until)`,
    );
    for (const peer of peers) peer.become('working');
    await rig.platform.resumeWorkers();
    const { database } = rig.platform.context;
    const lost = await countLostBatches(database);
    await rig.refresh();
    await allIsWell();
    expect(await countLostBatches(database)).to.equal(lost + 1);
  });
});
