// test:all: a worker is killed while it delivers.
import { expect } from 'chai';

import { eventually, type TestPlatform } from '../harness.ts';
import { startReceiver, verify, type Receiver } from '../webhooks/receiver.ts';
import { child, endChildren, openPlatform } from './children.ts';

const EGRESS = { EGRESS_ALLOW: '127.0.0.0/8' };

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
    ['H0', 'before it sends', 1],
    ['H1', 'before it records what arrived', 2],
    ['H2', 'before COMMIT', 2],
    ['H3', 'after COMMIT', 1],
  ] as const) {
    it(`${when}, loses no event (${point})`, async () => {
      const { key } = await platform.agent();
      const body = { url: receiver.url };
      const made = await platform.request('POST /api/v1/webhooks', { key, body });
      const { webhook_id: id, secret } = made.body;
      const env = { ...EGRESS, CRASH_AT: point, CRASH_AT_JOB: String(id) };
      const tested = await platform.request(`POST /api/v1/webhooks/${id}/test`, { key });
      const armed = await child(platform, 'test/faults/worker.ts', env);
      expect(await armed.ended).to.equal('SIGKILL');
      await platform.query(`update webhook set claimed_until = '-infinity'`); // It has passed.
      await platform.resumeWorkers();
      await eventually(
        () => platform.query(`select from webhook_delivery where status <> 'arrived'`),
        (left) => left.length === 0,
      );
      const same = receiver.received.filter(({ event }) => event.id === tested.body.event_id);
      expect(same).to.have.length(least);
      for (const message of same) verify(secret, message);
    });
  }
});
