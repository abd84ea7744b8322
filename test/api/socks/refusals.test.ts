import { expect } from 'chai';

import type { SocksServer } from '../../../api/socks/server.ts';
import { childOf } from '../../agents/child.ts';
import { FORBIDDEN } from '../../platform/egress/forbidden.ts';
import { setPolicy } from '../../policy.ts';
import { suspend } from '../../suspend.ts';
import type { Peer } from '../../proxies/peers.ts';
import { Rig } from './rig.ts';
import { requestTarget, GREETING, login, replyTo, RawClient } from './raw_client.ts';

describe('the SOCKS5 server refuses', function () {
  this.timeout(60_000);

  let rig: Rig;
  let server: SocksServer;
  let proxy: Peer;
  let agent: Awaited<ReturnType<Rig['agent']>>;
  before(async () => {
    rig = await Rig.open();
    server = await rig.server({ refusalsPerSecond: 1_000 });
    proxy = await rig.proxy('US');
  });
  beforeEach(async () => {
    agent = await rig.agent();
  });
  after(() => rig.close());

  const to = (fields: object = {}) => ({ key: agent.proxyKey, port: rig.webPort, ...fields });

  /** Nothing was charged, and no proxy was dialled. */
  async function expectNothing(work: () => Promise<void>): Promise<void> {
    const before = proxy.connections;
    await work();
    expect(await rig.platform.balance(agent)).to.equal(0.5);
    expect(proxy.connections).to.equal(before);
  }

  describe('with status 1 of the login', () => {
    it('a key that no agent has, however it is spelled', () =>
      expectNothing(async () => {
        const mine = agent.proxyKey;
        const wrong = [
          '',
          'x',
          'vnxp_',
          `vnxp_${'A'.repeat(43)}`,
          mine.slice(0, -1),
          `${mine}A`,
          mine.toUpperCase(),
          agent.key,
          `${mine}\0`,
          `' or true --`,
          '\xff'.repeat(255),
        ];
        for (const key of wrong) {
          const { login: status, client } = await requestTarget(server, to({ key }));
          expect(status, key).to.equal(1);
          expect(await client.readAll()).to.have.length(0);
          client.close();
        }
      }));

    it('a key that was replaced, at once', () =>
      expectNothing(async () => {
        const route = 'POST /api/v1/proxy/my-key/rotate';
        const { body } = await rig.platform.request(route, { key: agent.key });
        expect((await requestTarget(server, to())).login).to.equal(1);
        expect((await requestTarget(server, to({ key: body.key, port: 1 }))).login).to.equal(0);
      }));
  });

  it('with status 2 of the login a user name that it does not understand', () =>
    expectNothing(async () => {
      for (const name of [
        '',
        'bob',
        'agent-',
        'agent-us',
        'agent-country',
        'agent-country-',
        'agent-country-usa',
        'agent-country-us-country-de',
        'agents-country-us',
        'agent-county-us',
        'agent-city-',
        'agent-city-new york',
        'agent-city-a;b',
        'agent-asn-0',
        'agent-asn-4294967296',
        'agent-asn-x',
        'agent-session-a--b',
        'agent-session-a-',
        'agent-session-a-ttl-5',
        'agent-session-a-ttl-9s',
        'agent-session-a-ttl-25h',
        'agent-ttl-10m',
        'agent-session-',
        'agent-session-a-session-b',
        'agent-session-a b',
        `agent-session-${'a'.repeat(65)}`,
        'agent-session-a-country-us-session-b',
        'agent-country-us\n',
        'agent-ttl-5',
      ]) {
        expect((await requestTarget(server, to({ name }))).login, name).to.equal(2);
      }
    }));

  describe('with 2', () => {
    it('an agent that cannot pay', async () => {
      await rig.spend(agent, 500);
      const before = proxy.connections;
      expect(await replyTo(server, to())).to.equal(2);
      expect(proxy.connections).to.equal(before);
      expect(await rig.platform.balance(agent)).to.equal(0);
    });

    for (const [what, limits] of [
      ['suspended', undefined],
      ['forbidden proxies', { allowed_product_types: ['dataset'] }],
      ['limited below the price at a time', { max_spend_per_tx: 999 }],
      ['limited below the price a day', { daily_spend_limit: 999 }],
    ] as const) {
      it(`an agent that is ${what}, or whose owner is`, () =>
        expectNothing(async () => {
          const child = await childOf(rig.platform, agent);
          const key = await rig.proxyKey(child);
          expect(await replyTo(server, to({ port: 1 }))).to.equal(2);
          await (limits ? setPolicy(rig.platform, agent, limits) : suspend(rig.platform, agent));
          expect(await replyTo(server, to())).to.equal(2);
          expect(await replyTo(server, to({ key }))).to.equal(2);
        }));
    }

    it('every way to write an address that is not public, and internal names', () =>
      expectNothing(async () => {
        const inner = ['router', 'nas.local', 'db.internal', 'a.localhost', 'x.home.arpa', 'x.lan'];
        const names = [...FORBIDDEN, ...inner, ...inner.map((name) => `${name}.`.toUpperCase())];
        const odd = ['', '.', '..', 'a..b', 'a b.example', '-a.example', 'a_b', 'example.com:80'];
        for (const host of [...names, ...odd, ...names.map((name) => name.replace(/[[\]]/g, ''))]) {
          expect(await replyTo(server, to({ host })), host).to.equal(2);
        }
      }));

    it('the bytes of such addresses', () =>
      expectNothing(async () => {
        const mapped = [...Array(10).fill(0), 255, 255, 127, 0, 0, 1];
        for (const host of [
          [127, 0, 0, 1],
          [0, 0, 0, 0],
          [10, 1, 2, 3],
          [169, 254, 169, 254],
          [192, 168, 1, 1],
          [224, 0, 0, 1],
          [...Array(15).fill(0), 1],
          Array(16).fill(0),
          [0xfd, ...Array(15).fill(1)],
          [0xfe, 0x80, ...Array(14).fill(1)],
          mapped,
          [0x20, 0x02, 127, 0, 0, 1, ...Array(10).fill(0)],
        ]) {
          expect(await replyTo(server, to({ host })), host.join('.')).to.equal(2);
        }
      }));

    it('ports that are not for sale', () =>
      expectNothing(async () => {
        for (const port of [0, 1, 22, 25, 53, 445, 587, 5_432, 6_379, 65_535]) {
          expect(await replyTo(server, to({ port })), String(port)).to.equal(2);
        }
      }));
  });

  it('with 7 BIND, UDP ASSOCIATE and every other command but CONNECT', () =>
    expectNothing(async () => {
      for (const command of [0, 2, 3, 4, 255]) {
        expect(await replyTo(server, to({ command })), String(command)).to.equal(7);
      }
    }));

  it('with 8 kinds of addresses that SOCKS5 does not have', () =>
    expectNothing(async () => {
      const client = await RawClient.with(server.port);
      client.send(
        GREETING,
        login('agent', agent.proxyKey),
        Buffer.from([5, 1, 0, 9, 1, 2, 3, 4, 0, 80]),
      );
      await client.read(4);
      expect((await client.read(10))[1]).to.equal(8);
      client.close();
    }));
});
