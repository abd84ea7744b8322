import { expect } from 'chai';

import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';
import type { NameServer } from '../name_server.ts';
import { startZone } from './zone.ts';
import { setPolicy } from '../policy.ts';
import { asOwner } from '../as_owner.ts';

describe('email_quota', () => {
  let platform: TestPlatform;
  let names: NameServer;
  before(async () => {
    names = await startZone({
      'mail.example': { MX: ['mx.mail.example'] },
      'down.example': 'SERVFAIL',
    });
    platform = await TestPlatform.open({ env: { DNS_SERVERS: names.address } });
  });
  after(async () => {
    await platform.close();
    await names.close();
  });

  const quota = async ({ key }: { key: string }) =>
    (await platform.request('GET /api/v1/email/quota', { key })).body;
  const validate = ({ key }: { key: string }, email: string) =>
    platform.request(`GET /api/v1/email/validate/${email}`, { key });
  const limit = (agent: { id: number }, column: string, value: unknown) =>
    setPolicy(platform, agent, { [column]: value });

  it('shows the price, what it buys now, and what was used today', async () => {
    const agent = await platform.agent();
    expect(await quota(agent)).to.deep.equal({
      price: 0.002,
      balance: 0.5,
      affordable: 250,
      used_today: 0,
    });
    for (const email of ['a@mail.example', 'b@nobody.example', 'c@down.example']) {
      await validate(agent, email);
    }
    // An answer that could not be found is not used.
    expect(await quota(agent)).to.deep.equal({
      price: 0.002,
      balance: 0.496,
      affordable: 248,
      used_today: 2,
    });
    await asOwner(platform, `update charge set created_at = created_at - interval '1 day'`);
    expect(await quota(agent)).to.include({ used_today: 0 });
  });

  it('counts what a child used for its owner too, and not the other way round', async () => {
    const owner = await platform.agent();
    const child = await childOf(platform, owner);
    await validate(child, 'a@mail.example');
    await validate(owner, 'b@mail.example');
    expect(await quota(owner)).to.include({ used_today: 2, affordable: 248 });
    expect(await quota(child)).to.include({ used_today: 1, affordable: 248 });
    expect(await quota(await platform.agent())).to.include({ used_today: 0 });
  });

  it('is no more than the limits above an agent allow', async () => {
    const owner = await platform.agent();
    const child = await childOf(platform, owner);
    await limit(child, 'daily_spend_limit', 9_000);
    expect(await quota(child)).to.include({ affordable: 4 });
    await validate(child, 'a@mail.example');
    expect(await quota(child)).to.include({ affordable: 3 });
    await limit(owner, 'daily_spend_limit', 7_000);
    expect(await quota(child)).to.include({ affordable: 2 });
    await limit(owner, 'max_spend_per_tx', 1_999);
    expect(await quota(child)).to.include({ affordable: 0, balance: 0.498 });
    await limit(owner, 'max_spend_per_tx', 2_000);
    expect(await quota(child)).to.include({ affordable: 2 });
    await limit(owner, 'allowed_product_types', ['proxy_service']);
    expect(await quota(child)).to.include({ affordable: 0 });
  });

  it('needs a key', async () => {
    const { status, body } = await platform.request('GET /api/v1/email/quota');
    expect([status, body.error]).to.deep.equal([401, 'authentication_required']);
  });
});
