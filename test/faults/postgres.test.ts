// test:all: it makes, freezes and kills a PostgreSQL of its own.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

import { expect } from 'chai';
import pg from 'pg';

import { processesIn, signal } from '../../local/processes/running_processes.ts';
import { admin, urlAs } from '../databases.ts';
import { eventually, type TestPlatform } from '../harness.ts';
import { child, endChildren, openPlatform } from './children.ts';
import { buy, openMarket, expectConsistent } from './market.ts';
import { openServers, type Servers } from './servers.ts';
import { patience } from '../platform/pace.ts';

describe('PostgreSQL', function () {
  this.timeout(120_000);

  let servers: Servers;
  let platform: TestPlatform;
  // Its template of databases takes seconds to make.
  before(async () => (servers = await openServers()));
  beforeEach(async () => {
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
  });
  after(() => servers.close());

  it('frozen lets no caller wait for ever, and a call made meanwhile is performed once', async () => {
    const market = await openMarket(platform);
    const [api] = await Promise.all([
      child(platform, 'test/faults/api.ts', {
        DATABASE_MS: String(patience(400)),
      }),
      child(platform, 'test/faults/worker.ts'),
    ]);
    const headers = {
      authorization: `Bearer ${market.buyer.key}`,
      'content-type': 'application/json',
    };
    const call = (path: string, init: RequestInit = {}) =>
      fetch(api.url + path, { headers, ...init, signal: AbortSignal.timeout(patience(10_000)) });
    // While the API starts, PostgreSQL may take longer than that short DATABASE_MS.
    await eventually(
      () => call('/api/v1/wallet'),
      ({ status }) => status === 200,
    );
    const purchase = { key: randomUUID() as string, wait: 0 };

    const thaw = freeze(servers.postgres.folder);
    try {
      // The first while the API still caches the key, the others when it must read the key.
      expect(await buy(api, market, purchase)).to.include({ status: 503 });
      for (const answer of [
        await call('/api/v1/wallet'),
        await call('/api/v1/agent/keys', { method: 'POST', body: '{"scopes":["read"]}' }),
        await call('/api/v1/mcp/call', { method: 'POST', body: '{"tool":"get_wallet"}' }),
        await call('/api/v1/mcp', {
          method: 'POST',
          body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
        }),
      ]) {
        expect(answer.status).to.equal(503);
        expect(await answer.text()).to.include('"service_unavailable"');
      }
      expect((await call('/readyz')).status).to.equal(503);
    } finally {
      thaw();
    }
    const done = await eventually(
      () => buy(api, market, { ...purchase, wait: 25 }),
      (reply) => reply?.status !== 503,
    );
    expect(done).to.include({ status: 200 });
    await expectConsistent(platform, 1);
  });

  it('too slow with a statement has the caller told to repeat the call', async () => {
    const market = await openMarket(platform);
    await admin(
      servers.postgres.url,
      `alter role market_app set statement_timeout = ${patience(200)}`,
    );
    const api = await child(platform, 'test/faults/api.ts');
    const headers = { authorization: `Bearer ${market.buyer.key}` };
    const statusOf = async (path: string, init: RequestInit = {}) =>
      (await fetch(api.url + path, { headers, ...init })).status;
    const once = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
    const make = { method: 'POST', headers: { ...headers, ...once }, body: '{"scopes":["read"]}' };

    const holder = new pg.Client({
      connectionString: urlAs(servers.postgres.url, platform.name, 'market_owner'),
    });
    await holder.connect();
    await holder.query('begin; lock table api_key in access exclusive mode');
    expect(await statusOf('/api/v1/wallet')).to.equal(503); // Its key cannot be looked up.
    await holder.query('rollback');
    expect(await statusOf('/api/v1/wallet')).to.equal(200);
    await holder.query('begin; lock table api_key, ledger.treasury in access exclusive mode');
    expect(await statusOf('/api/v1/wallet')).to.equal(503);
    expect(await statusOf('/api/v1/agent/keys', make)).to.equal(503);
    await holder.query('rollback');
    expect(await statusOf('/api/v1/agent/keys', make)).to.equal(200);
    await holder.end();
    await admin(servers.postgres.url, 'alter role market_app reset statement_timeout');
  });
});

/** Stops every process of a PostgreSQL server. Answers a function that resumes them. */
function freeze(folder: string): () => void {
  const data = join(folder, 'data');
  const pids = processesIn(data, join(data, 'postmaster.pid'));
  for (const pid of pids) signal(pid, 'SIGSTOP');
  return () => pids.forEach((pid) => signal(pid, 'SIGCONT'));
}
