import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

import { exceptionOf } from '../../../shared/platform/egress/addresses.ts';
import { BlockedTarget, openEgress } from '../../../shared/platform/egress/egress.ts';
import { eventually } from '../../harness.ts';
import { startNameServer, type NameServer } from '../../name_server.ts';
import { patience } from '../pace.ts';

const LIMITS = { timeoutMs: patience(5_000), bytesMax: 1_000, keptFor: 'a' };

describe('connections that egress keeps', () => {
  let server: Server;
  let names: NameServer;
  let url: string;
  let port: number;
  let address: string;
  /** Requests that came, by connection. */
  let opened: { socket: Socket; requests: number }[];
  let answer: (res: ServerResponse, req: IncomingMessage) => void;

  beforeEach(async () => {
    opened = [];
    address = '127.0.0.1';
    answer = (res) => res.end('ok');
    server = createServer((req, res) => {
      opened.find(({ socket }) => socket === req.socket)!.requests += 1;
      answer(res, req);
    });
    server.on('connection', (socket: Socket) => opened.push({ socket, requests: 0 }));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
    url = `http://127.0.0.1:${port}/`;
    names = await startNameServer((type, name) =>
      type === 'A' ? [{ type, name, data: address, ttl: 0 }] : [],
    );
  });
  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await names.close();
  });

  const egress = (...allow: string[]) =>
    openEgress({ egressAllow: allow.map(exceptionOf), dnsServers: [names.address] });
  const counts = () => opened.map(({ requests }) => requests);

  it('are used again for the same origin and purpose, and for nothing else', async () => {
    const out = egress('127.0.0.0/8');
    for (const keptFor of ['a', 'a', 'b', 'a']) await out.request(url, { ...LIMITS, keptFor });
    await out.request(url.replace('127.0.0.1', 'host.example'), LIMITS);
    const { keptFor: _, ...once } = LIMITS;
    await out.request(url, once);
    expect(counts()).to.deep.equal([3, 1, 1, 1]);
  });

  it('are not used again after an answer that was too long', async () => {
    const out = egress('127.0.0.0/8');
    answer = (res) => res.end('x'.repeat(2_000));
    const refused = await out.request(url, LIMITS).catch((error: Error) => error);
    expect(refused).to.be.instanceOf(Error);
    answer = (res) => res.end('ok');
    await out.request(url, LIMITS);
    expect(counts()).to.deep.equal([1, 1]);
  });

  it('end when an answer does not, in time', async () => {
    const out = egress('127.0.0.0/8');
    answer = (res) => void res.writeHead(200).write('x');
    const late = out
      .request(url, { ...LIMITS, timeoutMs: patience(100) })
      .catch((error: Error) => error);
    expect(await late).to.be.instanceOf(Error);
    await eventually(
      async () => opened[0]!.socket.destroyed,
      (isClosed) => isClosed,
    );
  });

  it('that the other side closes cost a second connection, and no request', async () => {
    const out = egress('127.0.0.0/8');
    await out.request(url, LIMITS);
    answer = (res, req) => {
      if (req.socket === opened[0]!.socket) req.socket.destroy();
      else res.end('ok');
    };
    expect((await out.request(url, LIMITS)).status).to.equal(200);
    expect(counts()).to.deep.equal([2, 1]);
  });

  it('are made to addresses that were checked, each', async () => {
    const out = egress('127.0.0.1/32');
    const named = `http://host.example:${port}/`;
    await out.request(named, LIMITS);
    address = '127.0.0.2';
    expect((await out.request(named, LIMITS)).status, 'where it was before').to.equal(200);
    opened[0]!.socket.destroy();
    await eventually(
      () => out.request(named, LIMITS).then(String, (error: unknown) => error),
      (outcome) => outcome instanceof BlockedTarget,
    );
    expect(opened).to.have.length(1);
  });
});
