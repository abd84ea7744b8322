import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { wholeOf } from '../api/mcp/whole_text.ts';
import { eventually, TestPlatform, type Reply } from '../harness.ts';
import { stock } from './stock.ts';
import { patience } from '../platform/pace.ts';

interface Proxy {
  readonly id: string;
  readonly ip_port: string;
  readonly country_code: string;
}

describe('proxy_list', () => {
  let platform: TestPlatform;
  let agent: Awaited<ReturnType<TestPlatform['agent']>>;
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
    await stock(platform, { count: 400, country: 'US' });
    await stock(platform, { count: 150, country: 'DE', state: 'warm' });
    await stock(platform, { count: 5, country: 'FR' });
    for (const state of ['degraded', 'quarantined', 'dead']) {
      await stock(platform, { count: 50, country: 'FR', state });
    }
    await eventually(
      () => platform.request('GET /api/v1/proxy/info'),
      ({ body }) => body.total === 555,
    );
  });
  beforeEach(async () => {
    agent = await platform.agent();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const list = (query = '', key = agent.key, headers = {}) =>
    platform.request(`GET /api/v1/proxy/list${query}`, { key, headers });
  const call = (params: object, key = agent.key): Promise<Reply> =>
    platform.request('POST /api/v1/mcp/call', { key, body: { tool: 'proxy_list', params } });
  const idsOf = ({ body }: Reply) => body.proxies.map(({ id }: Proxy) => id) as string[];

  it('gives ten from the hot pool, each once, with the time of its check, for a cent', async () => {
    const { status, body, headers } = await list();
    expect(status).to.equal(200);
    expect(Object.keys(body)).to.deep.equal(['proxies', 'count', 'charged']);
    expect(body).to.include({ count: 10, charged: 0.01 });
    expect(new Set(body.proxies.map(({ id }: Proxy) => id)).size).to.equal(10);
    for (const proxy of body.proxies) {
      expect(proxy).to.have.keys(
        'id',
        'ip_port',
        'exit_ip',
        'country_code',
        'protocol',
        'latency_ms',
        'last_checked_at',
        'anonymity',
        'success_rate',
        'uptime',
        'city',
        'asn',
        'https',
      );
      expect(proxy.id).to.match(/^\d+$/);
      expect(proxy.ip_port).to.match(/^[\d.]+:\d+$/);
      expect(proxy).to.include({ protocol: 'socks5', latency_ms: 100 });
      expect(proxy.country_code).to.be.oneOf(['US', 'FR']); // DE is warm only.
      expect(Date.now() - Date.parse(proxy.last_checked_at)).to.be.within(-5_000, patience(60_000));
    }
    expect(headers.get('cache-control')).to.equal('no-store');
    expect(await platform.balance(agent)).to.equal(0.49);
    const wallet = await platform.request('GET /api/v1/wallet', agent);
    expect(wallet.body).to.include({ daily_spend: 0.01, credit: 0.49 });
    const statement = await platform.request('GET /api/v1/wallet/statement', agent);
    expect(statement.body.entries[0]).to.include({ amount: -0.01, balance_after: 0.49 });
  });

  it('gives those of a country, however it is capitalised, hot or not', async () => {
    for (const [country, count] of [
      ['DE', 100],
      ['de', 100],
      ['FR', 5],
    ] as const) {
      const { body } = await list(`?country=${country}&limit=100`);
      expect([body.count, body.charged]).to.deep.equal([count, count / 1_000]);
      const found = new Set(body.proxies.map(({ country_code }: Proxy) => country_code));
      expect([...found]).to.deep.equal([country.toUpperCase()]);
    }
  });

  it('charges nothing for an empty list', async () => {
    for (const query of ['?country=AQ', '?offset=1000000', '?country=FR&offset=5']) {
      const { status, body } = await list(query);
      expect([status, body]).to.deep.equal([200, { proxies: [], count: 0, charged: 0 }]);
    }
    expect(await platform.balance(agent)).to.equal(0.5);
    expect(await chargesOf(agent)).to.equal(0);
  });

  it('takes at most 100 over REST, and 2 000 as a tool', async () => {
    for (const query of ['?limit=101', '?limit=0', '?limit=-1', '?limit=1.5', '?limit=x']) {
      const { status, body } = await list(query);
      expect([status, body.error], query).to.deep.equal([422, 'validation_error']);
      expect(body.details.fields[0].pointer).to.equal('/limit');
    }
    for (const query of ['?country=USA', '?country=1', '?offset=-1', '?partial=maybe', '?hot=1']) {
      expect((await list(query)).status, query).to.equal(422);
    }
    const many = await call({ limit: 2_000 });
    expect(many.body.structuredContent).to.include({ count: 405, charged: 0.405 });
    expect((await call({ limit: 2_001 })).status).to.equal(422);
    // All of them are in structuredContent. The text has each value once, for who reads it alone.
    const { structuredContent, content } = many.body;
    const { proxies } = structuredContent as { proxies: Record<string, unknown>[] };
    const text = content[0].text as string;
    expect(text.length).to.be.below(JSON.stringify(structuredContent).length / 2);
    expect(wholeOf(JSON.parse(text)).proxies).to.deep.equal(proxies);
    const { content: few, structuredContent: same } = (await call({ limit: 10 })).body;
    expect(JSON.parse(few[0].text)).to.deep.equal(same);
    expect(await platform.balance(agent)).to.be.closeTo(0.085, 1e-9);
  });

  it('gives two callers, and one caller twice, different proxies', async () => {
    const other = await platform.agent();
    const keys = Array.from({ length: 10 }, (_, n) => (n % 2 ? agent : other).key);
    const firsts = await Promise.all(keys.map((key) => list('', key)));
    // Each begins at any of 405: two may begin at the same one, and hardly three.
    expect(new Set(firsts.map((reply) => idsOf(reply).join())).size).to.be.greaterThan(4);
  });

  it('gives with offsets the pages of one list, in which nothing comes twice', async () => {
    const pages = [];
    for (let offset = 0; offset < 155; offset += 40) {
      pages.push(await list(`?country=DE&limit=40&offset=${offset}`));
    }
    expect(pages.map(({ body }) => body.count)).to.deep.equal([40, 40, 40, 30]);
    expect(new Set(pages.flatMap(idsOf)).size).to.equal(150);
    expect(idsOf(await list('?country=DE&limit=40&offset=0'))).to.deep.equal(idsOf(pages[0]!));
  });

  it('gives a page without those that left the market, and none of the next page for them', async () => {
    const ids = await stock(platform, { count: 45, country: 'NO' });
    const page = () => list('?country=NO&limit=10&offset=0');
    await eventually(page, ({ body }) => body.count === 10);
    const counts: number[] = [];
    // In between this process may read the pool again, but not each time.
    for (let n = 0; n < 9; n += 1) {
      const [first] = idsOf(await page());
      await platform.query(`update proxy set state = 'dead' where id = $1`, [first]);
      counts.push((await page()).body.count);
    }
    expect(Math.min(...counts)).to.be.within(1, 9);
    await platform.query('delete from proxy where id = any ($1)', [ids]);
  });

  it('sells no proxy that left the market since this process read the pool, and none unchecked for too long', async () => {
    const ids = await stock(platform, { count: 30, country: 'JP' });
    await eventually(
      () => platform.request('GET /api/v1/proxy/info'),
      ({ body }) => body.total === 585,
    );
    await platform.query(`update proxy set state = 'degraded', fails = 1 where id = any ($1)`, [
      ids.slice(0, 10),
    ]);
    await platform.query(
      `update proxy set passed_at = now() - interval '3 hours',
              checked_at = now() - interval '3 hours' where id = any ($1)`,
      [ids.slice(10, 20)],
    );
    // One has moved. It and the rest are warm now, so the hot pool has none of them.
    await platform.query(
      `update proxy set state = 'warm', country_code = case when id = $2 then 'KR' else 'JP' end
        where id = any ($1) and state = 'hot'`,
      [ids, ids.at(-1)],
    );
    const hot = await call({ limit: 2_000 });
    expect(idsOf({ body: hot.body.structuredContent } as Reply)).not.to.include.members(
      ids.slice(20, 21).map(String),
    );
    const { body } = await list('?country=JP&limit=100');
    const left = ids.slice(20, -1).map(String);
    expect(body.proxies.map(({ id }: Proxy) => id)).to.have.members(left);
    expect(body.charged).to.equal(0.009);
    await platform.query('delete from proxy where id = any ($1)', [ids]);
  });

  it('is answered at once by a process that has not read the pool yet', async () => {
    const fresh = await TestPlatform.open({ workers: false });
    try {
      await stock(fresh, { count: 12 });
      await stock(fresh, { count: 3, country: 'DE' });
      const { key } = await fresh.agent();
      const all = await fresh.request('GET /api/v1/proxy/list?limit=100', { key });
      expect(all.body.count).to.equal(15);
      expect(new Set(idsOf(all)).size).to.equal(15);
    } finally {
      await fresh.close();
    }
  });

  const chargesOf = async ({ id }: { id: number }) =>
    (await platform.query('select from charge where agent_id = $1', [id])).length;
});
