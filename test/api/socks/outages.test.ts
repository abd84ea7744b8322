import { expect } from 'chai';

import { openServers, type Servers } from '../../faults/servers.ts';
import { eventually, TestPlatform } from '../../harness.ts';
import { Rig } from './rig.ts';
import { ask, Talk } from './talk.ts';

describe('the SOCKS5 door', function () {
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

  async function expectOpen(talk: Talk): Promise<void> {
    talk.say('ping');
    expect(String(await talk.hear(4))).to.equal('ping');
  }

  it('lets nobody new in while PostgreSQL is away; who is inside goes on', async () => {
    const door = await rig.door();
    const { talk } = await ask(door, to());
    await expectOpen(talk);
    servers.postgres.kill('SIGKILL');
    await servers.postgres.ended();
    expect((await ask(door, to())).login).to.equal(3);
    await expectOpen(talk);
    await servers.postgres.start();
    const next = await eventually(
      () => ask(door, to()),
      ({ reply }) => reply === 0,
    );
    await Promise.all([talk, next.talk].map(expectOpen));
    for (const one of [talk, next.talk]) one.leave();
    expect(await rig.charges(agent)).to.equal(2);
  });

  it('believes nobody any more when PostgreSQL has been away for too long', async () => {
    const door = await rig.door({ uncheckedMs: 3_000 });
    const { talk } = await ask(door, to());
    await expectOpen(talk);
    servers.postgres.kill('SIGKILL');
    await talk.over;
    expect(talk.wasReset).to.equal(true);
    await servers.postgres.start();
    await eventually(
      () => rig.charges(agent),
      (count) => count === 3,
    );
  });

  for (const [state, stop, goOn] of [
    ['frozen', 'SIGSTOP', async () => servers.redis.kill('SIGCONT')],
    ['gone', 'SIGKILL', () => servers.redis.start()],
  ] as const) {
    it(`sells while Redis is ${state}, each process counting for itself`, async () => {
      const door = await rig.door({}, { connectionsPerAgent: 1 });
      const paid = await rig.charges(agent);
      servers.redis.kill(stop);
      const told = await ask(door, to({ name: 'agent-session-x' }));
      await expectOpen(told.talk);
      expect((await ask(door, to())).reply).to.equal(1);
      told.talk.leave();
      await goOn();
      expect(await rig.charges(agent)).to.equal(paid + 1);
    });
  }
});
