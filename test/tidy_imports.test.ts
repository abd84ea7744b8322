import { basename } from 'node:path';

import { expect } from 'chai';

import { isIn, naming, operations, outside, under, type Source } from './sources.ts';

/** Which part must not import which other part or package, and what only one part may name. */

describe('imports', () => {
  for (const [part, never] of [
    ['shared', ['api', 'workers', 'local', 'test', 'bench']],
    ['workers', ['api', 'local', 'test', 'bench']],
    ['api', ['workers', 'local', 'test', 'bench', 'typeorm', 'pg']],
    ['migrations', ['api', 'workers', 'local', 'test', 'bench']],
    ['local', ['test', 'bench']],
    ['shared', ['koa', '@koa/router', '@modelcontextprotocol']],
    ['workers', ['koa', '@koa/router', '@modelcontextprotocol']],
  ] as const) {
    it(`of ${part} never include ${never.join(', ')}`, () => {
      expect(importsOf(under(part), ...never)).to.deep.equal([]);
    });
  }

  it('of BullMQ and ioredis are in shared/jobs/queue.ts, shared/platform/redis.ts and workers', () => {
    const board = 'api/operator/bull_board.ts'; // Bull Board's adapter: the one exception in api.
    const others = outside(
      'shared/jobs/queue.ts',
      'shared/platform/redis.ts',
      'workers',
      'test',
      'bench',
      board,
    );
    expect(importsOf(others, 'bullmq', 'ioredis')).to.deep.equal([]);
  });

  it('of packages that use the internet are in workers/gateways and local', () => {
    const vendors =
      'stripe algosdk @solana ethers tronweb socks-proxy-agent mysql2 basic-ftp undici ' +
      'nodemailer maxmind mailchecker email-providers role-based-email-addresses';
    const others = outside('workers/gateways', 'local', 'test', 'bench', 'api/stripe_webhook.ts');
    expect(importsOf(others, ...vendors.split(' '))).to.deep.equal([]);
  });

  it('of the egress guard are in the gateways and the SOCKS5 server', () => {
    const others = outside('workers/gateways', 'api/socks', 'local', 'test', 'bench');
    expect(importsOf(others, 'shared/platform/egress/egress.ts')).to.deep.equal([]);
  });

  it('of TypeBox and ajv are in shared/kernel/schema.ts and shared/kernel/operation.ts', () => {
    const others = outside('shared/kernel/schema.ts', 'shared/kernel/operation.ts', 'test');
    expect(importsOf(others, 'typebox', 'ajv', 'ajv-formats')).to.deep.equal([]);
  });

  it('of an operation are in the catalog, and elsewhere only to enqueue it', () => {
    // The SOCKS5 server invokes two operations of its own through this file.
    const socks = 'shared/proxies/sale/connections.ts';
    const found = outside('shared/kernel/catalog.ts', socks, 'test', 'bench').flatMap(
      ({ path, text, imports }) =>
        imports.flatMap((imported) => {
          const op = operations.get(imported);
          if (!op) return [];
          const uses = text.match(new RegExp(`\\b${op.binding}\\b`, 'g'))!.length;
          const enqueued =
            text.match(new RegExp(`enqueue(All)?\\(\\s*${op.binding}\\b`, 'g')) ?? [];
          return enqueued.length === uses - 1 ? [] : `${path} uses ${op.name}`;
        }),
    );
    expect(found).to.deep.equal([]);
  });
});

describe('ownership', () => {
  it('only shared/platform/config/environment.ts reads the environment', () => {
    // The bootstrap runs before any package is installed, and tests choose their settings.
    const others = outside(
      'shared/platform/config/environment.ts',
      'local/bootstrap.mjs',
      'test',
      'bench',
    );
    expect(naming(others, /process\.env\b|import\.meta\.env\b/)).to.deep.equal([]);
  });

  it('only files called settings.ts read settings, so that each is found', () => {
    const composition = ['shared/platform/config/environment.ts', 'shared/composition/config.ts'];
    const others = outside(...composition, 'test').filter(
      ({ path }) => basename(path) !== 'settings.ts',
    );
    expect(naming(others, /\bSettingReader\b/)).to.deep.equal([]);
  });

  it('only shared/ledger, migrations and proofs of the audit name the tables of the ledger', () => {
    const others = outside(
      'shared/ledger',
      'migrations',
      'shared/composition/audit.ts',
      'test',
      'bench',
    ).filter(({ path }) => !/^shared\/\w+\/proofs\.ts$/.test(path));
    const tables =
      /\bledger\.(transfer|transfer_id|treasury|balance_change|escrow|lock_treasuries)\b/;
    expect(naming(others, tables)).to.deep.equal([]);
  });

  it('only shared/platform, migrations and local query the database without rows, row, execute', () => {
    const others = outside(
      'shared/platform',
      'shared/orders',
      'shared/wallet',
      'shared/events',
      'api/http/health.ts',
      'migrations',
      'local',
      'test',
      'bench',
    );
    const query = /\b(db|database|tx|runner|manager|queryRunner)\.query\(/;
    expect(naming(others, query)).to.deep.equal([]);
  });

  it('only shared/wallet takes from a treasury', () => {
    const others = outside('shared/wallet', 'migrations', 'test', 'bench');
    expect(naming(others, /\bfrom: (treasury\(|\['treasury')/)).to.deep.equal([]);
  });
});

function importsOf(sources: readonly Source[], ...never: string[]): string[] {
  return sources.flatMap(({ path, imports }) =>
    imports.filter((name) => isIn(name, ...never)).map((name) => `${path} imports ${name}`),
  );
}
