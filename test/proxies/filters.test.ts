import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { eventually, TestPlatform, type Reply } from '../harness.ts';
import { stock } from './stock.ts';

interface Proxy {
  readonly id: string;
}

describe('proxy_list by what is known of proxies', () => {
  let platform: TestPlatform;
  let agent: Awaited<ReturnType<TestPlatform['agent']>>;
  const ids: Record<string, string[]> = {};
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
    for (const [name, changes, state] of [
      ['paris', { city: 'Paris', asn: 64_500, anonymity: 'elite', success_rate: 1, uptime: 1 }],
      ['lyon', { city: 'Lyon', asn: 64_500, anonymity: 'anonymous', success_rate: 0.9 }],
      ['warm', { city: 'Paris', asn: 64_501, anonymity: 'elite', success_rate: 0.7 }, 'warm'],
      ['degraded', { city: 'Paris', asn: 64_500, anonymity: 'elite' }, 'degraded'],
      ['unknown', {}],
    ] as const) {
      const added = await stock(platform, { count: 4, country: 'FR', ...(state && { state }) });
      const sets = Object.entries(changes).map(([field, value]) => `${field} = '${value}'`);
      if (sets.length > 0) {
        await platform.query(`update proxy set ${sets.join()} where id = any ($1)`, [added]);
      }
      ids[name] = added.map(String);
    }
  });
  beforeEach(async () => {
    agent = await platform.agent();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const list = (query: string) =>
    platform.request(`GET /api/v1/proxy/list?limit=100&${query}`, { key: agent.key });
  const idsOf = ({ body }: Reply) => body.proxies.map(({ id }: Proxy) => id) as string[];

  for (const [query, ...names] of [
    ['anonymity=anonymous', 'lyon'],
    ['anonymity=elite', 'paris'],
    ['anonymity=elite&country=fr', 'paris', 'warm'],
    ['anonymity=transparent'],
    ['city=paris', 'paris'],
    ['city=PARIS&country=FR', 'paris', 'warm'],
    ['city=Paris&asn=64501&country=FR', 'warm'],
    ['asn=64500', 'paris', 'lyon'],
    ['asn=64502'],
    ['min_success_rate=0.9', 'paris', 'lyon'],
    ['min_success_rate=0.901', 'paris'],
    ['min_success_rate=0.5&country=FR', 'paris', 'lyon', 'warm'],
    ['min_uptime=0', 'paris'],
    ['asn=64500&min_success_rate=1&anonymity=elite', 'paris'],
  ] as const) {
    it(`with ${query} gives ${names.join(', ') || 'nothing, for nothing'}`, async () => {
      const reply = await list(query);
      expect(reply.status).to.equal(200);
      expect(idsOf(reply)).to.have.members(names.flatMap((name) => ids[name]!));
      expect(reply.body.charged).to.equal((4 * names.length) / 1_000);
      const left = (500 - 4 * names.length) / 1_000;
      expect(await platform.balance(agent)).to.be.closeTo(left, 1e-9);
    });
  }

  it('shows what is known, and null for what is not', async () => {
    const { body } = await list('city=Lyon');
    expect(body.proxies[0]).to.include({
      anonymity: 'anonymous',
      success_rate: 0.9,
      uptime: null,
      city: 'Lyon',
      asn: 64_500,
    });
    const id = ids.unknown![0];
    const one = await platform.request(`GET /api/v1/proxy/${id}`, { key: agent.key });
    expect(one.body).to.include({ anonymity: null, success_rate: null, uptime: null });
    expect(one.body).to.include({ city: null, asn: null });
  });

  it('gives pages that do not overlap, and a tool the same', async () => {
    const pages = [];
    for (const offset of [0, 3, 6, 9]) {
      pages.push(await list(`asn=64500&limit=3&offset=${offset}`.replace('limit=3', '')));
    }
    expect(idsOf(pages[0]!)).to.have.length(8);
    expect(idsOf(pages[1]!)).to.deep.equal(idsOf(pages[0]!).slice(3));
    expect(idsOf(pages[3]!)).to.deep.equal([]);
    // No page is short by those that are not sold.
    const singles: string[] = [];
    for (const offset of [0, 1, 2, 3]) {
      const path = `/api/v1/proxy/list?city=paris&limit=1&offset=${offset}`;
      singles.push(...idsOf(await platform.request(`GET ${path}`, { key: agent.key })));
    }
    expect(singles).to.have.members(ids.paris!);
    const called = await platform.request('POST /api/v1/mcp/call', {
      key: agent.key,
      body: { tool: 'proxy_list', params: { city: 'Lyon', min_success_rate: 0.9 } },
    });
    expect(called.body.structuredContent.count).to.equal(4);
  });

  it('refuses values that no proxy could have, free of charge', async () => {
    for (const query of [
      'anonymity=none',
      'city=',
      'asn=0',
      'asn=4294967296',
      'asn=1.5',
      'min_success_rate=1.1',
      'min_success_rate=-1',
      'min_uptime=much',
    ]) {
      const { status, body } = await list(query);
      expect([status, body.error], query).to.deep.equal([422, 'validation_error']);
    }
    expect(await platform.balance(agent)).to.equal(0.5);
  });

  it('sells none that left the market a moment ago', async () => {
    const [gone, ...stay] = ids.lyon!;
    await platform.query(`update proxy set state = 'degraded', fails = 1 where id = $1`, [gone]);
    await eventually(
      () => list('anonymity=anonymous'),
      (reply) => reply.body.count === stay.length,
    );
    await platform.query(`update proxy set state = 'hot', fails = 0 where id = $1`, [gone]);
  });
});
