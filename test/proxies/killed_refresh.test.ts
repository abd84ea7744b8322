import { expect } from 'chai';

import { child, endChildren, openPlatform } from '../faults/children.ts';
import { eventually } from '../harness.ts';
import type { Peer } from './peers.ts';
import { Yard } from './yard.ts';

const WORKER = 'test/faults/worker.ts';
const PEERS = 12;

describe('a worker that is killed in the middle of a refresh', function () {
  this.timeout(120_000);

  let yard: Yard;
  let peers: Peer[];
  beforeEach(async () => {
    yard = await Yard.open({ open: openPlatform, env: { PROXY_CHECK_MS: '20000' } });
    await yard.platform.pauseWorkers();
    peers = await Promise.all(Array.from({ length: PEERS }, () => yard.peer('working')));
    yard.list(peers.map(({ place }) => place));
  });
  afterEach(async () => {
    await endChildren();
    await yard.close();
  });

  /**
   * What waits for another try of its job need not wait as long as that may take. Nobody is at
   * work; what a dead worker had in hand is waited for until PostgreSQL knows of its death.
   */
  const hurry = () =>
    yard.platform.query(
      `update job set run_at = now(), push_after = now() where status = 'pending'`,
    );
  const recorded = async () => {
    const { status, body } = await yard.refresh({ prefer: 'respond-async' });
    expect(status).to.equal(202);
    return body.job_id as string;
  };
  const known = async () => (await yard.platform.query('select * from proxy')).length;
  const sold = async () => {
    const { key } = await yard.platform.agent();
    return (await yard.platform.request('GET /api/v1/proxy/list?limit=100', { key })).body.count;
  };

  /** Each once in the pool, checked once, and on sale. */
  async function allIsWell(): Promise<void> {
    await yard.checked(...peers);
    const rows = await yard.platform.query('select state, checks from proxy');
    expect(rows).to.deep.equal(Array.from({ length: PEERS }, () => ({ state: 'hot', checks: 1 })));
    const slots = () =>
      yard.platform.query(`select slot from proxy_check_slot where busy_until > now()`);
    await eventually(slots, (busy) => busy.length === 0);
    expect(await eventually(sold, (count) => count > 0)).to.equal(PEERS);
  }

  for (const [point, when, rows] of [
    ['W3', 'with all written down', 0],
    ['W5', 'after COMMIT', PEERS],
  ] as const) {
    it(`${when}, loses nothing and sells nothing unchecked (${point})`, async () => {
      const job = await recorded();
      const env = { ...yard.env, CRASH_AT: point, CRASH_AT_JOB: job };
      expect(await (await child(yard.platform, WORKER, env)).ended).to.equal('SIGKILL');
      expect(await known()).to.equal(rows);
      expect(await sold()).to.equal(0);
      await hurry();
      await yard.platform.resumeWorkers();
      await allIsWell();
    });
  }

  async function killWhileItChecks(): Promise<void> {
    for (const peer of peers) peer.become('silent');
    await recorded();
    const worker = await child(yard.platform, WORKER, yard.env);
    await eventually(
      async () => peers,
      (all) => all.every(({ connections }) => connections > 0),
    );
    worker.kill('SIGKILL');
    await worker.ended;
  }

  it('while it checks, loses nothing and sells nothing unchecked', async () => {
    await killWhileItChecks();
    expect(await known()).to.equal(PEERS);
    expect(await sold()).to.equal(0);
    for (const peer of peers) peer.become('working');
    await hurry();
    await yard.platform.resumeWorkers();
    await allIsWell();
  });

  it('while it checks, and for good: its batch is due again by itself', async () => {
    await killWhileItChecks();
    // As when its job was given up: nobody will come back to it, and the lease has run out.
    await yard.platform.query(`delete from job where status = 'pending'`);
    await yard.platform.query(`update proxy set next_check_at = now()`);
    await yard.platform.query(
      `update proxy_check_slot set busy_until = now() - interval '1 second'`,
    );
    for (const peer of peers) peer.become('working');
    await yard.platform.resumeWorkers();
    await yard.refresh();
    await allIsWell();
  });
});
