import { createServer as createSocks } from '@pondwader/socks5-server';
import { expect } from 'chai';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';

import type { SocksServer } from '../../../api/socks/server.ts';
import { chargeConnection } from '../../../shared/proxies/sale/connections.ts';
import { eventually } from '../../harness.ts';
import { Rig } from './rig.ts';
import { ask, GREETING, login, replyTo, request, Talk, type Told } from './talk.ts';

describe('a connection through the SOCKS5 door', function () {
  this.timeout(60_000);

  let rig: Rig;
  let door: SocksServer;
  let agent: Awaited<ReturnType<Rig['agent']>>;
  before(async () => {
    rig = await Rig.open();
    door = await rig.door();
  });
  beforeEach(async () => {
    rig.serve = (socket) => void socket.pipe(socket);
    agent = await rig.agent();
  });
  afterEach(() => rig.clear());
  after(() => rig.close());

  const to = (fields: object = {}) => ({ key: agent.proxyKey, port: rig.plainPort, ...fields });

  /** Says a word and hears it come back. */
  async function expectOpen({ reply, talk }: Told): Promise<void> {
    expect(reply).to.equal(0);
    talk.say('ping');
    expect(String(await talk.hear(4))).to.equal('ping');
  }

  /** Waits until the agent has paid for so many connections, and sees that the wallet agrees. */
  async function expectPaid(connections: number): Promise<void> {
    await eventually(
      () => rig.charges(agent),
      (count) => count === connections,
    );
    expect(await rig.platform.balance(agent)).to.equal(
      Number((0.5 - connections / 1_000).toFixed(3)),
    );
  }

  it('may be ended in one direction and still be heard in the other', async () => {
    const half = createServer({ allowHalfOpen: true }, (socket) => {
      createSocks()
        .setConnectionHandler(({ socket: client, destPort }, send) => {
          const out = connect({ host: '127.0.0.1', port: destPort!, allowHalfOpen: true });
          out.on('connect', () => send('REQUEST_GRANTED'));
          client.pipe(out).pipe(client);
        })
        ._handleConnection(socket);
    });
    half.listen(0, '127.0.0.1');
    await once(half, 'listening');
    const peer = await rig.proxy('US');
    await rig.platform.query('update proxy set ip_port = $1 where ip_port = $2', [
      `127.0.0.1:${(half.address() as AddressInfo).port}`,
      peer.place,
    ]);
    let heard = '';
    rig.serve = (socket) => {
      socket.on('data', (data: Buffer) => (heard += String(data)));
      socket.on('end', () => socket.end(`you said ${heard}`));
    };
    const client = await ask(door, to());
    client.talk.say('all I had');
    client.talk.socket.end();
    expect(String(await client.talk.rest())).to.equal('you said all I had');

    heard = '';
    rig.serve = (socket) => {
      socket.end('I say no more').on('data', (data: Buffer) => (heard += String(data)));
    };
    const listener = await ask(door, to());
    expect(String(await listener.talk.rest())).to.equal('I say no more');
    listener.talk.say('but I do');
    listener.talk.socket.end();
    await eventually(
      async () => heard,
      (text) => text === 'but I do',
    );
    await expectPaid(2);
    half.close();
  });

  it('costs nothing when the proxy grants it and then hangs up without a word', async () => {
    const proxy = await rig.proxy('US');
    rig.serve = (socket) => void socket.once('data', () => socket.destroy());
    const { reply, talk } = await ask(door, to());
    expect(reply).to.equal(0);
    talk.say('anybody there?');
    expect(await talk.rest()).to.have.length(0);
    talk.leave();
    await eventually(
      () => rig.platform.balance(agent),
      (balance) => balance === 0.5,
    );
    await eventually(
      () => rig.due(proxy),
      (due) => due.length === 1,
    );
  });

  it('is paid for by a client that leaves first, or had its bytes taken', async () => {
    await rig.proxy('US');
    rig.serve = (socket) => void socket.resume();
    const first = await ask(door, to());
    first.talk.leave();
    rig.serve = (socket) => {
      let bytes = 0;
      socket.on('data', ({ length }: Buffer) => {
        if ((bytes += length) >= 40_000) socket.destroy();
      });
    };
    const { talk } = await ask(door, to());
    talk.say(Buffer.alloc(40_000));
    await talk.over;
    talk.leave();
    await expectPaid(2);
  });

  it('is not paid for by a client that has left before it was there', async () => {
    const proxies = await Promise.all(Array.from({ length: 3 }, () => rig.proxy('US', 'silent')));
    const patient = await rig.door({ proxyMs: 60_000, dialMs: 60_000 }, { connectionsPerAgent: 1 });
    const talk = await Talk.with(patient.port);
    talk.say(GREETING, login('agent', agent.proxyKey), request('target.example', rig.plainPort));
    await eventually(
      async () => proxies.some(({ connections }) => connections > 0),
      (isTried) => isTried,
    );
    talk.leave();
    for (const proxy of proxies) proxy.become('working');
    const next = await eventually(
      () => ask(patient, to()),
      ({ reply }) => reply !== 1, // There is one too many while the first is inside.
    );
    await expectOpen(next);
    await expectPaid(1);
    expect(await rig.due(...proxies)).to.deep.equal([]);
  });

  describe('ends within a second', () => {
    for (const [what, act] of [
      [
        'when its key is replaced',
        () => rig.platform.request('POST /api/v1/proxy/my-key/rotate', { key: agent.key }),
      ],
      [
        'when its agent is suspended',
        () => rig.platform.query(`update agent set status = 'suspended' where id = $1`, [agent.id]),
      ],
    ] as const) {
      it(what, async () => {
        await rig.proxy('US');
        const other = await rig.agent();
        const [mine, others] = await Promise.all([
          ask(door, to()),
          ask(door, to({ key: other.proxyKey })),
        ]);
        await Promise.all([expectOpen(mine), expectOpen(others)]);
        await act();
        // Whatever holds this process up holds the door up too, and does not count.
        let ticks = 0;
        const clock = setInterval(() => (ticks += 1), 100);
        await mine.talk.over;
        clearInterval(clock);
        expect(ticks).to.be.lessThan(25);
        expect(mine.talk.wasReset).to.equal(true);
        await expectOpen(others);
        others.talk.leave();
        await rig.platform.query(`update agent set status = 'active' where id = $1`, [agent.id]);
        await expectPaid(1);
      });
    }
  });

  for (const [what, limits] of [
    ['nothing has passed for too long', { idleMs: 4_000 }],
    ['it has lasted too long', { lifeMs: 4_000 }],
  ] as const) {
    it(`ends when ${what}`, async () => {
      await rig.proxy('US');
      const short = await rig.door(limits);
      const told = await ask(short, to());
      await expectOpen(told);
      const chatter = setInterval(() => 'lifeMs' in limits && told.talk.say('x'), 30);
      await told.talk.over;
      clearInterval(chatter);
      expect(told.talk.wasReset).to.equal(true);
      await expectPaid(1);
    });
  }

  it('is one of so many of an agent, over all doors, until one of them ends', async () => {
    await rig.proxy('US');
    const settings = { connectionsPerAgent: 4 };
    const doors = [await rig.door({}, settings), await rig.door({}, settings)] as const;
    const told = await Promise.all(
      Array.from({ length: 10 }, (_, n) => ask(doors[n % 2 ? 0 : 1], to())),
    );
    expect(told.filter(({ reply }) => reply === 0)).to.have.length(4);
    expect(told.filter(({ reply }) => reply === 1)).to.have.length(6);
    await expectPaid(4);
    const other = await rig.agent();
    await expectOpen(await ask(doors[0], to({ key: other.proxyKey })));
    told.find(({ reply }) => reply === 0)!.talk.leave();
    await eventually(
      () => ask(doors[1], to()),
      ({ reply }) => reply === 0,
    );
    await expectPaid(5);
  });

  it('is one of so many of a door', async () => {
    await rig.proxy('US');
    const small = await rig.door({}, { connections: 2 });
    const others = await Promise.all([rig.agent(), rig.agent()]);
    for (const { proxyKey: key } of others) await expectOpen(await ask(small, to({ key })));
    expect(await replyTo(small, to())).to.equal(1);
    await expectPaid(0);
  });

  it('is charged once, however often it is sold', async () => {
    const caller = { agentId: agent.id, rootId: agent.id, keyId: 0, scopes: [] };
    const buyer = { caller, id: crypto.randomUUID() };
    const charges = await Promise.all(
      Array.from({ length: 5 }, () => chargeConnection(rig.platform.context, buyer)),
    );
    expect(new Set(charges).size).to.equal(1);
    await expectPaid(1);
  });
});
