import { expect } from 'chai';

import { verdictOn, type Judgement } from '../../shared/domains/proxies/checks/judge.ts';
import { TestPlatform } from '../harness.ts';
import { EXITS } from './peers.ts';

const NONCE = 'n0nce-n0nce-n0nce-n0nce';

describe('the judge', () => {
  let platform: TestPlatform;
  afterEach(() => platform.close());

  const ask = async (headers = {}) => {
    const answer = await fetch(`${platform.url}/api/v1/proxy/judge?nonce=${NONCE}`, { headers });
    return (await answer.json()) as Judgement;
  };

  it('answers the address of a request, and signs it with the nonce that was sent', async () => {
    platform = await TestPlatform.open({ workers: false });
    const body = await ask({ 'x-forwarded-for': EXITS.US.seen });
    expect(body).to.include({ address: '127.0.0.1', nonce: NONCE });
    const { secrets } = platform.context;
    const finding = {
      answered: true as const,
      latencyMs: 5,
      country: undefined,
      anonymity: 'elite' as const,
      page: 'same' as const,
      ...body,
    };
    expect(verdictOn(secrets, finding)).to.deep.equal({ passed: true, latencyMs: 5 });
    for (const lie of [
      { address: '8.8.8.8' },
      { nonce: `${NONCE}x` },
      { seen: 'via' },
      { proof: '' },
      { proof: body.proof.slice(0, -4) },
      { address: 'x' },
    ]) {
      const verdict = verdictOn(secrets, { ...finding, ...lie });
      expect(verdict, JSON.stringify(lie)).to.deep.equal({ passed: false, forged: true });
    }
  });

  it('refuses a nonce of another form', async () => {
    platform = await TestPlatform.open({ workers: false });
    for (const query of ['', '?nonce=short', `?nonce=${'x'.repeat(65)}`, '?nonce=a%20b&nonce=c']) {
      const { status, body } = await platform.request(`GET /api/v1/proxy/judge${query}`);
      expect([status, body.error], query).to.deep.equal([422, 'validation_error']);
    }
  });

  it('believes of X-Forwarded-For what its own routers added, and nothing before that', async () => {
    platform = await TestPlatform.open({ workers: false, env: { TRUSTED_HOPS: '2' } });
    for (const [told, address] of [
      ['8.8.8.8, 10.0.0.7', '8.8.8.8'],
      ['1.2.3.4, 8.8.8.8, 10.0.0.7', '8.8.8.8'],
      ['1.2.3.4,2001:db8::1 ,10.0.0.7', '2001:db8::1'],
      ['8.8.8.8', '127.0.0.1'],
      ['garbage, 10.0.0.7', '127.0.0.1'],
      ['', '127.0.0.1'],
    ] as const) {
      expect((await ask({ 'x-forwarded-for': told })).address, told).to.equal(address);
    }
  });
});
