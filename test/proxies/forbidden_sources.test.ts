import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { exceptionOf } from '../../shared/platform/egress/addresses.ts';
import { openEgress } from '../../shared/platform/egress/egress.ts';
import { openProxies } from '../../workers/gateways/proxies/proxies.ts';
import { FORBIDDEN } from '../platform/egress/forbidden.ts';
import { quietNameServer } from '../name_server.ts';

/** Forbidden addresses that a source of proxies, or a proxy, might lead a worker to. */
describe('a source of proxies', () => {
  const servers: Server[] = [];
  let canary: number;
  let reached = 0;
  /** The answer of our own source. */
  let answer: (url: string) => { status: number; location?: string; body?: string };
  let source: number;
  let names: string;

  before(async () => {
    names = (await quietNameServer()).address;
    canary = await listen(
      createServer((_req, res) => res.end('8.8.8.8:1080\n')).on('connection', () => (reached += 1)),
      '::', // IPv4 too
    );
    source = await listen(
      createServer((req, res) => {
        const { status, location, body } = answer(req.url!);
        res.writeHead(status, location === undefined ? {} : { location }).end(body);
      }),
      '127.0.0.1',
    );
  });
  beforeEach(() => (reached = 0));
  after(() => servers.forEach((server) => server.close()));

  async function listen(server: Server, host: string): Promise<number> {
    server.listen(0, host);
    await once(server, 'listening');
    servers.push(server);
    return (server.address() as AddressInfo).port;
  }

  /** A worker's gateway that may reach our source and nothing else here. */
  const gateway = (sources: readonly string[]) => {
    const settings = {
      sources,
      pages: [],
      judges: [`http://127.0.0.1:${source}/judge`],
      checkMs: 10_000,
      countryDatabase: undefined,
      egressAllow: [exceptionOf(`127.0.0.1:${source}`)],
      dnsServers: [names],
    };
    return openProxies(settings, openEgress(settings));
  };

  it(`is asked at none of ${FORBIDDEN.length} forbidden addresses`, async () => {
    const urls = FORBIDDEN.map((host) => `http://${host}:${canary}/list.txt`);
    const listed = await gateway(urls).list();
    expect(listed).to.have.length(FORBIDDEN.length);
    for (const { source: name, ...found } of listed) expect(found, name).to.have.keys('fault');
    expect(reached).to.equal(0);
  });

  it('reaches no forbidden address by redirects', async () => {
    for (const host of FORBIDDEN) {
      answer = () => ({
        status: 302,
        location: Buffer.from(`http://${host}:${canary}/`).toString('latin1'),
      });
      const [listed] = await gateway([`http://127.0.0.1:${source}/list.txt`]).list();
      expect(listed, host).to.have.property('fault');
    }
    expect(reached).to.equal(0);
  });

  it('adds no forbidden address to the pool', async () => {
    const lines = FORBIDDEN.flatMap((host) => [
      `${host}:${canary}`,
      `socks5://${host}:${canary}/`,
      `${host},${canary}`,
    ]);
    answer = () => ({
      status: 200,
      body: [...lines, ...lines.map(() => '8.8.8.8:1080')].join('\n'),
    });
    const url = `http://127.0.0.1:${source}/list.txt`;
    const [listed] = await gateway([`${url}?token=ours`]).list();
    expect(listed!.source, 'the name of the source').to.equal(`127.0.0.1:${source}/list.txt`);
    const addresses = listed && 'listing' in listed ? [...listed.listing.entries.keys()] : [];
    expect(addresses).to.deep.equal(['8.8.8.8:1080']);
  });

  it('has none checked, even if the pool held one', async () => {
    answer = (url) => {
      const nonce = /nonce=(.*)/.exec(url)?.[1];
      return { status: 200, body: JSON.stringify({ address: '8.8.8.8', nonce, proof: 'x' }) };
    };
    const addresses = FORBIDDEN.map((host) => `${host}:${canary}`);
    const findings = await gateway([]).check(addresses);
    expect(findings).to.have.length(addresses.length);
    for (const finding of findings!) expect(finding.answered).to.equal(false);
    expect(reached).to.equal(0);
  });
});
