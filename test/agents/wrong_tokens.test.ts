import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { openBackoff } from '../../shared/platform/shares/backoff.ts';
import { openPace } from '../../shared/platform/shares/pace.ts';
import { OPERATOR_TOKEN } from '../access/scene.ts';
import { TestPlatform } from '../harness.ts';

const WRONG = 'x'.repeat(30);

describe('whoever sends wrong tokens of operators', () => {
  let platform: TestPlatform;
  /** Their clock, which a slow machine does not advance. */
  let now = 0;
  before(async () => {
    const env = { OPERATOR_WRONG_TOKENS: '3', TRUSTED_HOPS: '1' };
    platform = await TestPlatform.open({ workers: false, env });
    const { context } = platform;
    const operatorLogins = openBackoff(context.config.agents.wrongTokens, { elapsedMs: () => now });
    Object.assign(context.limiters, { operatorLogins });
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const call = (key: string, address: string, path = '/api/v1/admin/products') =>
    platform.request(`GET ${path}`, { key, headers: { 'x-forwarded-for': address } });
  const guess = async (address: string) => {
    for (let n = 0; n < 3; n += 1) expect((await call(WRONG, address)).status).to.equal(401);
  };

  it('waits, whatever it sends then, and is let in afterwards', async () => {
    await guess('192.0.2.1');
    const { status, headers, body } = await call(OPERATOR_TOKEN, '192.0.2.1');
    expect([status, body.error]).to.deep.equal([429, 'rate_limited']);
    expect(body.details).to.deep.equal({ limited_by: 'address', retry_after_seconds: 1 });
    expect(headers.get('retry-after')).to.equal('1');
    expect(headers.get('ratelimit')).to.equal('"logins";r=0;t=1');
    now += 999;
    expect((await call(OPERATOR_TOKEN, '192.0.2.1')).status).to.equal(429);
    now += 1;
    expect((await call(OPERATOR_TOKEN, '192.0.2.1')).status).to.equal(200);
    expect((await call(WRONG, '192.0.2.1')).status).to.equal(401);
    expect((await call(WRONG, '192.0.2.1')).body.details.retry_after_seconds).to.equal(2);
  });

  it('locks nobody out who comes from elsewhere, nor agents who come from there', async () => {
    await guess('192.0.2.2');
    expect((await call(OPERATOR_TOKEN, '192.0.2.3')).status).to.equal(200);
    const { key } = await platform.agent();
    expect((await call(key, '192.0.2.2', '/api/v1/agent/me')).status).to.equal(200);
    expect((await call(OPERATOR_TOKEN, '192.0.2.2')).status).to.equal(429);
  });

  it('waits at the metrics too', async () => {
    const address = '192.0.2.18';
    for (let n = 0; n < 3; n += 1) await call(WRONG, address, '/metrics');
    const { status, headers } = await call(OPERATOR_TOKEN, address, '/metrics');
    expect([status, headers.get('retry-after')]).to.deep.equal([429, '1']);
  });
});

describe('whoever sends wrong keys', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  it('hears of them more and more slowly, and right ones are answered meanwhile', async () => {
    const { key } = await platform.agent();
    const { limiters } = platform.context;
    const { refusals } = limiters;
    const slow = openPace({ perSecond: 1 });
    Object.assign(limiters, { refusals: slow });
    try {
      const startedAt = performance.now();
      const wrong = ['a', 'b', 'c'].map(async (letter) => {
        const call = { key: `vnx_${letter.repeat(43)}` };
        expect((await platform.request('GET /api/v1/agent/me', call)).status).to.equal(401);
        return performance.now() - startedAt;
      });
      expect(Math.max(...(await Promise.all(wrong)))).to.be.above(1_900);

      // At a pace that stands still, one that is right is answered before one that is not.
      const told: number[] = [];
      let proceed!: () => void;
      const still = new Promise<void>((resolve) => (proceed = resolve));
      Object.assign(limiters, { refusals: { wait: () => still, close: proceed } });
      const call = async (as: string) => {
        told.push((await platform.request('GET /api/v1/agent/me', { key: as })).status);
      };
      const late = call(`vnx_${'d'.repeat(43)}`);
      await call(key);
      expect(told).to.deep.equal([200]);
      proceed();
      await late;
      expect(told).to.deep.equal([200, 401]);
    } finally {
      Object.assign(limiters, { refusals });
      slow.close();
    }
  });
});
