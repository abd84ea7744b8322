import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { connect, createServer as createTcp, type AddressInfo, type Server as Tcp } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { makeCertificate, makeIssuer } from '../platform/egress/certificates.ts';
import { ProxyRig } from './proxy_rig.ts';
import { readSocksRequest } from './socks_peer.ts';

const listen = (server: Tcp): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });

describe('checks of proxies by TLS', function () {
  this.timeout(90_000);

  const folder = mkdtempSync(join(tmpdir(), 'tls-pages-'));
  const authority = makeIssuer('The authority of the operator');
  let rig: ProxyRig;
  let page: Server;
  let interceptor: Server;
  let ports: { page: number; interceptor: number };
  /** Whether the page answers. */
  let isOpen = true;
  const peers: Tcp[] = [];

  before(async () => {
    writeFileSync(join(folder, 'authority.pem'), authority.cert);
    page = createServer(makeCertificate({ host: 'localhost' }, authority), (_req, res) =>
      isOpen ? res.end('by TLS') : res.destroy(),
    );
    // Somebody between: the right name, and an authority that nobody trusts.
    const other = makeCertificate({ host: 'localhost' }, makeIssuer('Somebody between'));
    interceptor = createServer(other, (_req, res) => res.end('by TLS'));
    ports = { page: await listen(page), interceptor: await listen(interceptor) };
  });
  // Facts about the page are kept for some seconds, by each platform.
  beforeEach(async () => {
    isOpen = true;
    rig = await ProxyRig.open({
      env: {
        PROXY_TLS_PAGES: `https://localhost:${ports.page}/`,
        PROXY_TLS_AUTHORITY: join(folder, 'authority.pem'),
      },
    });
  });
  afterEach(async () => {
    expect(await audit(rig.platform.context.database)).to.deep.equal([]);
    await rig.close();
  });
  after(() => {
    for (const server of [page, interceptor]) server.closeAllConnections();
    for (const server of [page, interceptor, ...peers]) server.close();
    rmSync(folder, { recursive: true });
  });

  /** A proxy that treats connections to the page in another way from now on. */
  async function start(way: 'passing' | 'intercepting' | 'refusing') {
    const peer = { address: '', way };
    const server = createTcp((client) => {
      client.on('error', () => undefined);
      void (async () => {
        const request = await readSocksRequest(client);
        if (!request) return;
        const isPage = request.port === ports.page;
        if (isPage && peer.way === 'refusing') return void client.destroy();
        const port = isPage && peer.way === 'intercepting' ? ports.interceptor : request.port;
        const target = connect(port, '127.0.0.1');
        target.on('error', () => client.destroy()).on('close', () => client.destroy());
        client.on('close', () => target.destroy());
        request.answer(0);
        client.pipe(target).pipe(client);
      })().catch(() => client.destroy());
    });
    peers.push(server);
    peer.address = `127.0.0.1:${await listen(server)}`;
    return peer;
  }

  async function listed(...ways: Parameters<typeof start>[0][]) {
    const all = await Promise.all(ways.map((way) => start(way)));
    rig.list(all.map(({ address }) => address));
    await rig.refresh();
    await rig.checked(...all);
    return all;
  }
  const rowOf = async ({ address }: { address: string }) => {
    const { id, state, https } = await rig.row(address);
    return { id: String(id), state, https };
  };

  it('leave a proxy that passes it hot, and one that cannot or intercepts it warm', async () => {
    const found = await listed('passing', 'intercepting', 'refusing');
    const rows = await Promise.all(found.map(rowOf));
    expect(rows.map(({ state, https }) => [state, https])).to.deep.equal([
      ['hot', true],
      ['warm', false],
      ['warm', false],
    ]);
    const agent = await rig.platform.agent();
    const list = async (query: string) => {
      const route = `GET /api/v1/proxy/list?country=zz&limit=100&${query}`;
      const { body } = await rig.platform.request(route, agent);
      return body.proxies.map(({ id, https }: { id: string; https: boolean }) => [id, https]);
    };
    expect(await list('https=true')).to.deep.equal([[rows[0]!.id, true]]);
    expect(await list('https=false')).to.have.deep.members([
      [rows[1]!.id, false],
      [rows[2]!.id, false],
    ]);
    // It is hot again when it passes.
    found[2]!.way = 'passing';
    await rig.recheck([found[2]!]);
    expect(await rowOf(found[2]!)).to.include({ state: 'hot', https: true });
  });

  it('say nothing of proxies while the page does not answer ourselves', async () => {
    const [peer] = await listed('passing');
    isOpen = false;
    peer!.way = 'refusing';
    await rig.recheck([peer!]);
    expect(await rowOf(peer!)).to.include({ state: 'hot', https: true });
  });

  it('are repeated for a report: one sold as passing it, and intercepting, is paid back', async () => {
    const [sold, told] = await listed('passing', 'intercepting');
    const agent = await rig.platform.agent();
    const buyAndReport = async (peer: { address: string }, then = () => undefined as void) => {
      const { id } = await rowOf(peer);
      const bought = await rig.platform.request(`GET /api/v1/proxy/${id}`, agent);
      expect(bought.status, bought.text).to.equal(200);
      then();
      const route = `POST /api/v1/proxy/${id}/report?wait=25`;
      const { body } = await rig.platform.request(route, agent);
      return [body.status, body.credited];
    };
    const result = await buyAndReport(sold!, () => (sold!.way = 'intercepting'));
    expect(result).to.deep.equal(['dead', 0.001]);
    expect(await rowOf(sold!)).to.include({ state: 'warm', https: false });
    // Its buyer was told that TLS does not pass.
    expect(await buyAndReport(told!)).to.deep.equal(['works', 0]);
    expect(await rig.platform.balance(agent)).to.equal(0.499);
  });
});
