import { expect } from 'chai';
import { parse } from 'yaml';

import { openListing } from '../../shared/domains/proxies/sources/listing.ts';
import { exceptionOf } from '../../shared/platform/egress/addresses.ts';
import { audit } from '../../shared/composition/audit.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { stock } from './stock.ts';

describe('proxy_list over REST', () => {
  let platform: TestPlatform;
  let agent: Awaited<ReturnType<TestPlatform['agent']>>;
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
    const [id] = await stock(platform, { count: 3, country: 'US' });
    await platform.query(
      `update proxy set city = '=1+1, "X"', asn = 7, https = true where id = $1`,
      [id],
    );
    await stock(platform, { country: 'DE', state: 'warm' });
    await platform.query(
      `update proxy set ip_port = '[2001:db8::1]:1080' where country_code = 'DE'`,
    );
    await eventually(
      () => platform.request('GET /api/v1/proxy/info'),
      ({ body }) => body.total === 4,
    );
  });
  beforeEach(async () => {
    agent = await platform.agent();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const list = (query: string, headers: Record<string, string> = {}) =>
    platform.request(`GET /api/v1/proxy/list?${query}`, { key: agent.key, headers });
  const addresses = async (country = 'us'): Promise<string[]> => {
    const { body } = await list(`country=${country}&offset=0`);
    return body.proxies.map(({ ip_port: address }: { ip_port: string }) => address) as string[];
  };

  for (const [form, type, of] of [
    ['text', 'text/plain', (all: string[]) => all.map((one) => `${one}\n`).join('')],
    [
      'curl',
      'text/x-shellscript',
      (all: string[]) =>
        all.map((one) => `curl -x 'socks5h://${one}' https://example.com/\n`).join(''),
    ],
  ] as const) {
    it(`answers as ${form}, for the same price`, async () => {
      const expected = of(await addresses());
      const before = await platform.balance(agent);
      const { status, text, headers } = await list(`country=us&offset=0&format=${form}`);
      expect([status, text]).to.deep.equal([200, expected]);
      expect(headers.get('content-type')).to.equal(`${type}; charset=utf-8`);
      expect(headers.get('cache-control')).to.equal('no-store');
      expect(await platform.balance(agent)).to.be.closeTo(before - 0.003, 1e-9);
    });
  }

  it('answers as CSV, in which a spreadsheet finds no formula', async () => {
    const { text, headers } = await list('country=us&format=csv');
    const [head, ...lines] = text.trimEnd().split('\r\n');
    expect(headers.get('content-type')).to.equal('text/csv; charset=utf-8');
    expect(head).to.match(/^ip_port,exit_ip,country_code,city,asn,/);
    expect(lines).to.have.length(3);
    const named = lines.filter((line) => line.includes('1+1'));
    expect(named).to.have.length(1);
    expect(named[0]).to.include(`,US,"'=1+1, ""X""",7,socks5,,true,`);
  });

  it('answers as a list for Clash where no proxy is found', async () => {
    const { status, text } = await list('country=fr&format=clash');
    expect([status, text]).to.deep.equal([200, 'proxies: []\n']);
    expect(parse(text)).to.deep.equal({ proxies: [] });
  });

  it('answers as the configuration of Clash, which is a source again', async () => {
    for (const country of ['us', 'de']) {
      const expected = await addresses(country);
      const { text, headers } = await list(`country=${country}&offset=0&format=clash`);
      expect(headers.get('content-type')).to.match(/^application\/yaml/);
      const { proxies } = parse(text) as {
        proxies: { server: string; port: number; type: string }[];
      };
      const found = proxies.map(({ server, port }) =>
        server.includes(':') ? `[${server}]:${port}` : `${server}:${port}`,
      );
      expect(found).to.deep.equal(expected);
      expect(proxies[0]).to.include({ type: 'socks5' });
      const exceptions = ['10.0.0.0/8', '2001:db8::/32'].map(exceptionOf);
      const reader = openListing({ exceptions });
      reader.write(Buffer.from(text));
      expect([...reader.end().entries.keys()]).to.have.members(expected);
    }
  });

  it('answers by Accept, where no format is given', async () => {
    for (const [accept, type] of [
      ['text/plain', 'text/plain'],
      ['text/csv', 'text/csv'],
      ['application/yaml', 'application/yaml'],
      ['text/csv, application/json;q=0.5', 'text/csv'],
      ['*/*', 'application/json'],
      ['application/json, text/plain, */*', 'application/json'],
      ['text/html,application/xhtml+xml,*/*;q=0.8', 'application/json'],
      ['image/png', 'application/json'],
    ] as const) {
      const { headers } = await list('limit=1', { accept });
      expect(headers.get('content-type')!.split(';')[0], accept).to.equal(type);
      expect(headers.get('vary'), accept).to.match(/accept\b/i);
    }
    const asked = await list('limit=1&format=json', { accept: 'text/csv' });
    expect(asked.body.count).to.equal(1);
  });

  it('repeats a purchase in another form, for nothing', async () => {
    const headers = { 'idempotency-key': 'once' };
    const { body } = await list('limit=2', headers);
    const again = await list('limit=2&format=text', headers);
    expect(again.headers.get('idempotent-replayed')).to.equal('true');
    const lines = body.proxies.map(({ ip_port: address }: { ip_port: string }) => `${address}\n`);
    expect(again.text).to.equal(lines.join(''));
    expect(await platform.balance(agent)).to.equal(0.498);
  });

  it('refuses as JSON, also a format that it does not have', async () => {
    const { status, body } = await list('format=xml');
    expect([status, body.error]).to.deep.equal([422, 'validation_error']);
    const late = await list('format=csv&country=usa');
    expect([late.status, late.body.error]).to.deep.equal([422, 'validation_error']);
    const empty = await list('format=text&country=fr');
    expect([empty.status, empty.text]).to.deep.equal([200, '']);
  });
});
