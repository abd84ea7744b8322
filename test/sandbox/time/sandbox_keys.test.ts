import { expect } from 'chai';

import { newPassword } from '../../../local/stored_values.ts';
import { readConfig } from '../../../shared/composition/config.ts';
import { newMasterKey } from '../../../shared/platform/config/setting_values.ts';
import { TestPlatform } from '../../harness.ts';
import { openSandbox } from './open_sandbox.ts';

/** The first block of a Solana that is not the real one. */
const GENESIS = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG';
const SECRET = `whsec_${newPassword()}`;

describe('a sandbox', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await openSandbox();
  });
  after(() => platform.close());

  it('gives keys that nobody takes for those of real money', async () => {
    const { key } = await platform.agent();
    expect(key).to.match(/^vnx_test_[0-9A-Za-z]{8}_[\w-]{51}$/);
    const { body: me } = await platform.request('GET /api/v1/agent/me', { key });
    expect(key.startsWith(`${me.key.prefix}_`)).to.equal(true);
    const wrong = await platform.request('GET /api/v1/agent/me', { key: `${key.slice(0, -1)}x` });
    expect(wrong.body.error).to.equal('invalid_key');
  });

  it('gives keys that a marketplace of real money refuses by name', async () => {
    const { key } = await platform.agent();
    const other = await TestPlatform.open();
    expect((await other.agent()).key).to.match(/^vnx_[0-9A-Za-z]{8}_/);
    const { status, body } = await other.request('GET /api/v1/agent/me', { key });
    expect([status, body.error]).to.deep.equal([401, 'invalid_key']);
    expect(body.message).to.contain('sandbox');
    await other.close();
  });

  for (const mode of ['production', 'development']) {
    it(`does not start beside real money (${mode})`, () => {
      const env = {
        NODE_ENV: mode,
        SANDBOX: 'true',
        PUBLIC_URL: 'https://market.example.org',
        DATABASE_URL: 'postgres://10.0.0.5/market',
        REDIS_URL: 'redis://10.0.0.6',
        OPERATOR_TOKEN: newPassword(),
        MASTER_KEYS: newMasterKey('k1'),
        SOLANA_RPC_URLS: 'https://api.mainnet-beta.solana.com',
        SOLANA_DEPOSIT_ADDRESS: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
      };
      expect(() => readConfig(env)).to.throw(/SANDBOX must not be true .* SOLANA_RPC_URLS/);
      expect(readConfig({ ...env, SANDBOX: 'false' }).sandbox).to.equal(false);
      const named = { ...env, SANDBOX: 'solana', SOLANA_GENESIS: GENESIS };
      expect(readConfig(named).sandbox, 'solana').to.equal(true);
    });
  }

  it('is none if real money is beside the networks that SANDBOX names', () => {
    const env = {
      DATABASE_URL: 'postgres://127.0.0.1/market',
      REDIS_URL: 'redis://127.0.0.1',
      OPERATOR_TOKEN: newPassword(),
      MASTER_KEYS: newMasterKey('k1'),
      SANDBOX: 'base',
      BASE_RPC_URLS: 'http://127.0.0.1:8545',
    };
    expect(readConfig(env).sandbox).to.equal(true);
    const real = { STRIPE_SECRET_KEY: `sk_live_${newPassword()}`, STRIPE_WEBHOOK_SECRETS: SECRET };
    expect(readConfig({ ...env, ...real }).sandbox).to.equal(false);
  });
});
