import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { eventually, TestPlatform, type Reply } from '../harness.ts';
import { stock } from './stock.ts';

interface Proxy {
  readonly id: string;
  readonly exit_ip: string;
}

describe('a list of proxies, several of which have one exit', () => {
  let platform: TestPlatform;
  let agent: Awaited<ReturnType<TestPlatform['agent']>>;
  const EXITS = 20;
  const EACH = 5;
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
    const ids = await stock(platform, { count: EXITS * EACH, country: 'FR' });
    await platform.query(
      `update proxy set asn = 64500, exit_address = ('203.0.113.' || exit)::inet, exit_key = exit
         from (select id as this, (n % $2) + 1 as exit
                 from unnest($1::int[]) with ordinality as listed(id, n)) listed
        where id = this`,
      [ids, EXITS],
    );
    await eventually(
      () => platform.request('GET /api/v1/proxy/info?by_country=true'),
      ({ body }) => body.total === EXITS * EACH && body.exits === EXITS,
    );
  });
  beforeEach(async () => {
    agent = await platform.agent();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const list = (query: string, headers = {}) =>
    platform.request(`GET /api/v1/proxy/list?${query}`, { key: agent.key, headers });
  const exitsOf = ({ body }: Reply): string[] =>
    body.proxies.map((proxy: Proxy) => proxy.exit_ip) as string[];

  for (const query of ['', 'country=fr', 'asn=64500', 'country=fr&asn=64500']) {
    it(`gives one of each, and charges those (${query || 'the hot pool'})`, async () => {
      const reply = await list(`limit=100&${query}`);
      expect(reply.body).to.include({ count: EXITS, charged: 0.02 });
      expect(new Set(exitsOf(reply)).size).to.equal(EXITS);
      expect(exitsOf(reply)[0]).to.match(/^203\.0\.113\.\d+$/);
      const all = await list(`limit=100&distinct=none&${query}`);
      expect(all.body.count).to.equal(EXITS * EACH);
      expect(new Set(exitsOf(all)).size).to.equal(EXITS);
    });

    it(`gives each once over its pages (${query || 'the hot pool'})`, async () => {
      const pages = await Promise.all(
        [0, 8, 16, 24].map((offset) => list(`limit=8&offset=${offset}&${query}`)),
      );
      expect(pages.map(({ body }) => body.count)).to.deep.equal([8, 8, 4, 0]);
      expect(new Set(pages.flatMap(exitsOf)).size).to.equal(EXITS);
    });
  }

  it('gives one of each also where exits have changed since the pool was read', async () => {
    await platform.query(
      `update proxy set exit_key = exit_key % 2, exit_address = '203.0.113.200'`,
    );
    const { body } = await list('limit=100&asn=64500');
    expect(body.count).to.equal(2);
    expect((await list('limit=100')).body.count).to.be.at.most(2);
  });

  it('is repeated with its exits, and neither address is stored with the call', async () => {
    const headers = { 'idempotency-key': 'twice' };
    const first = await list('limit=2&distinct=none', headers);
    const again = await list('limit=2&distinct=none', headers);
    expect(again.text).to.equal(first.text);
    expect(again.headers.get('idempotent-replayed')).to.equal('true');
    const jobs = await platform.query(
      `select t::text as row from job t where t::text like '%203.0.113.%'`,
    );
    expect(jobs).to.deep.equal([]);
  });

  it('refuses another way to be distinct', async () => {
    expect((await list('distinct=country')).status).to.equal(422);
  });
});
