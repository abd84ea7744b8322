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
import { audit } from '../../shared/kernel/audit.ts';
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

  it('that is taken while there is trade holds, restored, every row as it was at its end', async () => {
    const market = await openMarket(platform);
    const trade = startTrade(platform, market);
    await trade.made(20);

    // The server waits in the middle of its files for whoever reads the backup.
    const tar = join(folder.path, 'postgres.tar');
    const [read, gate] = [new PassThrough(), openGate()];
    const taken = Promise.all([
      baseBackup(postgres.url, read),
      pipeline(read, gate.through, createWriteStream(tar)),
    ]);
    await gate.begun;
    await trade.made(60);
    expect(await phases(postgres)).to.deep.equal(['streaming database files']);

    await trade.stop();
    await platform.pauseWorkers();
    const pending = await buy(platform, market, { wait: 0 });
    expect(pending!.status).to.equal(202);
    const before = await rowsOf(postgres, platform);
    expect(await phases(postgres)).to.deep.equal(['streaming database files']);
    gate.open();
    await taken;

    await platform.resumeWorkers();
    const later = await buy(platform, market);
    expect(later!.status).to.equal(200);
    expect(await rowsOf(postgres, platform)).not.to.deep.equal(before);

    const at = join(folder.path, 'restored');
    await unpackCluster(tar, at);
    restored = await startPostgres({ folder: at, passwords, durable: true });
    expect(await rowsOf(restored, platform)).to.deep.equal(before);
    expect(await auditOf(restored, platform)).to.deep.equal([]);

    await expectToContinue(restored, market, pending!.body.job_id);
    expect(await auditOf(restored, platform)).to.deep.equal([]);
  });

  /** The marketplace on the restored server, with a Redis that knows nothing of it. */
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
    // Whoever hears that a process has just begun asks again.
    const get = async (path: string) => {
      const ask = () => fetch(api.url + path, { headers });
      return (await eventually(ask, ({ status }) => status !== 503)).json();
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

/** Callers who buy, confirm and give back. */
function startTrade(platform: TestPlatform, market: Market) {
  const calls = startLoad(platform, market, { callers: 6 });
  let stopped = false;
  const settle = async () => {
    for (let n = 0; !stopped; n += 1) {
      await eventually(
        async () => calls.replies.length,
        (made) => stopped || made > n,
      );
      const order = calls.replies[n]?.body.order_id;
      if (order === undefined) continue;
      const route = `POST /api/v1/orders/${order}/${n % 2 ? 'confirm' : 'refund'}`;
      const headers = { 'idempotency-key': `settle-${order}` };
      const asked = { key: market.buyer.key, body: {}, headers };
      // Whoever hears that it is not known repeats the call with its key.
      const { status } = await eventually(
        () => platform.request(route, asked),
        (reply) => reply.status !== 503,
      );
      expect(status).to.equal(200);
    }
  };
  const settling = settle();
  return {
    made: (orders: number) => calls.answered(orders),
    async stop() {
      stopped = true;
      calls.stop();
      await Promise.all([calls.done, settling]);
    },
  };
}

/** Lets a first piece through, and the rest when it is opened. */
function openGate() {
  const gate = new EventEmitter();
  const [begun, opened] = [once(gate, 'begun'), once(gate, 'opened')];
  return {
    begun,
    open: () => gate.emit('opened'),
    async *through(this: void, chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        yield chunk;
        gate.emit('begun');
        await opened;
      }
    },
  };
}

/** Of each table how many rows it has and what they are together. */
async function rowsOf(server: Postgres, { name }: TestPlatform): Promise<Record<string, object>> {
  return asSuperuser(server, name, async (ask) => {
    const tables = await ask(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
        where schemaname in ('public', 'ledger') order by 1`,
    );
    const found: Record<string, object> = {};
    for (const table of tables) {
      const [rows] = await ask(
        `select count(*), md5(string_agg(t::text, E'\\n' order by t::text)) from ${table.name} t`,
      );
      found[table.name!] = rows!;
    }
    expect(Object.keys(found)).to.include.members(['ledger.treasury', 'ledger.transfer']);
    return found;
  });
}

const phases = (server: Postgres) =>
  asSuperuser(server, 'postgres', async (ask) =>
    (await ask('select phase from pg_stat_progress_basebackup')).map(({ phase }) => phase),
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
  act: (ask: (sql: string) => Promise<Record<string, string>[]>) => Promise<T>,
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
