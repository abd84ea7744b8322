import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { readConfig } from '../../shared/composition/config.ts';
import { newMasterKey } from '../../shared/platform/config/setting_values.ts';
import { launch } from './launcher.ts';

const settings = (changes: Record<string, string>) => ({
  DATABASE_URL: 'postgres://127.0.0.1/market',
  REDIS_URL: 'redis://127.0.0.1:6379',
  OPERATOR_TOKEN: 'operator-token-of-the-tests',
  MASTER_KEYS: newMasterKey('test'),
  ...changes,
});

describe('The settings of npm start', function () {
  this.timeout(60_000);

  it('are all checked before anything is made, and every fault is named', async () => {
    const dataDir = join(tmpdir(), 'never-made');
    const launcher = launch(dataDir, {
      PORT: 'http',
      WORKERS: '65',
      REDIS_URL: 'localhost:6379',
      MIGRATION_DATABASE_URL: 'postgres://owner@127.0.0.1/market',
      EMBEDDED_REDIS: 'docker',
      NODE_ENV: 'production',
    });
    expect(await launcher.exit).to.equal(1);
    for (const fault of [
      'PORT must be a whole number',
      'WORKERS must be a whole number',
      'REDIS_URL must be a URL',
      'EMBEDDED_REDIS must be one of path, apt',
      'DATABASE_URL is not set',
      'OPERATOR_TOKEN is not set',
      'MASTER_KEYS is not set',
    ]) {
      expect(launcher.output()).to.contain(fault);
    }
    expect(existsSync(dataDir)).to.equal(false);
  });

  it('name one PostgreSQL, and say what to put in front of several', () => {
    for (const databaseUrl of [
      'postgres://app:secret@10.0.0.1,10.0.0.2/market',
      'postgres://app:secret@10.0.0.1:5432,10.0.0.2:5432/market',
      'postgres:///market?host=10.0.0.1,10.0.0.2',
    ]) {
      expect(() => readConfig(settings({ DATABASE_URL: databaseUrl }))).to.throw(
        /DATABASE_URL names several hosts: name one .* HAProxy or PgBouncer/,
      );
    }
    const withComma = 'postgres://app:se,cret@10.0.0.1/market';
    expect(readConfig(settings({ DATABASE_URL: withComma })).databaseUrl).to.equal(withComma);
  });

  it('name one Redis, or the Sentinels that know where it is', () => {
    for (const redisUrl of [
      'redis://:p@127.0.0.1:6379/2',
      'rediss://redis.example.com',
      'redis+sentinel://10.0.0.1:26379,10.0.0.2,[::1]:26380/market',
      'rediss+sentinel://app:secret@sentinel.example.com/market?db=1&sentinel_password=x',
    ]) {
      expect(readConfig(settings({ REDIS_URL: redisUrl })).redisUrl).to.equal(redisUrl);
    }
    for (const redisUrl of [
      'redis+sentinel://10.0.0.1:26379', // no name
      'redis+sentinel://10.0.0.1:26379,/market',
      'http://10.0.0.1',
    ]) {
      expect(() => readConfig(settings({ REDIS_URL: redisUrl }))).to.throw(
        /REDIS_URL must be a URL .*redis\+sentinel:/,
      );
    }
  });
});
