import { Socket } from 'node:net';

import { expect } from 'chai';

import { openUnauthenticatedClients } from '../../../api/socks/admission/unauthenticated.ts';
import type { SocksServer } from '../../../api/socks/server.ts';
import { Rig } from './rig.ts';
import { GREETING, login, request, RawClient } from './raw_client.ts';

describe('the SOCKS5 server', function () {
  this.timeout(60_000);

  let rig: Rig;
  let server: SocksServer;
  let agent: Awaited<ReturnType<Rig['agent']>>;
  before(async () => {
    rig = await Rig.open();
    server = await rig.server();
    agent = await rig.agent();
    await rig.proxy('US');
    // Another agent, whose clients come from another address than ours.
    const { id } = await rig.agent();
    await rig.platform.query('insert into proxy_address values ($1, $2)', ['203.0.113.9', id]);
  });
  after(() => rig.close());

  it('disconnects a client without a login, or with another protocol', async () => {
    for (const [sent, received] of [
      ['050100', '05ff'],
      ['0500', '05ff'],
      ['0503000103', '05ff'],
      ['040100500101010100', ''], // SOCKS4
      ['160301020001', ''], // TLS
      ['0501020901410142', '0502'], // A login of another version.
    ] as const) {
      const client = await RawClient.with(server.port);
      client.send(Buffer.from(sent, 'hex'));
      expect((await client.readAll()).toString('hex'), sent).to.equal(received);
      client.close();
    }
  });

  it('disconnects a client whose handshake takes too long', async () => {
    const hasty = await rig.server({ handshakeMs: 4_000 });
    const name = login('agent', agent.proxyKey);
    const all = Buffer.concat([GREETING, name, request('target.example', rig.webPort)]);
    const drip = await RawClient.with(hasty.port);
    drip.send(GREETING);
    let at = GREETING.length;
    const dripping = setInterval(() => drip.send(all[at++]!), 500);
    const lengths = await Promise.all(
      [0, 2, GREETING.length, GREETING.length + 20, GREETING.length + name.length, -1].map(
        async (bytes) => {
          const client = await RawClient.with(hasty.port);
          client.send(all.subarray(0, bytes));
          return (await client.readAll()).length;
        },
      ),
    );
    expect(lengths).to.deep.equal([0, 0, 2, 2, 4, 4]);
    expect(await drip.readAll()).to.have.length(2);
    clearInterval(dripping);
  });
});

describe('clients that have not logged in', () => {
  /** No machine of ours has two IPv6 addresses to come from: a socket that says it has one. */
  const from = (remoteAddress: string): Socket =>
    Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress });

  it('of one /64 of IPv6 share its places, and another has its own', () => {
    const clients = openUnauthenticatedClients({ unauthenticatedMax: 8, greetMs: 60_000 });
    const admitted = Array.from({ length: 20 }, (_, n) => {
      const client = from(`2001:db8:1:2:${n.toString(16)}:5::${n}`);
      return clients.admit(client) ? client : [];
    }).flat();
    expect(admitted, 'of the /64, half of all').to.have.length(4);
    expect(clients.admit(from('2001:db8:1:3::1')), 'the next /64').to.equal(true);
    expect(clients.admit(from('203.0.113.9')), 'an IPv4 address').to.equal(true);
    clients.release(admitted[0]!);
    clients.release(admitted[1]!);
    expect(clients.admit(from('2001:db8:1:2:ffff::9')), 'its /64 has given back').to.equal(true);
  });
});
