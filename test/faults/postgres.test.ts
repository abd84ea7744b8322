import { expect } from 'chai';

import { eventually, type House } from '../harness.ts';
import { child, endChildren, openHouse } from './children.ts';
import { load, openMarket, prove, report } from './market.ts';
import { openServers, type Servers } from './servers.ts';

describe('a PostgreSQL that is killed under load', function () {
  this.timeout(60_000);

  let servers: Servers;
  let house: House;
  before(async () => {
    servers = await openServers();
    const { redis, postgres } = servers;
    house = await openHouse({ redisUrl: redis.url, postgresUrl: postgres.url, workers: false });
  });
  after(async () => {
    await endChildren();
    await house.close();
    await servers.close();
  });

  it('kills no process, answers 503 meanwhile and loses nothing', async () => {
    const market = await openMarket(house);
    const [api, ...workers] = await Promise.all([
      child(house, 'test/faults/api.ts'),
      child(house, 'test/faults/worker.ts'),
      child(house, 'test/faults/worker.ts'),
    ]);
    const calls = load(api, market, { callers: 8 });
    await calls.answered(50);
    servers.postgres.kill('SIGKILL');
    await servers.postgres.ended();
    await eventually(
      async () => calls.statuses,
      (seen) => seen.has(503),
    );
    const headers = { authorization: `Bearer ${market.buyer.key}` };
    expect((await fetch(`${api.url}/api/v1/wallet`, { headers })).status).to.equal(503);
    expect((await fetch(`${api.url}/healthz`)).status).to.equal(200);
    await servers.postgres.start();
    const [upAt, before] = [Date.now(), calls.replies.length];
    await calls.answered(before + 1);
    report('first success after PostgreSQL came back', Date.now() - upAt);
    expect(Date.now() - upAt).to.be.below(5_000);
    await calls.answered(before + 50);
    calls.stop();
    const replies = await calls.done;

    // Neither a fault nor silence was heard by anybody.
    expect([200, 202, 503]).to.include.members([...calls.statuses]);
    for (const { process } of [api, ...workers]) expect(process.exitCode).to.equal(null);
    await prove(house, replies.length);
  });
});
