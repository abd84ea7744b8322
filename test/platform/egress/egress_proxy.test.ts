import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';

import { egressProxy } from '../../../shared/platform/config/egress_proxy.ts';
import { exceptionOf } from '../../../shared/platform/egress/addresses.ts';
import { openEgress } from '../../../shared/platform/egress/egress.ts';
import { startNameServer, type NameServer } from '../../name_server.ts';
import { PEER_LOGIN, startPeer, type Peer } from '../../proxies/peers.ts';
import { patience } from '../pace.ts';
import { FORBIDDEN } from './forbidden.ts';

const timeoutMs = patience(15_000);
const LIMITS = { timeoutMs, bytesMax: 1_000 };
const USER = PEER_LOGIN.split(':').map(encodeURIComponent).join(':');

describe('the egress proxy', () => {
  /** Greets first, as mail servers do. */
  let target: Server;
  let port: number;
  let names: NameServer;
  let peer: Peer;
  const reachedBy: Socket[] = [];

  before(async () => {
    target = createServer((socket) => {
      reachedBy.push(socket.on('error', () => undefined));
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello');
    });
    target.listen(0, '127.0.0.1');
    await once(target, 'listening');
    port = (target.address() as AddressInfo).port;
    names = await startNameServer((type, name) =>
      type === 'A' ? [{ type, name, data: '127.0.0.1', ttl: 0 }] : [],
    );
  });
  beforeEach(async () => {
    reachedBy.length = 0;
    peer = await startPeer('password');
  });
  afterEach(() => peer.close());
  after(async () => {
    target.close();
    await names.close();
  });

  const egress = (user = `${USER}@`, allow = ['127.0.0.0/8']) =>
    openEgress({
      egressAllow: allow.map(exceptionOf),
      egressProxy: egressProxy(`socks5://${user}${peer.address}`),
      dnsServers: [names.address],
    });
  const fault = (work: Promise<unknown>): Promise<Error> =>
    work.then(
      () => expect.fail('it passed'),
      (error: Error) => error,
    );

  it('makes every connection, to the address that was checked and not to the name', async () => {
    peer.become('nameless'); // It resolves no names, and asks for no password.
    const out = egress();
    const { body } = await out.request(`http://shop.example:${port}/`, LIMITS);
    expect(String(body)).to.equal('hello');
    const socket = await out.connect({ host: 'shop.example', port }, { timeoutMs });
    const [greeting] = (await once(socket, 'data')) as [Buffer];
    expect(String(greeting)).to.match(/^HTTP/);
    socket.destroy();
    expect([peer.connections, reachedBy.length]).to.deep.equal([2, 2]);
  });

  it('is told its user and password, whatever letters they have', async () => {
    const { status } = await egress().request(`http://127.0.0.1:${port}/`, LIMITS);
    expect(status).to.equal(200);
  });

  it('refuses a wrong password, which no error tells', async () => {
    const error = await fault(egress('worker:wr0ng@').request(`http://127.0.0.1:${port}/`, LIMITS));
    expect(error.message).to.match(/^by the egress proxy: /);
    expect(inspect(error, { depth: 9 })).not.to.include('wr0ng');
    expect(reachedBy).to.deep.equal([]);
  });

  it('never hears of a target that is not public', async () => {
    const out = egress('', []);
    for (const host of FORBIDDEN) await fault(out.connect({ host, port }, { timeoutMs }));
    await fault(out.connect({ host: 'shop.example', port }, { timeoutMs }));
    expect(peer.connections).to.equal(0);
  });

  it('is left when it is silent or gone, and the target is not dialled without it', async () => {
    for (const behaviour of ['silent', 'dead'] as const) {
      peer.become(behaviour);
      const error = await fault(egress().connect({ host: '127.0.0.1', port }, { timeoutMs: 300 }));
      expect(error.message, behaviour).to.match(/timeout|egress proxy/);
    }
    expect([peer.open, reachedBy.length]).to.deep.equal([0, 0]);
  });

  it('has a URL that is refused with how it is written', () => {
    for (const text of ['http://a:1', 'socks5://', 'socks5://a/b', 'a:1080', 'socks4://a:1']) {
      expect(() => egressProxy(text), text).to.throw(/must be socks5:/);
    }
    expect(egressProxy('socks5://[::1]')).to.deep.equal({ host: '::1', port: 1_080 });
  });
});
