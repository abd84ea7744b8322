import { expect } from 'chai';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';

import type { SocksServer } from '../../../api/socks/server.ts';
import { chargeConnection } from '../../../shared/domains/proxies/sale/connections.ts';
import { eventually } from '../../harness.ts';
import { readSocksRequest } from '../../proxies/socks_peer.ts';
import { Rig } from './rig.ts';
import {
  requestTarget,
  GREETING,
  login,
  replyTo,
  request,
  RawClient,
  type ConnectAnswer,
} from './raw_client.ts';
import { suspend } from '../../suspend.ts';
import { patience } from '../../platform/pace.ts';

describe('a connection through the SOCKS5 server', function () {
  this.timeout(60_000);

  let rig: Rig;
  let server: SocksServer;
  let agent: Awaited<ReturnType<Rig['agent']>>;
  before(async () => {
    rig = await Rig.open();
    server = await rig.server();
  });
  beforeEach(async () => {
    rig.serve = (socket) => void socket.pipe(socket);
    agent = await rig.agent();
  });
  afterEach(() => rig.clear());
  after(() => rig.close());

  const to = (fields: object = {}) => ({ key: agent.proxyKey, port: rig.plainPort, ...fields });

  /** Sends bytes and reads them back. */
  async function expectOpen({ reply, client }: ConnectAnswer): Promise<void> {
    expect(reply).to.equal(0);
    client.send('ping');
    expect(String(await client.read(4))).to.equal('ping');
  }

  /** Waits until the agent has paid for so many connections, and sees that the wallet agrees. */
  /** A connection, when one before it has ended, with its refund if there is any. */
  const nextAt = (one: typeof server, fields: object = {}) =>
    eventually(
      () => requestTarget(one, to(fields)),
      ({ reply }) => reply !== 1,
    );

  async function expectPaid(connections: number): Promise<void> {
    await eventually(
      () => rig.charges(agent),
      (count) => count === connections,
    );
    expect(await rig.platform.balance(agent)).to.equal(
      Number((0.5 - connections / 1_000).toFixed(3)),
    );
  }

  it('may be ended in one direction and still deliver in the other', async () => {
    const half = createServer({ allowHalfOpen: true }, (socket) => {
      void readSocksRequest(socket).then((request) => {
        const { port } = request!;
        const out = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
        out.on('connect', () => request!.answer(0));
        socket.pipe(out).pipe(socket);
      });
    });
    half.listen(0, '127.0.0.1');
    await once(half, 'listening');
    const peer = await rig.proxy('US');
    await rig.platform.query('update proxy set ip_port = $1 where ip_port = $2', [
      `127.0.0.1:${(half.address() as AddressInfo).port}`,
      peer.address,
    ]);
    let heard = '';
    rig.serve = (socket) => {
      socket.on('data', (data: Buffer) => (heard += String(data)));
      socket.on('end', () => socket.end(`you said ${heard}`));
    };
    const sender = await requestTarget(server, to());
    sender.client.send('all I had');
    sender.client.socket.end();
    expect(String(await sender.client.readAll())).to.equal('you said all I had');

    heard = '';
    rig.serve = (socket) => {
      socket.end('I say no more').on('data', (data: Buffer) => (heard += String(data)));
    };
    const listener = await requestTarget(server, to());
    expect(String(await listener.client.readAll())).to.equal('I say no more');
    listener.client.send('but I do');
    listener.client.socket.end();
    await eventually(
      async () => heard,
      (text) => text === 'but I do',
    );
    await expectPaid(2);
    half.close();
  });

  it('costs nothing when the proxy grants it and then disconnects without sending a byte', async () => {
    const proxy = await rig.proxy('US');
    rig.serve = (socket) => void socket.once('data', () => socket.destroy());
    const { reply, client } = await requestTarget(server, to());
    expect(reply).to.equal(0);
    client.send('anybody there?');
    expect(await client.readAll()).to.have.length(0);
    client.close();
    await eventually(
      () => rig.platform.balance(agent),
      (balance) => balance === 0.5,
    );
    await eventually(
      () => rig.due(proxy),
      (due) => due.length === 1,
    );
  });

  it('is paid for by a client that disconnects first, or whose bytes were read', async () => {
    await rig.proxy('US');
    const one = await rig.server({}, { connectionsPerAgent: 1 });
    rig.serve = (socket) => void socket.resume();
    const first = await nextAt(one);
    first.client.close();
    rig.serve = (socket) => {
      let bytes = 0;
      socket.on('data', ({ length }: Buffer) => {
        if ((bytes += length) >= 40_000) socket.destroy();
      });
    };
    const { client } = await nextAt(one);
    client.send(Buffer.alloc(40_000));
    await client.closed;
    client.close();
    (await nextAt(one)).client.close();
    await expectPaid(3);
  });

  it('is not paid for by a client that disconnected before it was open', async () => {
    const proxies = await Promise.all(Array.from({ length: 3 }, () => rig.proxy('US', 'silent')));
    const lenient = await rig.server(
      { proxyMs: 60_000, dialMs: 60_000 },
      { connectionsPerAgent: 1 },
    );
    const client = await RawClient.with(lenient.port);
    client.send(GREETING, login('agent', agent.proxyKey), request('target.example', rig.plainPort));
    await eventually(
      async () => proxies.some(({ connections }) => connections > 0),
      (isTried) => isTried,
    );
    client.close();
    for (const proxy of proxies) proxy.become('working');
    const next = await nextAt(lenient);
    await expectOpen(next);
    await expectPaid(1);
    expect(await rig.due(...proxies)).to.deep.equal([]);
  });

  describe('ends', () => {
    for (const [what, act] of [
      [
        'when its key is replaced',
        () => rig.platform.request('POST /api/v1/proxy/my-key/rotate', { key: agent.key }),
      ],
      ['when its agent is suspended', () => suspend(rig.platform, agent)],
    ] as const) {
      it(what, async () => {
        await rig.proxy('US');
        const other = await rig.agent();
        const [mine, others] = await Promise.all([
          requestTarget(server, to()),
          requestTarget(server, to({ key: other.proxyKey })),
        ]);
        await Promise.all([expectOpen(mine), expectOpen(others)]);
        await act();
        await mine.client.closed;
        expect(mine.client.wasReset).to.equal(true);
        await expectOpen(others);
        others.client.close();
        const resume = `POST /agent/monitor/${agent.id}/resume`;
        expect((await rig.platform.request(resume, { key: agent.key })).status).to.equal(200);
        await expectPaid(1);
      });
    }
  });

  for (const [what, limits] of [
    ['no byte has passed for too long', { idleMs: patience(4_000) }],
    ['it has lasted too long', { lifeMs: patience(4_000) }],
  ] as const) {
    it(`ends when ${what}`, async () => {
      await rig.proxy('US');
      const short = await rig.server(limits);
      const told = await requestTarget(short, to());
      await expectOpen(told);
      const chatter = setInterval(() => 'lifeMs' in limits && told.client.send('x'), 30);
      await told.client.closed;
      clearInterval(chatter);
      expect(told.client.wasReset).to.equal(true);
      await expectPaid(1);
    });
  }

  it('counts towards the limit of its agent, over all servers, until it ends', async () => {
    await rig.proxy('US');
    const settings = { connectionsPerAgent: 4 };
    const servers = [await rig.server({}, settings), await rig.server({}, settings)] as const;
    const told = await Promise.all(
      Array.from({ length: 10 }, (_, n) => requestTarget(servers[n % 2 ? 0 : 1], to())),
    );
    expect(told.filter(({ reply }) => reply === 0)).to.have.length(4);
    expect(told.filter(({ reply }) => reply === 1)).to.have.length(6);
    await expectPaid(4);
    const other = await rig.agent();
    await expectOpen(await requestTarget(servers[0], to({ key: other.proxyKey })));
    told.find(({ reply }) => reply === 0)!.client.close();
    await nextAt(servers[1]);
    await expectPaid(5);
  });

  it('counts towards the limit of its server', async () => {
    await rig.proxy('US');
    const small = await rig.server({}, { connections: 2 });
    const others = await Promise.all([rig.agent({ usd: 1 }), rig.agent({ usd: 1 })]);
    for (const { proxyKey: key } of others) await expectOpen(await nextAt(small, { key }));
    expect(await replyTo(small, to())).to.equal(1);
    await expectPaid(0);
  });

  it('is charged once, however often the sale is repeated', async () => {
    const caller = { agentId: agent.id, rootId: agent.id, keyId: 0, scopes: [] };
    const buyer = { caller, id: crypto.randomUUID() };
    const charges = await Promise.all(
      Array.from({ length: 5 }, () => chargeConnection(rig.platform.context, buyer)),
    );
    expect(new Set(charges).size).to.equal(1);
    await expectPaid(1);
  });
});
