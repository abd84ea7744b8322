import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

import { expect } from 'chai';
import pg from 'pg';

import { processesIn, signal } from '../../local/processes/running_processes.ts';
import { admin, urlAs } from '../databases.ts';
import { eventually, type TestPlatform } from '../harness.ts';
import { child, endChildren, openPlatform } from './children.ts';
import {
  buy,
  measureStalls,
  startLoad,
  openMarket,
  expectConsistent,
  logMeasurement,
} from './market.ts';
import { openServers, type Servers } from './servers.ts';

describe('a PostgreSQL', function () {
  this.timeout(120_000);

  let servers: Servers;
  let platform: TestPlatform;
  beforeEach(async () => {
    servers = await openServers();
    const { redis, postgres } = servers;
    platform = await openPlatform({
      redisUrl: redis.url,
      postgresUrl: postgres.url,
      workers: false,
    });
  });
  afterEach(async () => {
    await endChildren();
    await platform.close();
    await servers.close();
  });

  it('that is killed under load kills no process, answers 503 meanwhile, loses nothing', async () => {
    const market = await openMarket(platform);
    const [api, ...workers] = await Promise.all([
      child(platform, 'test/faults/api.ts'),
      child(platform, 'test/faults/worker.ts'),
      child(platform, 'test/faults/worker.ts'),
    ]);
    const calls = startLoad(api, market, { callers: 8 });
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
    const [upAt, before, held] = [Date.now(), calls.replies.length, measureStalls()];
    await calls.answered(before + 1);
    const tookMs = Date.now() - upAt;
    logMeasurement('first success after PostgreSQL came back', tookMs);
    expect(tookMs).to.be.below(5_000 + held());
    await calls.answered(before + 50);
    calls.stop();
    const replies = await calls.done;

    // Neither a fault nor silence was heard by anybody.
    expect([200, 202, 503]).to.include.members([...calls.statuses]);
    for (const { process } of [api, ...workers]) expect(process.exitCode).to.equal(null);
    await expectConsistent(platform, replies.length);
  });

  it('that is frozen lets nobody wait for ever, and what was asked for is done once', async () => {
    const market = await openMarket(platform);
    const [api] = await Promise.all([
      child(platform, 'test/faults/api.ts', { DATABASE_MS: '400' }),
      child(platform, 'test/faults/worker.ts'),
    ]);
    const headers = {
      authorization: `Bearer ${market.buyer.key}`,
      'content-type': 'application/json',
    };
    const ask = (path: string, init: RequestInit = {}) =>
      fetch(api.url + path, { headers, ...init, signal: AbortSignal.timeout(10_000) });
    // It hears nothing for so short a time while it begins, too.
    await eventually(
      () => ask('/api/v1/wallet'),
      ({ status }) => status === 200,
    );
    const known = { key: randomUUID() as string, wait: 0 };

    const thaw = freeze(servers.postgres.folder);
    try {
      // The first while the API still knows the key, the others when it would have to ask.
      expect(await buy(api, market, known)).to.include({ status: 503 });
      for (const answer of [
        await ask('/api/v1/wallet'),
        await ask('/api/v1/agent/keys', { method: 'POST', body: '{"scopes":["read"]}' }),
        await ask('/api/v1/mcp/call', { method: 'POST', body: '{"tool":"get_wallet"}' }),
        await ask('/api/v1/mcp', {
          method: 'POST',
          body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
        }),
      ]) {
        expect(answer.status).to.equal(503);
        expect(await answer.text()).to.include('"service_unavailable"');
      }
      expect((await ask('/readyz')).status).to.equal(503);
    } finally {
      thaw();
    }
    const done = await eventually(
      () => buy(api, market, { ...known, wait: 25 }),
      (reply) => reply?.status !== 503,
    );
    expect(done).to.include({ status: 200 });
    await expectConsistent(platform, 1);
  });

  it('that takes too long over a statement is a reason to repeat the call', async () => {
    const market = await openMarket(platform);
    await admin(servers.postgres.url, `alter role market_app set statement_timeout = '200ms'`);
    const api = await child(platform, 'test/faults/api.ts');
    const headers = { authorization: `Bearer ${market.buyer.key}` };
    const ask = async (path: string, init: RequestInit = {}) =>
      (await fetch(api.url + path, { headers, ...init })).status;
    const once = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
    const make = { method: 'POST', headers: { ...headers, ...once }, body: '{"scopes":["read"]}' };

    const holder = new pg.Client({
      connectionString: urlAs(servers.postgres.url, platform.name, 'market_owner'),
    });
    await holder.connect();
    await holder.query('begin; lock table api_key in access exclusive mode');
    expect(await ask('/api/v1/wallet')).to.equal(503); // Its key cannot be looked up.
    await holder.query('rollback');
    expect(await ask('/api/v1/wallet')).to.equal(200);
    await holder.query('begin; lock table api_key, ledger.treasury in access exclusive mode');
    expect(await ask('/api/v1/wallet')).to.equal(503);
    expect(await ask('/api/v1/agent/keys', make)).to.equal(503);
    await holder.query('rollback');
    expect(await ask('/api/v1/agent/keys', make)).to.equal(200);
    await holder.end();
  });
});

/** Stops every process of a PostgreSQL. Answers what lets them go on. */
function freeze(folder: string): () => void {
  const data = join(folder, 'data');
  const pids = processesIn(data, join(data, 'postmaster.pid'));
  for (const pid of pids) signal(pid, 'SIGSTOP');
  return () => pids.forEach((pid) => signal(pid, 'SIGCONT'));
}
