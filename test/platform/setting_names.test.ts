import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { unreadSettings } from '../../shared/platform/self_checks/setting_names.ts';
import { readConfig } from '../../shared/composition/config.ts';
import { newMasterKey } from '../../shared/platform/config/setting_values.ts';
import { newPassword } from '../../local/stored_values.ts';
import { ROOT } from '../sources.ts';

const example = readFileSync(join(ROOT, '.env.example'), 'utf8');
const NAMES = [...example.matchAll(/^# ([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name!);

describe('names of settings in production', () => {
  /** Names that the start says nothing reads. */
  const unread = (...names: string[]) => {
    const good = {
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://market.example.org',
      DATABASE_URL: 'postgres://10.0.0.5/market',
      REDIS_URL: 'redis://10.0.0.6',
      OPERATOR_TOKEN: newPassword(),
      MASTER_KEYS: newMasterKey('k1'),
    };
    try {
      readConfig({ ...Object.fromEntries(names.map((name) => [name, '1'])), ...good });
      return [];
    } catch (error) {
      return [...(error as Error).message.matchAll(/(\w+) is read by nothing/g)].map(([, n]) => n!);
    }
  };

  it('are all read that .env.example shows', () => {
    expect(unread(...NAMES)).to.deep.equal([]);
  });

  it('are refused with a letter left out, doubled or two exchanged, and the right one is named', () => {
    for (const name of NAMES.filter(({ length }) => length >= 9)) {
      for (let at = 1; at < name.length; at += 4) {
        const [a, b] = [name[at - 1]!, name[at]!];
        for (const wrong of [
          name.slice(0, at) + name.slice(at + 1),
          name.slice(0, at) + b + name.slice(at),
          name.slice(0, at - 1) + b + a + name.slice(at + 1),
        ]) {
          // A name that is a slip away from another setting than this one may be taken for that.
          if (NAMES.includes(wrong) || /^\d|_PORT$/.test(wrong)) continue;
          expect(unreadSettings([wrong], NAMES).join(), wrong).to.contain('did you mean');
        }
      }
    }
    expect(unreadSettings(['PUBLIC_URI'], NAMES)).to.deep.equal([
      'PUBLIC_URI is read by nothing: did you mean PUBLIC_URL?',
    ]);
  });

  it('of switches that a list replaced are refused, and name the network for the list', () => {
    for (const [gone, network] of [
      ['BASE_SANDBOX', 'base'],
      ['ARBITRUM_SANDBOX', 'arbitrum'],
      ['ETHEREUM_SANDBOX', 'ethereum'],
      ['SOLANA_SANDBOX', 'solana'],
      ['TRON_SANDBOX', 'tron'],
      ['ALGO_SANDBOX', 'algorand'],
      ['X402_SANDBOX', 'x402'],
    ] as const) {
      expect(unread(gone)).to.deep.equal([gone]);
      expect(unreadSettings([gone], NAMES)).to.deep.equal([
        `${gone} is read by nothing: leave it out. SANDBOX names the networks of play money, ` +
          `${network} among them if it is one`,
      ]);
    }
  });

  it('are of others where only their first word is ours, or where that is an everyday one', () => {
    const names = ['PROXY_HOST', 'PROXY_URL', 'TIER', 'ALGO', 'WITHDRAWAL', 'GOODWILL'];
    expect(unread(...names)).to.deep.equal([]);
  });

  for (const [wrong, right] of [
    ['STRIPE_KEY', 'STRIPE_SECRET_KEY'],
    ['MASTER_KEY', 'MASTER_KEYS'],
    ['URL_PUBLIC', 'PUBLIC_URL'],
    ['BASE_RPC_URL', 'BASE_RPC_URLS'],
    ['DATABASE_URL_FILE', 'DATABASE_URL'],
    ['WITHDRAWAL_DAILY', 'WITHDRAWAL_MAX'],
    ['OPERATORS_TOKEN', 'OPERATOR_TOKENS'],
    ['SOLANA_RPC', 'SOLANA_RPC_URLS'],
    ['master_keys', 'MASTER_KEYS'],
  ] as const) {
    it(`are refused as ${wrong}`, () => {
      expect(unread(wrong)).to.deep.equal([wrong]);
      if (wrong === 'WITHDRAWAL_DAILY' || wrong === 'OPERATORS_TOKEN') return;
      expect(unreadSettings([wrong], NAMES)[0]).to.contain(`did you mean ${right}?`);
    });
  }

  it('are no business of ours where the system, a platform or a container sets them', () => {
    const others =
      'PATH HOME HOST HOSTNAME HOSTTYPE USER SHELL TERM LANG TZ PWD OLDPWD SHLVL LOGNAME MAIL ' +
      'DYNO PORT WEB_CONCURRENCY WEB_MEMORY HEROKU_APP_NAME HEROKU_POSTGRESQL_RED_URL REDIS_TLS_URL ' +
      'DATABASE_POOL_URL SOCKS_SERVICE_HOST SOCKS_PORT_1080_TCP SOCKS_PORT_1080_TCP_ADDR ' +
      'REDIS_SERVICE_PORT WORKER_PORT STRIPE_SERVICE_HOST STRIPE_SERVICE_PORT_HTTP REDIS_VERSION ' +
      'KUBERNETES_SERVICE_HOST NODE_VERSION NODE_OPTIONS YARN_VERSION npm_config_cache CI DEBUG ' +
      'POSTGRES_PASSWORD POSTGRES_USER PGHOST PGUSER OWNER_PASSWORD APP_PASSWORD COMPOSE_FILE ' +
      'AWS_REGION GOOGLE_CLOUD_PROJECT OTEL_SERVICE_NAME BASE_URL BASE_PATH SMTP_HOST TOKEN ' +
      'RENDER_SERVICE_ID RAILWAY_PUBLIC_DOMAIN K_SERVICE HTTP_PROXY NO_PROXY';
    expect(unread(...others.split(' ').filter((name) => name !== 'PORT'))).to.deep.equal([]);
    expect(unreadSettings(Object.keys(process.env), NAMES)).to.deep.equal([]);
  });

  it('all count in a .env file but those of Docker and npm', () => {
    const written = ['GREETING', 'constructor', 'APP_PASSWORD', 'COMPOSE_PROFILES', 'PORT'];
    expect(unreadSettings(written, NAMES)).to.deep.equal([]);
    expect(unreadSettings(written, NAMES, written)).to.deep.equal([
      'GREETING is read by nothing: leave it out',
      'constructor is read by nothing: leave it out',
    ]);
  });
});
