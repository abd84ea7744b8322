import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

import { expect } from 'chai';

import { openDemoProxy } from '../../local/demo/demo_proxy.ts';
import { openEgress } from '../../shared/platform/egress/egress.ts';
import { RawClient, request } from '../api/socks/raw_client.ts';
import { patience } from '../platform/pace.ts';

const GREETING = Buffer.from([5, 1, 0]);

describe('a proxy of the demo', () => {
  let target: Server;
  let proxy: Server;
  let targetPort: number;
  let port: number;

  before(async () => {
    target = createServer({ allowHalfOpen: true }, (socket: Socket) => void socket.pipe(socket));
    target.listen(0, '127.0.0.1');
    await once(target, 'listening');
    targetPort = portOf(target);
    const allowed = [portOf(target), 1].map((open) => ({ host: '127.0.0.1', port: open }));
    proxy = await openDemoProxy(0, openEgress({ egressAllow: allowed, dnsServers: [] }));
    port = portOf(proxy);
  });
  afterEach(() => RawClient.closeAll());
  after(async () => {
    for (const server of [proxy, target]) {
      server.close();
      await once(server, 'close');
    }
  });

  const toTarget = () => request([127, 0, 0, 1], targetPort);

  it('understands clients that do not wait for its answers', async () => {
    const sent = [GREETING, toTarget(), Buffer.from('ping')];
    const bytes = Buffer.concat(sent);
    // Each is cut in two elsewhere.
    const echoes = Array.from(bytes, async (_, cut) => {
      const client = await RawClient.with(port);
      client.send(bytes.subarray(0, cut));
      setImmediate(() => client.send(bytes.subarray(cut)));
      client.socket.setTimeout(patience(1_000), () => client.close());
      return String((await client.read(16)).subarray(12));
    });
    expect(await Promise.all(echoes)).to.deep.equal(Array.from(bytes, () => 'ping'));
  });

  it('lets one side end and still passes on what the other says', async () => {
    const client = await RawClient.with(port);
    client.send(GREETING, toTarget());
    await client.read(12);
    client.send('all I had');
    client.socket.end();
    expect(String(await client.readAll())).to.equal('all I had');
  });

  const refusals: [string, Buffer, number][] = [
    ['what is not public', request([127, 0, 0, 1], 2), 2],
    ['a name that is none', request('no name', 80), 2],
    ['what does not answer', request([127, 0, 0, 1], 1), 4],
    ['a command that it does not know', request([127, 0, 0, 1], 1, 2), 7],
    ['an unknown kind of address', Buffer.from([5, 1, 0, 9, 0, 0, 0, 0, 0, 0]), 8],
  ];
  for (const [what, message, reply] of refusals) {
    it(`refuses ${what} in ten bytes`, async () => {
      const client = await RawClient.with(port);
      client.send(GREETING);
      await client.read(2);
      client.send(message);
      client.socket.setTimeout(patience(1_000), () => client.close());
      expect([...(await client.readAll())]).to.deep.equal([5, reply, 0, 1, 0, 0, 0, 0, 0, 0]);
    });
  }

  it('disconnects a client that insists on a login', async () => {
    const client = await RawClient.with(port);
    client.send(Buffer.from([5, 1, 2]));
    client.socket.setTimeout(patience(1_000), () => client.close());
    expect([...(await client.readAll())]).to.deep.equal([5, 0xff]);
  });
});

const portOf = (server: Server) => (server.address() as AddressInfo).port;
