// test:all: a database is backed up and restored.
import { EventEmitter, once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { expect } from 'chai';
import pg from 'pg';

import { baseBackup } from '../../local/postgres/base_backup.ts';
import { startPostgres, type Postgres } from '../../local/postgres/postgres.ts';
import { temporaryFolder, type TemporaryFolder } from '../../local/test_run/temporary_folder.ts';
import { unpackCluster } from '../../local/postgres/unpack_cluster.ts';
import { databaseOf } from '../../shared/platform/database.ts';
import { audit } from '../../shared/composition/audit.ts';
import { urlAs } from '../databases.ts';
import { eventually, type TestPlatform } from '../harness.ts';
import { child, endChildren, openPlatform } from './children.ts';
import { buy, startLoad, openMarket, type Market } from './market.ts';
import { openRedis, type OwnRedis } from './servers.ts';

describe('a backup', function () {
  this.timeout(180_000);

  const passwords = {
    postgres: 'of-the-superuser',
    market_owner: process.env.TEST_OWNER_PASSWORD!,
    market_app: process.env.TEST_APP_PASSWORD!,
  };
  let folder: TemporaryFolder;
  let redis: OwnRedis;
  let postgres: Postgres;
  let restored: Postgres | undefined;
  let platform: TestPlatform;

  before(async () => {
    folder = temporaryFolder();
    const at = join(folder.path, 'postgres');
    [redis, postgres] = await Promise.all([
      openRedis(),
      startPostgres({ folder: at, passwords, durable: true }),
    ]);
    platform = await openPlatform({ redisUrl: redis.url, postgresUrl: postgres.url });
  });
  after(async () => {
    await endChildren();
    await platform.close();
    await Promise.all([redis.close(), postgres.stop(), restored?.stop()]);
    await folder.remove();
  });

  it('that is taken during trade restores every row as it was when the backup ended', async () => {
    const market = await openMarket(platform);
    const trade = startTrade(platform, market);
    await trade.ordered(20);

    // The server waits in the middle of its files until the client reads more of the backup.
    const tar = join(folder.path, 'postgres.tar');
    const [read, gate] = [new PassThrough(), openGate()];
    const backedUp = Promise.all([
      baseBackup(postgres.url, read),
      pipeline(read, gate.through, createWriteStream(tar)),
    ]);
    await gate.started;
    await trade.ordered(60);
    expect(await phases(postgres)).to.deep.equal(['streaming database files']);

    await trade.stop();
    await platform.pauseWorkers();
    const pending = await buy(platform, market, { wait: 0 });
    expect(pending!.status).to.equal(202);
    // The API gathers rows of its log and uses of keys, and would write them during the backup.
    await platform.context.requestLog.close();
    await eventually(
      () => platform.query('select from api_key where last_used_at is null'),
      (unused) => unused.length === 0,
    );
    const before = await rowsOf(postgres, platform);
    expect(await phases(postgres)).to.deep.equal(['streaming database files']);
    gate.open();
    await backedUp;

    await platform.resumeWorkers();
    const nextOrder = await buy(platform, market);
    expect(nextOrder!.status).to.equal(200);
    expect(await rowsOf(postgres, platform)).not.to.deep.equal(before);

    const at = join(folder.path, 'restored');
    await unpackCluster(tar, at);
    restored = await startPostgres({ folder: at, passwords, durable: true });
    expect(await rowsOf(restored, platform)).to.deep.equal(before);
    expect(await auditOf(restored, platform)).to.deep.equal([]);

    await expectToContinue(restored, market, pending!.body.job_id);
    expect(await auditOf(restored, platform)).to.deep.equal([]);
  });

  /** The marketplace works on the restored server, with an empty Redis. */
  async function expectToContinue(
    server: Postgres,
    market: Market,
    pendingJob: string,
  ): Promise<void> {
    const env = {
      DATABASE_URL: urlAs(server.url, platform.name, 'market_app'),
      REDIS_PREFIX: `{restored-${platform.name}}`,
    };
    const [api] = await Promise.all([
      child(platform, 'test/faults/api.ts', env),
      child(platform, 'test/faults/worker.ts', env),
    ]);
    const headers = { authorization: `Bearer ${market.buyer.key}` };
    // A caller that gets 503 while a process starts repeats its call.
    const get = async (path: string) => {
      const call = () => fetch(api.url + path, { headers });
      return (await eventually(call, ({ status }) => status !== 503)).json();
    };
    const job = (await get(`/api/v1/jobs/${pendingJob}?wait=20`)) as {
      status: string;
      result: { order_id: number };
    };
    expect(job.status, JSON.stringify(job)).to.equal('complete');
    const vault = (await get(`/vault/${job.result.order_id}`)) as { items: { content: string }[] };
    expect(vault.items[0]!.content).to.equal('It.');
    const next = await buy(api, market);
    expect(next!.status).to.equal(200);
    expect(next!.body.order_id).to.be.above(job.result.order_id);
  }
});

/** Callers that buy, confirm and return orders. */
function startTrade(platform: TestPlatform, market: Market) {
  const calls = startLoad(platform, market, { callers: 6 });
  let stopped = false;
  const settle = async () => {
    for (let n = 0; !stopped; n += 1) {
      await eventually(
        async () => calls.replies.length,
        (replies) => stopped || replies > n,
      );
      const order = calls.replies[n]?.body.order_id;
      if (order === undefined) continue;
      const route = `POST /api/v1/orders/${order}/${n % 2 ? 'confirm' : 'refund'}`;
      const headers = { 'idempotency-key': `settle-${order}` };
      const call = { key: market.buyer.key, body: {}, headers };
      // A caller that gets 503 (the outcome is unknown) repeats the call with its key.
      const { status } = await eventually(
        () => platform.request(route, call),
        (reply) => reply.status !== 503,
      );
      expect(status).to.equal(200);
    }
  };
  const settling = settle();
  return {
    ordered: (orders: number) => calls.answered(orders),
    async stop() {
      stopped = true;
      calls.stop();
      await Promise.all([calls.done, settling]);
    },
  };
}

/** Passes the first chunk, and the rest when it is opened. */
function openGate() {
  const gate = new EventEmitter();
  const [started, opened] = [once(gate, 'started'), once(gate, 'opened')];
  return {
    started,
    open: () => gate.emit('opened'),
    async *through(this: void, chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        yield chunk;
        gate.emit('started');
        await opened;
      }
    },
  };
}

