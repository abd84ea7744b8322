// test:all: servers of their own are started, killed and stopped.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';
import { Redis } from 'ioredis';
import pg from 'pg';

import { startPostgres, type Postgres } from '../../local/postgres/postgres.ts';
import { startRedis } from '../../local/redis/redis.ts';
import { findRedis } from '../../local/redis/binary.ts';
import type { Server } from '../../local/processes/server.ts';
import { eventually } from './launcher.ts';

describe('A PostgreSQL of our own', function () {
  this.timeout(60_000);

  let server: Postgres;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server.stop());

  it('has an owner for the schema and an application that may create nothing', async () => {
    await ask(server.urlOf('market_owner'), 'create table thing (id int)');
    await ask(server.urlOf('market_owner'), 'insert into thing values (7)');
    const error = await ask(server.urlOf('market_app'), 'create table mine (id int)').catch(String);
    expect(error).to.contain('permission denied');
  });

  it('restarts on its port with its data after it was killed, even during a statement', async () => {
    const sleeper = ask(server.url, 'select pg_sleep(60)').catch(String);
    const asleep = `select from pg_stat_activity where wait_event = 'PgSleep'`;
    await eventually(async () => (await ask(server.url, asleep)).length === 1);
    const old = server.pid();
    server.kill('SIGKILL');
    expect(await server.ended()).to.equal('signal 9');
    await server.start();
    expect(server.pid()).not.to.equal(old);
    expect(await ask(server.url, 'select id from thing')).to.deep.equal([{ id: 7 }]);
    expect(await sleeper).to.match(/terminat|reset|closed/i);
  });

  it('can be ended while it is stopped', async () => endsWhileStopped(server));
});

describe('A Redis of our own', function () {
  this.timeout(60_000);

  let server: Server;
  before(async () => {
    server = await startRedis();
  });
  after(() => server.stop());

  it('never drops jobs when memory is short, and asks for a password', async () => {
    const redis = new Redis(server.url);
    expect(await redis.config('GET', 'maxmemory-policy')).to.include('noeviction');
    await redis.quit();

    const withoutPassword = new Redis(server.port, { enableReadyCheck: false });
    expect(await withoutPassword.get('x').catch(String)).to.contain('NOAUTH');
    withoutPassword.disconnect();
  });

  it('can be ended while it is stopped', async () => endsWhileStopped(server));
});

describe('The search for a Redis', () => {
  const folderWith = (answer: string) => {
    const folder = mkdtempSync(join(tmpdir(), 'bin-'));
    const script = `#!/bin/sh\necho 'Redis server ${answer} sha=0'\n`;
    writeFileSync(join(folder, 'redis-server'), script, { mode: 0o755 });
    return folder;
  };

  it('takes the first that is new enough', async () => {
    const folders = [folderWith('v=6.0.16'), folderWith('v=6.2.0'), folderWith('v=8.0.2')];
    const { file } = await findRedis('path', folders);
    expect(file).to.equal(join(folders[1]!, 'redis-server'));
  });

  it('says how to install one when there is none', async () => {
    const error = await findRedis('path', [folderWith('v=5.0.3')]).catch(String);
    for (const command of ['apt-get install -y redis-server', 'dnf install', 'brew install']) {
      expect(error).to.contain(command);
    }
    expect(error).to.contain('REDIS_URL');
  });
});

async function ask(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client(url);
  // The query that runs when the connection is lost is rejected as well.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

async function endsWhileStopped(server: Server): Promise<void> {
  server.kill('SIGSTOP');
  await server.stop();
  await server.start();
}
