import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { launch } from './launcher.ts';

const read = (file: string) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8');

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

  it('are all explained in .env.example', () => {
    const settings = read('shared/platform/config/config.ts').matchAll(/read\('([A-Z_]+)'/g);
    const explained = read('.env.example').matchAll(/^# ([A-Z_]+)=/gm);
    const names = [...explained].map(([, name]) => name);
    expect(names).to.include.members([...settings].map(([, name]) => name));
  });
});