/** For each table the number of its rows and a hash of them all. */
async function rowsOf(server: Postgres, { name }: TestPlatform): Promise<Record<string, object>> {
  return asSuperuser(server, name, async (query) => {
    const tables = await query(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
        where schemaname in ('public', 'ledger') order by 1`,
    );
    const found: Record<string, object> = {};
    for (const table of tables) {
      const [rows] = await query(
        `select count(*), md5(string_agg(t::text, E'\\n' order by t::text)) from ${table.name} t`,
      );
      found[table.name!] = rows!;
    }
    expect(Object.keys(found)).to.include.members(['ledger.treasury', 'ledger.transfer']);
    return found;
  });
}

const phases = (server: Postgres) =>
  asSuperuser(server, 'postgres', async (query) =>
    (await query('select phase from pg_stat_progress_basebackup')).map(({ phase }) => phase),
  );

async function auditOf(server: Postgres, { name }: TestPlatform) {
  const database = await databaseOf(urlAs(server.url, name, 'market_app'), 1).initialize();
  try {
    return await audit(database);
  } finally {
    await database.destroy();
  }
}

async function asSuperuser<T>(
  server: Postgres,
  database: string,
  act: (query: (sql: string) => Promise<Record<string, string>[]>) => Promise<T>,
): Promise<T> {
  const url = new URL(server.url);
  url.pathname = `/${database}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    return await act(async (sql) => (await client.query(sql)).rows);
  } finally {
    await client.end();
  }
}
