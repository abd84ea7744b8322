// test:all: several API processes are started.
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { child, endChildren, openPlatform, type Child } from '../faults/children.ts';
import type { Reply, TestPlatform } from '../harness.ts';

const ROUTE = 'POST /api/v1/agent/register';

/** Small limits, and callers whose address a router in front has noted. */
const LIMITS = {
  TRUSTED_HOPS: '1',
  REGISTRATIONS_PER_ADDRESS: '6',
  REGISTRATIONS_PER_EMAIL_DOMAIN: '9',
};

let addresses = 0;
const newAddress = () => `198.51.${(addresses += 1) >> 8}.${addresses & 255}`;
const newDomain = () => `d${randomUUID().slice(0, 8)}.example`;

const someone = (domain = newDomain()) => {
  const username = `r${randomUUID().slice(0, 12)}`;
  return { username, email: `${username}@${domain}`, password: 'correct horse battery' };
};

describe('registration', function () {
  this.timeout(60_000);

  let platform: TestPlatform;
  let others: Child[];
  before(async () => {
    platform = await openPlatform({ env: LIMITS, workers: false });
    const start = () => child(platform, 'test/faults/api.ts', LIMITS);
    others = await Promise.all([start(), start()]);
  });
  after(async () => {
    await endChildren();
    await platform.close();
  });

  const register = (address: string, body: object = someone()) =>
    platform.request(ROUTE, { body, headers: { 'x-forwarded-for': address } });

  /** The same at each API process in turn. */
  async function registerAt(n: number, address: string, body: object): Promise<number> {
    const url = [platform.url, ...others.map((other) => other.url)][n % 3]!;
    const response = await fetch(`${url}/api/v1/agent/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify(body),
    });
    await response.arrayBuffer();
    return response.status;
  }

  const counted = (statuses: number[], status: number) =>
    statuses.filter((one) => one === status).length;

  it('is allowed so many times an hour to one address, exactly, over three API processes', async () => {
    const address = newAddress();
    const statuses = await Promise.all(
      Array.from({ length: 24 }, (_, n) => registerAt(n, address, someone())),
    );
    expect(counted(statuses, 200)).to.equal(6);
    expect(counted(statuses, 429)).to.equal(18);
    expect((await register(newAddress())).status, 'another address').to.equal(200);
  });

  it('is allowed so many times an hour to one email domain, exactly, however it is written', async () => {
    const domain = newDomain();
    const statuses = await Promise.all(
      Array.from({ length: 24 }, (_, n) =>
        registerAt(n, newAddress(), someone(n % 2 ? domain : domain.toUpperCase())),
      ),
    );
    expect(counted(statuses, 200)).to.equal(9);
    expect(counted(statuses, 429)).to.equal(15);
    expect((await register(newAddress())).status, 'another domain').to.equal(200);
  });

  it('leaves a domain that others used up to networks that have not, a share each', async () => {
    const domain = newDomain();
    for (let n = 0; n < 9; n += 1) {
      expect((await register(newAddress(), someone(domain))).status).to.equal(200);
    }
    const from = (address: string) => register(address, someone(domain));
    const full = await from(newAddress());
    expect([full.status, full.body.details.limited_by]).to.deep.equal([429, 'email_domain']);
    const elsewhere = await Promise.all(
      Array.from({ length: 6 }, (_, n) => registerAt(n, `203.0.113.${n + 1}`, someone(domain))),
    );
    expect(counted(elsewhere, 200), 'of one /24').to.equal(1);
    expect(counted(elsewhere, 429)).to.equal(5);
    expect((await from('2001:db8:9:1::1')).status).to.equal(200);
    expect((await from('2001:db8:9:2::1')).status, 'the same /48').to.equal(429);
    expect((await from('2001:db8:a:1::1')).status).to.equal(200);
    expect((await from(newAddress())).status).to.equal(429);
    expect(await audit(platform.context.database)).to.deep.equal([]);
  });

  it('counts the IPv6 addresses of one /64 as one', async () => {
    const statuses: number[] = [];
    for (let n = 1; n <= 8; n += 1) {
      statuses.push((await register(`2001:db8:7:7:${n}::${n}`)).status);
    }
    expect(statuses).to.eql([200, 200, 200, 200, 200, 200, 429, 429]);
    expect((await register('2001:db8:7:8::1')).status, 'the next /64').to.equal(200);
    expect((await register('::ffff:198.51.99.1')).status).to.equal(200);
  });

  it('says what is left, and when to come again', async () => {
    const address = newAddress();
    const replies: Reply[] = [];
    for (let n = 0; n < 7; n += 1) replies.push(await register(address));
    const left = replies.map(({ headers }) => headers.get('ratelimit'));
    expect(left[0]).to.equal('"address";r=5;t=3600');
    expect(left[5]).to.match(/^"address";r=0;t=3\d\d\d$/);
    expect(replies[5]!.headers.get('retry-after')).to.equal(null);
    for (const { headers } of replies) {
      expect(headers.get('ratelimit-policy')).to.equal('"address";q=6;w=3600');
    }
    const refused = replies[6]!;
    expect(refused.status).to.equal(429);
    expect(refused.body).to.include({ error: 'rate_limited', retryable: true });
    expect(refused.body.details).to.include({
      limited_by: 'address',
      limit: 6,
      window_seconds: 3600,
    });
    const after = Number(refused.headers.get('retry-after'));
    expect(after).to.be.within(3_500, 3_600);
    expect(refused.body.details.retry_after_seconds).to.equal(after);
    expect(refused.headers.get('ratelimit')).to.equal(`"address";r=0;t=${after}`);
  });

  it('is limited for tool calls too, and by the email domain in its name', async () => {
    const domain = newDomain();
    const call = (address: string) =>
      platform.request('POST /api/v1/mcp/call', {
        body: { tool: 'register_agent', params: someone(domain) },
        headers: { 'x-forwarded-for': address },
      });
    for (let n = 0; n < 9; n += 1) expect((await call(newAddress())).status).to.equal(200);
    const { status, headers, body } = await call(newAddress());
    expect(status).to.equal(429);
    expect(body.structuredContent).to.include({ error: 'rate_limited' });
    expect(body.structuredContent.details.limited_by).to.equal('email_domain');
    expect(headers.get('ratelimit-policy')).to.contain(', "email_domain";q=9;w=3600');
    expect(Number(headers.get('retry-after'))).to.be.within(3_500, 3_600);
  });

  it('counts accounts, and not calls that were refused', async () => {
    const address = newAddress();
    const first = someone();
    expect((await register(address, first)).status).to.equal(200);
    for (let n = 0; n < 8; n += 1) {
      expect((await register(address, { ...someone(), username: first.username })).status).to.equal(
        422,
      );
    }
    expect((await register(address)).status).to.equal(200);
  });

  it('costs no hash where it is refused', async () => {
    const address = newAddress();
    for (let n = 0; n < 6; n += 1) await register(address);
    // If so many waited for a hash, some would be refused with 503.
    const replies = await Promise.all(Array.from({ length: 80 }, () => register(address)));
    expect(new Set(replies.map(({ status }) => status))).to.deep.equal(new Set([429]));
  });

  it('is allowed again when an hour is over', async () => {
    const address = newAddress();
    for (let n = 0; n < 6; n += 1) await register(address);
    expect((await register(address)).status).to.equal(429);
    await platform.query(
      `update registration set created_at = created_at - interval '1 hour' where address = $1`,
      [address],
    );
    expect((await register(address)).status).to.equal(200);
    const [{ n }] = await platform.query(
      'select count(*)::int as n from registration where address = $1',
      [address],
    );
    expect(n, 'what counts no more is deleted').to.equal(1);
  });
});

describe('the welcome credit of a day', function () {
  this.timeout(60_000);

  const env = { WELCOME_CREDIT_PER_DAY: '3' };
  let platform: TestPlatform;
  let other: Child;
  before(async () => {
    platform = await openPlatform({ env, workers: false });
    other = await child(platform, 'test/faults/api.ts', env);
  });
  after(async () => {
    await endChildren();
    await platform.close();
  });

  it('ends exactly at its limit, over two API processes; accounts are opened without it', async () => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        const response = await fetch(`${n % 2 ? platform.url : other.url}/api/v1/agent/register`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(someone()),
        });
        return { status: response.status, body: (await response.json()) as Registered };
      }),
    );
    expect(replies.map(({ status }) => status)).to.eql(Array.from({ length: 20 }, () => 200));
    const given = replies.filter(({ body }) => body.balance === 0.5);
    const without = replies.filter(({ body }) => body.balance === 0);
    expect([given.length, without.length]).to.eql([6, 14]);
    for (const { body } of given) expect(body).to.not.have.property('notice');
    for (const { body } of without) {
      expect(body.notice).to.match(/no more welcome credit today/);
      const wallet = await platform.request('GET /api/v1/wallet', { key: body.api_key.key });
      expect(wallet.body).to.include({ balance: 0, credit: 0 });
    }
    const [{ sum }] = await platform.query(
      `select sum(credit)::int as sum from ledger.transfer where kind = 'welcome'`,
    );
    expect(sum).to.equal(3_000_000);
    expect(await audit(platform.context.database)).to.deep.equal([]);
  });

  it('is there again on the next day', async () => {
    await platform.query(`update welcome_credit set day = day - 1`);
    const { body } = await platform.request(ROUTE, { body: someone() });
    expect(body).to.include({ balance: 0.5 });
  });
});

interface Registered {
  balance: number;
  notice?: string;
  api_key: { key: string };
}
