import { expect } from 'chai';

import { eventually, type TestPlatform } from '../harness.ts';
import { startReceiver, verify, type Receiver } from '../webhooks/receiver.ts';
import { child, endChildren, openPlatform } from './children.ts';

const EGRESS = { EGRESS_ALLOW: '127.0.0.0/8' };
const MAKE_DUE = `
  update job set run_at = now(), push_after = null
   where status = 'pending' and operation = 'deliver_events'`;

describe('a worker that is killed while it sends events', function () {
  this.timeout(120_000);

  let platform: TestPlatform;
  let receiver: Receiver;
  before(async () => {
    platform = await openPlatform({ workers: false, env: EGRESS });
    receiver = await startReceiver();
  });
  after(async () => {
    await endChildren();
    await receiver.close();
    await platform.close();
  });
  afterEach(() => platform.pauseWorkers());

  for (const [point, when, least] of [
    ['W0', 'before it sends', 1],
    ['W1', 'before it records what arrived', 2],
    ['W4', 'before COMMIT', 2],
    ['W5', 'after COMMIT', 1],
  ] as const) {
    it(`${when}, loses no event (${point})`, async () => {
      const { key } = await platform.agent();
      const body = { url: receiver.url };
      const made = await platform.request('POST /api/v1/webhooks', { key, body });
      const route = `POST /api/v1/webhooks/${made.body.webhook_id}/test`;
      const tested = await platform.request(route, { key });
      const [{ id }] = await platform.query(
        `select id from job where operation = 'deliver_events' and status = 'pending'`,
      );
      const env = { ...EGRESS, CRASH_AT: point, CRASH_AT_JOB: id };
      const armed = await child(platform, 'test/faults/worker.ts', env);
      await eventually(
        () => platform.query(MAKE_DUE),
        () => armed.process.signalCode === 'SIGKILL',
      );
      await platform.resumeWorkers();
      await eventually(
        () =>
          platform
            .query(MAKE_DUE)
            .then(() => platform.query(`select status from job where id = $1`, [id])),
        ([{ status }]) => status === 'complete',
      );
      const same = receiver.received.filter(({ event }) => event.id === tested.body.event_id);
      expect(same.length).to.be.at.least(least);
      for (const message of same) verify(made.body.secret, message);
      const waiting = await platform.query(
        `select from webhook_delivery where status <> 'arrived'`,
      );
      expect(waiting).to.deep.equal([]);
    });
  }
});
