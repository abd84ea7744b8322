import { expect } from 'chai';

import { newPassword } from '../../local/stored_values.ts';
import { readConfig } from '../../shared/composition/config.ts';
import { newMasterKey } from '../../shared/platform/config/setting_values.ts';

/** Settings of ways for money to come in, some of which take play money. */
const REAL = {
  stripe: { STRIPE_SECRET_KEY: `sk_live_${newPassword()}` },
  restricted: { STRIPE_SECRET_KEY: `rk_live_${newPassword()}` },
  base: { BASE_RPC_URLS: 'https://mainnet.base.org' },
  solana: {
    SOLANA_RPC_URLS: 'https://api.mainnet-beta.solana.com',
    SOLANA_DEPOSIT_ADDRESS: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
  },
  x402: {
    X402_FACILITATOR_URL: 'https://facilitator.example.org',
    X402_RPC_URL: 'https://mainnet.base.org',
    X402_PAY_TO: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  },
} as const;
const PLAY = {
  stripe: { STRIPE_SECRET_KEY: `sk_test_${newPassword()}` },
  restricted: { STRIPE_SECRET_KEY: `rk_test_${newPassword()}` },
  base: { ...REAL.base, SANDBOX: 'base' },
  testnet: { BASE_RPC_URLS: 'https://sepolia.base.org', BASE_CHAIN_ID: '84532' },
  solana: {
    ...REAL.solana,
    SANDBOX: 'solana',
    SOLANA_GENESIS: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
  },
  x402: { ...REAL.x402, SANDBOX: 'x402' },
} as const;

describe('real money and play money', () => {
  const moneyFaults = (...some: object[]) => {
    try {
      readConfig({
        NODE_ENV: 'production',
        PUBLIC_URL: 'https://market.example.org',
        DATABASE_URL: 'postgres://10.0.0.5/market',
        REDIS_URL: 'redis://10.0.0.6',
        OPERATOR_TOKEN: newPassword(),
        MASTER_KEYS: newMasterKey('k1'),
        STRIPE_WEBHOOK_SECRETS: `whsec_${newPassword()}`,
        ...Object.assign({}, ...some),
      });
      return [];
    } catch (error) {
      return (error as Error).message.split('\n').slice(1);
    }
  };
  const isOfOne = (a: string, b: string) =>
    a === b ||
    ['stripe restricted', 'base testnet'].some((two) => [a, b].every((x) => two.includes(x)));

  it('start apart', () => {
    for (const one of Object.values(REAL)) expect(moneyFaults(one)).to.deep.equal([]);
    for (const one of Object.values(PLAY)) expect(moneyFaults(one)).to.deep.equal([]);
    expect(moneyFaults(REAL.stripe, REAL.base, REAL.solana, REAL.x402)).to.deep.equal([]);
    const both = { SANDBOX: 'solana,x402' };
    expect(moneyFaults(PLAY.stripe, PLAY.testnet, PLAY.solana, PLAY.x402, both)).to.deep.equal([]);
  });

  it('do not start together, whichever is which, and both are named', () => {
    let pairs = 0;
    for (const [a, real] of Object.entries(REAL)) {
      for (const [b, play] of Object.entries(PLAY)) {
        if (isOfOne(a, b)) continue;
        pairs += 1;
        const faults = moneyFaults(real, play);
        expect(faults, `${a} and ${b}`).to.have.lengthOf(1);
        expect(faults[0]).to.match(/^ {2}\w+[^:]*: play money, beside real money by \w+/);
      }
    }
    expect(pairs).to.be.greaterThan(15);
    expect(moneyFaults(REAL.base, PLAY.stripe)[0]).to.contain(
      'STRIPE_SECRET_KEY (a test key): play money, beside real money by BASE_RPC_URLS.',
    );
  });

  it('name the network that nobody knows', () => {
    expect(moneyFaults({ SANDBOX: 'base,polygon' })[0]).to.contain('SANDBOX names polygon: give');
  });

  it('never start with a double of Stripe, nor with a key that is not secret', () => {
    expect(moneyFaults(PLAY.stripe, { STRIPE_API_BASE: 'http://127.0.0.1:12111' })).to.deep.equal([
      '  STRIPE_API_BASE is for a double of Stripe, whose cards pay nothing: leave it out',
    ]);
    expect(moneyFaults({ STRIPE_SECRET_KEY: `pk_live_${newPassword()}` })).to.deep.equal([
      '  STRIPE_SECRET_KEY is no secret key of Stripe: those begin with sk_live_ or rk_live_',
    ]);
  });
});
