import { expect } from 'chai';

import { childOf } from '../../agents/child.ts';
import { eventually } from '../../harness.ts';
import { Rig } from './rig.ts';
import { login, requestTarget, GREETING, RawClient, type ConnectAnswer } from './raw_client.ts';

const [HERE, THERE, ELSEWHERE] = ['127.0.0.21', '127.0.0.22', '127.0.0.23'] as const;

describe('the places of a SOCKS5 server', function () {
  this.timeout(60_000);

  let rig: Rig;
  before(async () => {
    rig = await Rig.open();
    await rig.proxy('US');
  });
  afterEach(() => RawClient.closeAll());
  after(() => rig.close());

  const to = (agent: { proxyKey: string }, fields: object = {}) => ({
    key: agent.proxyKey,
    port: rig.plainPort,
    ...fields,
  });

  async function expectOpen({ reply, client }: Pick<ConnectAnswer, 'reply' | 'client'>) {
    expect(reply).to.equal(0);
    client.send('ping');
    expect(String(await client.read(4))).to.equal('ping');
  }

  /** One more of this address is disconnected at once, and these are not. */
  async function expectFull(port: number, from: string, clients: readonly RawClient[]) {
    await (
      await RawClient.with(port, from)
    ).closed;
    for (const client of clients) {
      client.send(GREETING);
      expect((await client.read(2)).toString('hex')).to.equal('0502');
    }
  }

  describe('before the login', () => {
    const limits = { unauthenticatedMax: 8, greetMs: 60_000, handshakeMs: 60_000 };

    it('are for one address at most half of them, and for another what is left', async () => {
      const [server, agent] = [await rig.server(limits), await rig.agent()];
      const clients: RawClient[] = [];
      for (let n = 0; n < 4; n += 1) clients.push(await RawClient.with(server.port, HERE));
      await expectFull(server.port, HERE, clients);
      await expectOpen(await requestTarget(server, to(agent, { from: THERE })));
    });

    it('go from the oldest of the address that says nothing to its newest, and from no other', async () => {
      const server = await rig.server({ ...limits, greetMs: 0 });
      const greeted: RawClient[] = [];
      for (let n = 0; n < 2; n += 1) {
        const client = await RawClient.with(server.port, HERE);
        client.send(GREETING);
        expect(await client.read(2)).to.have.length(2);
        greeted.push(client);
      }
      const oldest = await RawClient.with(server.port, HERE);
      const next = await RawClient.with(server.port, HERE);
      const other = await RawClient.with(server.port, THERE);
      const newest = await RawClient.with(server.port, HERE);
      await oldest.closed;
      for (const client of [next, newest, other]) {
        client.send(GREETING);
        expect((await client.read(2)).toString('hex')).to.equal('0502');
      }
      for (const client of greeted) {
        client.send(login('agent', 'x'));
        expect((await client.read(2)).toString('hex')).to.equal('0101');
      }
    });

    it('are kept by clients that have greeted, and their address has no more', async () => {
      const server = await rig.server({ ...limits, greetMs: 0 });
      const agent = await rig.agent();
      const greeted: RawClient[] = [];
      for (let n = 0; n < 4; n += 1) {
        const client = await RawClient.with(server.port, HERE);
        client.send(GREETING);
        await client.read(2);
        greeted.push(client);
      }
      const silent = await RawClient.with(server.port, THERE);
      await expectFull(server.port, HERE, [silent]);
      for (const client of greeted) expect(client.socket.readableEnded).to.equal(false);
      // They are free for its others when they have ended, and when they have logged in.
      greeted[0]!.close();
      for (let n = 0; n < 2; n += 1) {
        await eventually(
          () => requestTarget(server, to(agent, { from: HERE })).catch(() => ({ reply: 1 })),
          ({ reply }) => reply === 0,
        );
      }
    });

    it('go to an address that has none from the oldest of all', async () => {
      const server = await rig.server({ ...limits, unauthenticatedMax: 2, greetMs: 0 });
      const agent = await rig.agent();
      const oldest = await RawClient.with(server.port, HERE);
      const next = await RawClient.with(server.port, THERE);
      await expectOpen(await requestTarget(server, to(agent, { from: ELSEWHERE })));
      await oldest.closed;
      next.send(GREETING);
      expect(await next.read(2)).to.have.length(2);
    });
  });

  describe('after it', () => {
    it('are ten for a tree into which no cash has come, over all servers', async () => {
      const servers = [await rig.server(), await rig.server()] as const;
      const agent = await rig.agent();
      const child = await childOf(rig.platform, agent);
      const childKey = await rig.proxyKey(child);
      const told = await Promise.all(
        Array.from({ length: 14 }, (_, n) =>
          requestTarget(servers[n % 2 ? 0 : 1], to(agent, n % 3 ? {} : { key: childKey })),
        ),
      );
      expect(told.filter(({ reply }) => reply === 0)).to.have.length(10);
      expect(told.filter(({ reply }) => reply === 1)).to.have.length(4);
      expect(await rig.platform.balance(agent)).to.equal(0.49);
      await rig.platform.fund(agent.id, 1);
      await expectOpen(await requestTarget(servers[0], to(agent)));
      expect(await rig.platform.balance(agent)).to.equal(1.489);
    });

    it('are half of them for all such trees together, and half of what is left for one', async () => {
      const server = await rig.server({}, { connections: 8 });
      const fresh = await Promise.all(Array.from({ length: 5 }, () => rig.agent()));
      const repliesTo = async (agents: typeof fresh) => {
        const replies: (number | undefined)[] = [];
        for (const agent of agents) replies.push((await requestTarget(server, to(agent))).reply);
        return replies;
      };
      const [one, two, three, four] = fresh as [Agent, Agent, Agent, Agent];
      expect(await repliesTo([one, one, one])).to.deep.equal([0, 0, 1]);
      expect(await repliesTo([two, two, three, four])).to.deep.equal([0, 1, 0, 1]);
      for (const [agent, paid] of [
        [one, 2],
        [two, 1],
        [three, 1],
        [four, 0],
      ] as const) {
        expect(await rig.platform.balance(agent)).to.equal((500 - paid) / 1_000);
      }
      const paying = await rig.agent({ usd: 1 });
      expect(await repliesTo([paying, paying, paying])).to.deep.equal([0, 0, 1]);
      expect(await rig.platform.balance(paying)).to.equal(1.498);
    });

    it('go from the connection that holds still, of the tree that has most, to one that has less', async () => {
      const server = await rig.server({ stillMs: 1_000 }, { connections: 4 });
      const [most, less, last, comes] = (await Promise.all(
        Array.from({ length: 4 }, () => rig.agent({ usd: 1 })),
      )) as [Agent, Agent, Agent, Agent];
      const moves = await requestTarget(server, to(most));
      const still = await requestTarget(server, to(most));
      const others = [await requestTarget(server, to(less)), await requestTarget(server, to(last))];
      for (const one of [moves, still, ...others]) await expectOpen(one);
      const moving = setInterval(() => moves.client.send(Buffer.alloc(1_024)), 20);
      // At first nobody is known to hold still.
      const early = await requestTarget(server, to(comes));
      expect(early.reply).to.equal(1);
      const told = await eventually(
        () => requestTarget(server, to(comes)),
        ({ reply }) => reply === 0,
      );
      await expectOpen(told);
      await still.client.closed;
      expect(still.client.wasReset).to.equal(true);
      for (const one of others) await expectOpen(one);
      // Each has one now, and nobody has to make way for a second one.
      expect((await requestTarget(server, to(comes))).reply).to.equal(1);
      for (const one of [told, ...others]) await expectOpen(one);
      clearInterval(moving);
      expect(moves.client.wasReset).to.equal(false);
      expect(await rig.platform.balance(most)).to.equal(1.498);
      expect(await rig.platform.balance(comes)).to.equal(1.499);
    });
  });
});

type Agent = Awaited<ReturnType<Rig['agent']>>;
