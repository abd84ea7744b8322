import { expect } from 'chai';

import { asOwner } from '../../as_owner.ts';
import { eventually } from '../../harness.ts';
import { untilWaiting } from '../../in_queue.ts';
import { Rig } from './rig.ts';
import { logIn, request, type RawClient } from './raw_client.ts';

describe('the SOCKS5 server', function () {
  this.timeout(60_000);

  let rig: Rig;
  before(async () => (rig = await Rig.open()));
  after(() => rig.close());

  it('sells exactly 50 of 100 connections that come at once with money for 50', async () => {
    const limits = { handshakeMs: 60_000, refusalsPerSecond: 1_000 };
    const [server, agent] = await Promise.all([rig.server(limits), rig.agent({ usd: 0.5 })]);
    await Promise.all([rig.proxy('US'), rig.proxy('DE'), rig.proxy('JP')]);
    await rig.spend(agent, 950);
    // A login while all others buy may be answered that it cannot be done now.
    const clients: RawClient[] = [];
    while (clients.length < 100)
      clients.push((await logIn(server, { key: agent.proxyKey })).client);
    const bytes = request('target.example', rig.plainPort);
    for (const client of clients) client.send(bytes);
    const replies = await Promise.all(clients.map(async (client) => (await client.read(10))[1]));
    expect(replies.filter((reply) => reply === 0)).to.have.length(50);
    expect(replies.filter((reply) => reply === 2)).to.have.length(50);
    for (const [n, client] of clients.entries()) {
      if (replies[n] !== 0) continue;
      client.send('ping');
      expect(String(await client.read(4))).to.equal('ping');
    }
    for (const client of clients) client.close();
    expect(await rig.platform.balance(agent)).to.equal(0);
    expect(await rig.charges(agent)).to.equal(50);
  });

  it('refunds a client that disconnects while it is charged', async () => {
    const [server, agent] = await Promise.all([rig.server({ handshakeMs: 60_000 }), rig.agent()]);
    await rig.proxy('US');
    const { client } = await logIn(server, { key: agent.proxyKey });
    const lock = `select from ledger.treasury where id = ${agent.id} for update`;
    await asOwner(rig.platform, `begin; ${lock}`, async () => {
      client.send(request('target.example', rig.plainPort));
      await untilWaiting(rig.platform, 1);
      client.close();
      // Whoever comes later and is answered shows that the server has noticed it.
      for (let n = 0; n < 2; n += 1) (await logIn(server, { key: agent.proxyKey })).client.close();
    });
    await eventually(
      () =>
        rig.platform.query('select from charge where agent_id = $1 and refunded_credit > 0', [
          agent.id,
        ]),
      (refunded) => refunded.length === 1,
    );
    expect(await rig.platform.balance(agent)).to.equal(0.5);
  });
});
