// test:all: API processes are killed.
import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import type { TestPlatform } from '../harness.ts';
import { openDeal, orderAs } from '../orders/deal.ts';
import { child, endChildren, openPlatform } from './children.ts';

describe('an API process that is killed while it performs a batch of writes', function () {
  this.timeout(120_000);

  let platform: TestPlatform;
  before(async () => {
    platform = await openPlatform();
  });
  afterEach(endChildren);
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  for (const [point, when, status] of [
    ['B1', 'before COMMIT, has done nothing, and the key is free', 'escrow'],
    ['B2', 'after COMMIT, has done it once, and the key finds its answer', 'completed'],
  ] as const) {
    it(`${when} (${point})`, async () => {
      const { seller, buyer, orderId } = await openDeal(platform);
      const api = await child(platform, 'test/faults/api.ts', { CRASH_AT: point });
      const route = `/api/v1/orders/${orderId}/confirm`;
      const headers = { 'idempotency-key': randomUUID() };
      const call = fetch(`${api.url}${route}`, {
        method: 'POST',
        headers: { ...headers, authorization: `Bearer ${buyer.key}` },
      });
      expect(await call.catch(() => undefined)).to.equal(undefined);
      expect(await api.ended).to.equal('SIGKILL');
      expect((await orderAs(platform, buyer, orderId)).status).to.equal(status);

      const repeat = await platform.request(`POST ${route}`, { key: buyer.key, headers });
      expect([repeat.status, repeat.body.status]).to.deep.equal([200, 'completed']);
      const isReplayed = repeat.headers.get('idempotent-replayed') === 'true';
      expect(isReplayed).to.equal(status === 'completed');
      expect(await platform.balance(seller)).to.equal(1.5);
    });
  }
});
