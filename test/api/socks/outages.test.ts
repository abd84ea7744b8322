// test:all: servers fail.
import { expect } from 'chai';

import { openServers, type Servers } from '../../faults/servers.ts';
import { eventually, TestPlatform } from '../../harness.ts';
import { Rig } from './rig.ts';
import { requestTarget, RawClient } from './raw_client.ts';

describe('the SOCKS5 server', function () {
  this.timeout(60_000);

  let servers: Servers;
  let rig: Rig;
  let agent: Awaited<ReturnType<Rig['agent']>>;
  before(async () => {
    servers = await openServers();
    const { redis, postgres } = servers;
    const urls = { redisUrl: redis.url, postgresUrl: postgres.url };
    rig = await Rig.open((env) => TestPlatform.open({ ...urls, env, workers: false }));
    await rig.proxy('US');
    agent = await rig.agent();
  });
  after(async () => {
    await rig.close();
    await servers.close();
  });

  const to = (fields: object = {}) => ({ key: agent.proxyKey, port: rig.plainPort, ...fields });

  async function expectOpen(client: RawClient): Promise<void> {
    client.send('ping');
    expect(String(await client.read(4))).to.equal('ping');
  }

  it('accepts no login while PostgreSQL is away, and keeps open connections', async () => {
    const server = await rig.server();
    const paid = await rig.charges(agent);
    const { client } = await requestTarget(server, to());
    await expectOpen(client);
    servers.postgres.kill('SIGKILL');
    await servers.postgres.ended();
    expect((await requestTarget(server, to())).login).to.equal(3);
    await expectOpen(client);
    await servers.postgres.start();
    const next = await eventually(
      () => requestTarget(server, to()),
      ({ reply }) => reply === 0,
    );
    await Promise.all([client, next.client].map(expectOpen));
    for (const one of [client, next.client]) one.close();
    expect(await rig.charges(agent)).to.equal(paid + 2);
  });

  it('ends all connections when PostgreSQL has been away for too long', async () => {
    const server = await rig.server({ uncheckedMs: 3_000 });
    const paid = await rig.charges(agent);
    const { client } = await requestTarget(server, to());
    await expectOpen(client);
    servers.postgres.kill('SIGKILL');
    await client.closed;
    expect(client.wasReset).to.equal(true);
    await servers.postgres.start();
    await eventually(
      () => rig.charges(agent),
      (count) => count === paid + 1,
    );
  });

  for (const [state, stop, goOn] of [
    ['frozen', 'SIGSTOP', async () => servers.redis.kill('SIGCONT')],
    ['gone', 'SIGKILL', () => servers.redis.start()],
  ] as const) {
    it(`sells while Redis is ${state}, each process counting for itself`, async () => {
      const server = await rig.server({}, { connectionsPerAgent: 1 });
      const paid = await rig.charges(agent);
      servers.redis.kill(stop);
      const told = await requestTarget(server, to({ name: 'agent-session-x' }));
      await expectOpen(told.client);
      expect((await requestTarget(server, to())).reply).to.equal(1);
      told.client.close();
      await goOn();
      expect(await rig.charges(agent)).to.equal(paid + 1);
    });
  }
});
