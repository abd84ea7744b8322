// test:all: programs are started, with settings whose checks have tests of their own.
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { newPassword } from '../../../local/stored_values.ts';
import { newMasterKey } from '../../../shared/platform/config/setting_values.ts';
import { eventually, TestPlatform } from '../../harness.ts';
import { launch, MASTER_KEYS, urlOf } from '../api_process.ts';

const PROGRAMS = {
  API: 'api/main.ts',
  worker: 'workers/main.ts',
  SOCKS5: 'api/socks/main.ts',
  release: 'migrations/run.ts',
};

describe('a process in production', function () {
  this.timeout(120_000);

  let platform: TestPlatform;
  let folder: string;
  const started: ChildProcess[] = [];

  before(async () => {
    platform = await TestPlatform.open({ env: { MASTER_KEYS }, workers: false });
    folder = mkdtempSync(join(tmpdir(), 'production-'));
  });
  afterEach(() => started.splice(0).forEach((child) => child.kill('SIGKILL')));
  after(async () => {
    rmSync(folder, { recursive: true });
    await platform.close();
  });

  const good = () => ({
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://market.example.org',
    OPERATOR_TOKEN: newPassword(),
    MIGRATION_DATABASE_URL: platform.config.migrationDatabaseUrl,
    SOCKS_PORT: '0',
  });

  function start(env: Record<string, string>, program = PROGRAMS.API) {
    const launched = launch(platform, { ...good(), ...env }, program);
    started.push(launched.child);
    return launched;
  }

  for (const [what, program] of Object.entries(PROGRAMS)) {
    it(`ends with code 1 and one line for each unsafe setting: the ${what}`, async () => {
      const { written, exit } = start(
        {
          PUBLIC_URL: 'http://market.example.org',
          OPERATOR_TOKEN: 'operator-token-of-the-tests',
          MASTER_KEYS: `k1:${Buffer.alloc(32).toString('base64url')}`,
          STRIPE_SECRET_KEY: 'sk_test_4eC39HqLyjWDarjtT1zdp7dc',
          STRIPE_WEBHOOK_SECRETS: `whsec_${newPassword()}`,
          STRIPE_API_BASE: 'http://127.0.0.1:12111',
          BASE_RPC_URLS: 'https://mainnet.base.org',
          STRIPE_SECRET: 'x',
        },
        program,
      );
      expect(await exit).to.deep.equal([1, null]);
      expect(
        written.text
          .slice(written.text.indexOf('Bad settings')) // Packages warn of the version of Node.
          .trim()
          .split('\n')
          .map((line) => line.split(/[:,]/)[0]),
      ).to.deep.equal([
        'Bad settings (see .env.example)',
        '  PUBLIC_URL is an http address',
        '  MASTER_KEYS',
        '  OPERATOR_TOKEN is an example',
        '  STRIPE_API_BASE is for a double of Stripe',
        '  STRIPE_API_BASE',
        '  STRIPE_SECRET is read by nothing',
      ]);
    });

    it(`does not start with other master keys than those of its database: the ${what}`, async () => {
      const { written, exit } = start({ MASTER_KEYS: newMasterKey('k9') }, program);
      expect(await exit).to.deep.equal([1, null]);
      expect(written.text).to.contain('MASTER_KEYS lacks process, under which this database');
      expect(written.text).to.contain('Is DATABASE_URL the right database?');
      expect(written.text).not.to.contain(' at ');
    });
  }

  it('is ready where nothing is unsafe, with its secrets in files', async () => {
    const inFile = (name: string, text: string) => {
      writeFileSync(join(folder, name), `${text}\n`);
      return join(folder, name);
    };
    const token = newPassword();
    const api = start({
      OPERATOR_TOKEN: '',
      OPERATOR_TOKEN_FILE: inFile('token', token),
      MASTER_KEYS: '',
      MASTER_KEYS_FILE: inFile('keys', MASTER_KEYS),
      SMTP_URL: 'smtps://mail.example.com', // An API hands over no mails.
    });
    const url = await urlOf(api);
    const ready = await eventually(
      () => fetch(`${url}/readyz`),
      ({ status }) => status === 200,
    );
    const { self_checks: checks } = (await ready.json()) as { self_checks: object };
    expect([...new Set(Object.values(checks))]).to.deep.equal(['ok']);
    const headers = { authorization: `Bearer ${token}` };
    const overview = await fetch(`${url}/api/v1/admin/overview`, { headers });
    expect(overview.status).to.equal(200);
    expect(api.written.text).not.to.contain('"level":"warn"');
  });
});
