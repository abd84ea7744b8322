import { expect } from 'chai';

import type { SocksServer } from '../../../api/socks/server.ts';
import { sessionOf } from '../../../shared/domains/proxies/sale/sessions.ts';
import { eventually } from '../../harness.ts';
import { EXITS } from '../../proxies/peers.ts';
import { Rig } from './rig.ts';
import { requestTarget, GREETING, login, request, RawClient } from './raw_client.ts';

describe('the rotating SOCKS5 server', function () {
  this.timeout(60_000);

  let rig: Rig;
  let server: SocksServer;
  let agent: Awaited<ReturnType<Rig['agent']>>;
  before(async () => {
    rig = await Rig.open();
    server = await rig.server();
  });
  beforeEach(async () => {
    agent = await rig.agent();
  });
  afterEach(() => rig.clear());
  after(() => rig.close());

  it('connects a client of a maintained library to its target, for $0.001 a connection', async () => {
    await rig.proxy('US');
    for (const path of ['/one', '/two', '/three']) {
      expect(await rig.get(server, agent, { path })).to.deep.equal({ from: EXITS.US.local, path });
    }
    const { body } = await rig.platform.request('GET /api/v1/wallet', { key: agent.key });
    expect(body).to.include({ balance: 0.497, daily_spend: 0.003 });
    const statement = await rig.platform.request('GET /api/v1/wallet/statement', {
      key: agent.key,
    });
    const kinds = statement.body.entries.map(({ kind }: { kind: string }) => kind);
    expect(kinds).to.deep.equal([...Array(3).fill('proxy.charge'), 'welcome']);
  });

  it('leaves by the country that the user name asks for', async () => {
    await Promise.all([rig.proxy('US'), rig.proxy('DE'), rig.proxy('JP')]);
    for (const [name, country] of [
      ['agent-country-de', 'DE'],
      ['agent-country-JP', 'JP'],
      ['AGENT-Country-us', 'US'],
    ] as const) {
      expect((await rig.get(server, agent, { name })).from).to.equal(EXITS[country].local);
    }
    expect((await requestTarget(server, wanted('agent-country-fr'))).reply).to.equal(3);
    expect(await rig.charges(agent)).to.equal(3);
  });

  it('reaches a name however it is written, also with the dot of its root', async () => {
    await rig.proxy('US');
    const { from } = await rig.get(server, agent, { host: 'TARGET.Example.' });
    expect(from).to.equal(EXITS.US.local);
  });

  it('leaves by any proxy of the pool where the user name asks for none', async () => {
    const proxies = await Promise.all([rig.proxy('US'), rig.proxy('DE'), rig.proxy('JP')]);
    await eventually(
      () => rig.get(server, agent),
      () => proxies.every(({ connections }) => connections > 0),
    );
  });

  it('replies 3 where no proxy is on sale, and charges nothing', async () => {
    expect((await requestTarget(server, wanted())).reply).to.equal(3);
    expect(await rig.platform.balance(agent)).to.equal(0.5);
  });

  describe('keeps a session with one proxy', () => {
    it('at every server, whatever is added to the pool, until that proxy leaves it', async () => {
      const other = await rig.server();
      await Promise.all([rig.proxy('US'), rig.proxy('DE'), rig.proxy('JP')]);
      const name = 'agent-session-job_7';
      const exits = async (times: number) => {
        const seen: string[] = [];
        for (let n = 0; n < times; n += 1) {
          seen.push((await rig.get(n % 2 ? other : server, agent, { name })).from);
        }
        return [...new Set(seen)];
      };
      const [exit, ...more] = await exits(8);
      expect(more).to.deep.equal([]);
      const newcomers = await Promise.all(Array.from({ length: 9 }, () => rig.proxy('US')));
      expect(await exits(8)).to.deep.equal([exit]);
      expect(newcomers.map(({ connections }) => connections)).to.deep.equal(Array(9).fill(0));

      const country = Object.entries(EXITS).find(([, { local }]) => local === exit)![0];
      await rig.platform.query(`update proxy set state = 'degraded' where country_code = $1`, [
        country,
      ]);
      const [next, ...others] = await exits(8);
      expect(next).not.to.equal(exit);
      expect(others).to.deep.equal([]);
    });

    it('of its own for each agent, name and country', async () => {
      const own = { agentId: 1, country: 'US', name: 'x' };
      const others = [{ agentId: 2 }, { country: 'DE' }, { country: undefined }, { name: 'y' }];
      const sessions = [{}, ...others].map((other) =>
        sessionOf(rig.platform.context, { ...own, ...other }),
      );
      expect(new Set(sessions.map(({ key }) => key)).size).to.equal(sessions.length);
      expect(new Set(sessions.map(({ position }) => position)).size).to.equal(sessions.length);

      await Promise.all(Array.from({ length: 12 }, () => rig.proxy('US')));
      await rig.proxy('DE');
      const name = 'agent-country-de-session-x';
      expect((await rig.get(server, agent, { name })).from).to.equal(EXITS.DE.local);
      const same = 'agent-session-x-country-us';
      expect((await rig.get(server, agent, { name: same })).from).to.equal(EXITS.US.local);
      const rows = await rig.platform.context.queue.redis.keys(
        `${rig.platform.prefix}:proxy-session:*`.replaceAll(/[{}]/g, '\\$&'),
      );
      expect(rows.length).to.be.greaterThanOrEqual(2);
      for (const key of rows) expect(key).not.to.match(/session-x|job_7/);
    });
  });

  describe('relays', () => {
    it('the bytes of a target that sends first, from its first byte', async () => {
      await rig.proxy('US');
      rig.serve = (socket) => void socket.end('220 I was first\r\n');
      const { reply, client } = await requestTarget(server, wanted());
      expect(reply).to.equal(0);
      expect(String(await client.readAll())).to.equal('220 I was first\r\n');
      client.close();
    });

    it('the bytes of a client that does not wait for answers, in chunks of any size', async () => {
      await rig.proxy('US');
      rig.serve = (socket) => void socket.pipe(socket);
      const all = Buffer.concat([
        GREETING,
        login('agent', agent.proxyKey),
        request('target.example', rig.plainPort),
        Buffer.from('and the rest of it'),
      ]);
      for (const size of [1, 2, 7, 40, 64, all.length]) {
        const client = await RawClient.with(server.port);
        for (let at = 0; at < all.length; at += size) {
          client.send(all.subarray(at, at + size));
          await new Promise(setImmediate);
        }
        const answers = Buffer.from([5, 2, 1, 0, 5, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
        expect((await client.read(14)).equals(answers), `in pieces of ${size}`).to.equal(true);
        expect(String(await client.read(18))).to.equal('and the rest of it');
        client.close();
      }
    });

    it('no faster than the other side reads, and everything in the end', async () => {
      await rig.proxy('US');
      const bytes = 64 * 2 ** 20;
      let sent = 0;
      rig.serve = (socket) => {
        const piece = Buffer.alloc(2 ** 16, 'x');
        const more = () => {
          while (sent < bytes) {
            sent += piece.length;
            if (!socket.write(piece)) return void socket.once('drain', more);
          }
          socket.end();
        };
        more();
      };
      const { client } = await requestTarget(server, wanted());
      client.socket.pause();
      const looks: number[] = [];
      await eventually(
        async () => looks.push(sent),
        () => looks.length > 10 && new Set(looks.slice(-10)).size === 1,
      );
      expect(sent).to.be.lessThan(bytes / 2);
      client.socket.resume();
      expect(await client.readAll()).to.have.length(bytes);
      client.close();
    });
  });

  const wanted = (name = 'agent') => ({ key: agent.proxyKey, name, port: rig.plainPort });
});
