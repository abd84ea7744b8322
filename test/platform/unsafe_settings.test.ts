import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { newPassword } from '../../local/stored_values.ts';
import { readConfig } from '../../shared/composition/config.ts';
import { newMasterKey } from '../../shared/platform/config/setting_values.ts';
import { ROOT } from '../sources.ts';
import { faultsOf, GOOD } from './production_settings.ts';

const keyOf = (bytes: Buffer) => `k1:${bytes.toString('base64url')}`;
const example = readFileSync(join(ROOT, '.env.example'), 'utf8');
/** Settings of .env.example, with its values. */
const SHOWN = [...example.matchAll(/^# ([A-Z][A-Z0-9_]+)=(.*)$/gm)].map(
  ([, name, value]) => [name!, value!] as const,
);

describe('the settings of a production process', () => {
  it('pass where nothing is unsafe, and each check says so', () => {
    const { selfChecks } = readConfig(GOOD);
    expect(selfChecks.map(({ name, status }) => `${name}: ${status}`)).to.deep.equal([
      'secrets: ok',
      'public_url: ok',
      'money: ok',
      'setting_names: ok',
      'mail: warning',
    ]);
  });

  it('are refused with all that is unsafe at once, and no secret is repeated', () => {
    const token = 'hunter2hunter2hunter2hunter2';
    const text = faultsOf({
      PUBLIC_URL: undefined,
      OPERATOR_TOKEN: token,
      MASTER_KEYS: keyOf(Buffer.alloc(32)),
      STRIPE_SECRET_KEY: 'sk_test_4eC39HqLyjWDarjtT1zdp7dc',
      STRIPE_WEBHOOK_SECRETS: `whsec_${newPassword()}`,
      BASE_RPC_URLS: 'https://mainnet.base.org',
      MASTER_KEY: 'x',
      CALLS_MAX: 'many',
    }).join('\n');
    for (const name of [
      'PUBLIC_URL is not set: set it to the https address',
      'OPERATOR_TOKEN repeats itself',
      'MASTER_KEYS: the key k1 repeats itself',
      'STRIPE_SECRET_KEY (a test key): play money, beside real money by BASE_RPC_URLS',
      'MASTER_KEY is read by nothing: did you mean MASTER_KEYS?',
      'CALLS_MAX must be a whole number',
    ]) {
      expect(text).to.contain(name);
    }
    expect(text).not.to.contain(token).and.not.to.contain('AAAA').and.not.to.contain('4eC39');
  });

  it('pass elsewhere, with warnings', () => {
    const { selfChecks } = readConfig({
      ...GOOD,
      NODE_ENV: 'development',
      PUBLIC_URL: 'http://*.localhost:3000',
      OPERATOR_TOKEN: 'operator-token-of-the-tests',
      WELCOME_CREDITS_PER_DAY: '5',
    });
    expect(selfChecks.map(({ name, status }) => `${name}: ${status}`)).to.deep.equal([
      'secrets: warning',
      'public_url: warning',
      'money: ok',
      'setting_names: warning',
      'mail: warning',
    ]);
  });
});

describe('secrets in production', () => {
  it('are never refused where they are random', () => {
    for (let n = 0; n < 2_000; n += 1) {
      const tokens = [
        randomBytes(12).toString('hex'),
        randomBytes(18).toString('base64url'),
        randomBytes(32).toString('base64url'),
        randomUUID(),
        `operator_${randomBytes(16).toString('hex')}`,
      ];
      const OPERATOR_TOKENS = tokens.map((token, i) => `ada${i}:${token}`).join();
      const changes = { OPERATOR_TOKENS, MASTER_KEYS: newMasterKey('k1') };
      expect(faultsOf(changes), OPERATOR_TOKENS).to.deep.equal([]);
    }
  });

  for (const token of [
    'operator-token-of-the-tests',
    'xxxxxxxxxxxxxxxxxxxxxxxx',
    'abcdefghijklmnopqrstuvwxyz',
    '012345678901234567890123',
    'qwertyuiopasdfghjklzxcvbnm',
    'CHANGE_ME_CHANGE_ME_PLEASE',
    'change-me-to-something-long',
    'correct-horse-battery-staple',
    'deadbeefdeadbeefdeadbeef',
    'your-operator-token-goes-here',
    'SuperSecretPassword12345!',
    'aaaaaaaaaaaaaaaaaaaaaaab',
  ]) {
    it(`are refused as a token where they are like ${token}`, () => {
      const [fault, ...more] = faultsOf({ OPERATOR_TOKEN: token });
      expect(fault).to.match(/^ {2}OPERATOR_TOKEN (repeats|is) .*: make another with openssl/);
      expect(more).to.deep.equal([]);
      const [ofGrace] = faultsOf({ OPERATOR_TOKENS: `ada:${newPassword()},grace:${token}` });
      expect(ofGrace).to.match(/^ {2}OPERATOR_TOKENS: the token of grace /);
    });
  }

  const keys: Record<string, Buffer> = {
    zeros: Buffer.alloc(32),
    'one byte again and again': Buffer.alloc(32, 0x5a),
    'half a key twice': Buffer.concat(Array<Buffer>(2).fill(randomBytes(16))),
    'bytes that count': Buffer.from(Array.from({ length: 32 }, (_, n) => n)),
    'a text': Buffer.from('this is our very secret key 2026'),
    'few different bytes': Buffer.from(randomBytes(32).map((byte) => byte % 8)),
  };
  for (const [what, key] of Object.entries(keys)) {
    it(`are refused as a master key of ${what}, also where it only opens`, () => {
      for (const MASTER_KEYS of [keyOf(key), `${newMasterKey('k2')},${keyOf(key)}`]) {
        expect(faultsOf({ MASTER_KEYS }).join('\n')).to.contain('MASTER_KEYS: the key k1 ');
      }
    });
  }

  it('are refused as .env.example shows them', () => {
    const shown = Object.fromEntries(SHOWN);
    for (const name of ['OPERATOR_TOKENS', 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRETS']) {
      expect(faultsOf({ [name]: shown[name] }).join(), name).to.contain(name);
    }
    for (const name of ['DATABASE_URL', 'MIGRATION_DATABASE_URL', 'REDIS_URL']) {
      expect(faultsOf({ [name]: shown[name] }), name).to.deep.equal([
        `  ${name} has the password of .env.example: give that role another`,
      ]);
    }
  });
});

describe('PUBLIC_URL in production', () => {
  const refused: Record<string, [string | undefined, string]> = {
    absent: [undefined, 'is not set'],
    empty: ['', 'is not set'],
    'an http address': ['http://market.example.org', 'is an http address'],
    'an http address of this machine': ['http://localhost:3000', 'is an http address'],
    'below a path': [
      'https://example.org/market',
      'has more than a host and a port, and nothing is served below a path: set it to https://example.org,',
    ],
    'with a query': ['https://market.example.org/?a=1', 'has more than a host and a port'],
    'with a fragment': ['https://market.example.org/#a', 'has more than a host and a port'],
    'with an empty query': ['https://market.example.org/?', 'has more than a host and a port'],
    'with an empty fragment': ['https://market.example.org/#', 'has more than a host and a port'],
    'a pattern': ['https://*.example.org', 'has a host that nobody can look up'],
    'with a password': ['https://a:b@market.example.org', 'has more than a host and a port'],
    'no URL': ['market.example.org', 'must be a URL'],
  };
  for (const [what, [text, fault]] of Object.entries(refused)) {
    it(`is refused where it is ${what}`, () => {
      const faults = faultsOf({ PUBLIC_URL: text });
      expect(faults).to.have.lengthOf(1);
      expect(faults[0]).to.contain(`PUBLIC_URL ${fault}`);
    });
  }

  for (const mode of ['development', 'test', undefined]) {
    it(`is refused below a path with NODE_ENV ${mode ?? 'unset'} too`, () => {
      const [fault] = faultsOf({ NODE_ENV: mode, PUBLIC_URL: 'http://localhost:3000/shop' });
      expect(fault).to.equal(
        '  PUBLIC_URL has more than a host and a port, and nothing is served below a path: ' +
          'set it to http://localhost:3000, and let the router in front serve that host whole',
      );
    });
  }

  it('may have a port and a slash at its end', () => {
    const { api } = readConfig({ ...GOOD, PUBLIC_URL: 'https://market.example.org:8443/' });
    expect(api.publicUrl).to.equal('https://market.example.org:8443');
  });

  for (const [written, meant] of [
    [' https://market.example.org \n', 'https://market.example.org'],
    ['HTTPS://Market.Example.ORG', 'https://market.example.org'],
    ['https://market.example.org:443/', 'https://market.example.org'],
    ['https://m\u00e4rkt.example', 'https://xn--mrkt-loa.example'],
  ] as const) {
    it(`is ${meant} where it is written ${JSON.stringify(written)}`, () => {
      expect(readConfig({ ...GOOD, PUBLIC_URL: written }).api.publicUrl).to.equal(meant);
    });
  }
});
