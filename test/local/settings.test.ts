import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { launch } from './launcher.ts';

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
});
