import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { expect } from 'chai';

import { everyFile, ROOT, type Source } from './sources.ts';

/** The rules of the platform, checked over every file in one pass. */

const LINES_MAX = 250;
const COLUMNS_MAX = 100;

const files = everyFile();
const code = files.filter(({ path }) => /\.(ts|mjs)$/.test(path));
const sql = files.filter(({ path }) => path.endsWith('.sql'));
const under = (...folders: string[]) => code.filter(({ path }) => isIn(path, ...folders));
const outside = (...folders: string[]) => code.filter(({ path }) => !isIn(path, ...folders));
const isIn = (path: string, ...folders: string[]) =>
  folders.some((folder) => path === folder || path.startsWith(`${folder}/`));

/** Operations by the file that defines them. */
const operations = new Map(
  code.flatMap((file) => {
    const [, binding, name] =
      /^export const (\w+) = operation\(\{\n {2}name: '(\w+)'/m.exec(file.text) ?? [];
    return binding && name && isIn(file.path, 'shared')
      ? [[file.path, { binding, name }] as const]
      : [];
  }),
);

describe('the platform', () => {
  it('has more than a handful of operations to look at', () => {
    expect(operations.size).to.be.greaterThan(20);
  });

  describe('imports', () => {
    for (const [who, never] of [
      ['shared', ['api', 'workers', 'local', 'test', 'bench']],
      ['workers', ['api', 'local', 'test', 'bench']],
      ['api', ['workers', 'local', 'test', 'bench', 'typeorm', 'pg']],
      ['migrations', ['api', 'workers', 'local', 'test', 'bench']],
      ['local', ['test', 'bench']],
      ['shared', ['koa', '@koa/router', '@modelcontextprotocol']],
      ['workers', ['koa', '@koa/router', '@modelcontextprotocol']],
    ] as const) {
      it(`${who} knows nothing of ${never.join(', ')}`, () => {
        expect(importsOf(under(who), ...never)).to.deep.equal([]);
      });
    }

    it('BullMQ and ioredis stay in shared/jobs/queue.ts, shared/platform/redis.ts and workers', () => {
      const board = 'api/operator'; // Bull Board's adapter: the one place in api.
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

    it('what talks to the outside stays in workers/gateways and local', () => {
      const vendors =
        'stripe algosdk @solana ethers tronweb socks-proxy-agent mysql2 basic-ftp undici ' +
        'nodemailer maxmind mailchecker email-providers role-based-email-addresses';
      const others = outside('workers/gateways', 'local', 'test', 'bench', 'api/stripe_webhook.ts');
      expect(importsOf(others, ...vendors.split(' '))).to.deep.equal([]);
    });

    it('only gateways and the SOCKS5 door go out', () => {
      const others = outside('workers/gateways', 'api/socks', 'local', 'test', 'bench');
      expect(importsOf(others, 'shared/platform/egress.ts')).to.deep.equal([]);
    });

    it('TypeBox and ajv stay in shared/kernel/schema.ts and shared/kernel/operation.ts', () => {
      const others = outside('shared/kernel/schema.ts', 'shared/kernel/operation.ts', 'test');
      expect(importsOf(others, 'typebox', 'ajv', 'ajv-formats')).to.deep.equal([]);
    });

    it('an operation is imported by the catalog, and by others only to be enqueued', () => {
      // The SOCKS5 door is no caller of operations; what it asks for has two of its own.
      const door = 'shared/proxies/sale/connections.ts';
      const found = outside('shared/kernel/catalog.ts', door, 'test', 'bench').flatMap(
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

  describe('words that stay in one place', () => {
    it('only shared/platform/config/environment.ts reads the environment', () => {
      // The bootstrap runs before there is anything to import, and tests choose their settings.
      const others = outside(
        'shared/platform/config/environment.ts',
        'local/bootstrap.mjs',
        'test',
        'bench',
      );
      expect(naming(others, /process\.env\b|import\.meta\.env\b/)).to.deep.equal([]);
    });

    it('settings are read in files called settings.ts, so that each is found', () => {
      const composition = ['shared/platform/config/environment.ts', 'shared/kernel/config.ts'];
      const others = outside(...composition, 'test').filter(
        ({ path }) => basename(path) !== 'settings.ts',
      );
      expect(naming(others, /\bSettingReader\b/)).to.deep.equal([]);
    });

    it('only shared/ledger, migrations and proofs of the audit name the tables of the ledger', () => {
      const others = outside(
        'shared/ledger',
        'migrations',
        'shared/kernel/audit.ts',
        'test',
        'bench',
      ).filter(({ path }) => !/^shared\/\w+\/proofs\.ts$/.test(path));
      const tables =
        /\bledger\.(transfer|transfer_id|treasury|balance_change|escrow|lock_treasuries)\b/;
      expect(naming(others, tables)).to.deep.equal([]);
    });

    it('only shared/wallet takes from a treasury', () => {
      const others = outside('shared/wallet', 'migrations', 'test', 'bench');
      expect(naming(others, /\bfrom: (treasury\(|\['treasury')/)).to.deep.equal([]);
    });

    it('no test is left out, and nothing is left to be done', () => {
      const marks = new RegExp(['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X\\b'].join('|'));
      expect(naming(files, marks)).to.deep.equal([]);
      expect(naming(under('test'), /\b(describe|it|context)\.(only|skip)\(|\bxit\(/)).to.deep.equal(
        [],
      );
    });

    it('no file knows the machine that it was written on', () => {
      // A folder of this kind may be spoken of where a container or a URL has one of its own.
      const folders = ['work', 'root', 'home', 'Users', 'tmp'].join('|');
      const place = new RegExp(`(^|[\\s'"\`(=])/(${folders})(/|['"\`\\s,;:)]|$)`);
      const found = naming(files, place).filter((line) => !line.startsWith('Dockerfile'));
      expect(found).to.deep.equal([]);
    });

    it('no file names the host of a package registry', () => {
      const hosts = new RegExp(['registry\\.npm' + 'js', 'registry\\.yarn' + 'pkg'].join('|'));
      expect(naming(files, hosts)).to.deep.equal([]);
      const lock = readFileSync(join(ROOT, 'package-lock.json'), 'utf8');
      expect(lock).not.to.match(/"resolved": "http/);
    });
  });

  describe('files', () => {
    it(`has none longer than ${LINES_MAX} lines`, () => {
      const long = [...code, ...sql].filter(({ lines }) => lines.length > LINES_MAX);
      expect(long.map(({ path, lines }) => `${path}: ${lines.length} lines`)).to.deep.equal([]);
    });

    it(`has no line wider than ${COLUMNS_MAX} columns`, () => {
      // The name of a test is a promise, and stays in one piece.
      const name = /^\s*((it|describe)\()?['"`]/;
      const wide = [...code, ...sql].flatMap(({ path, lines }) =>
        lines.flatMap((line, n) => {
          if (line.length <= COLUMNS_MAX || name.test(line)) return [];
          return `${path}:${n + 1}: ${line.length} columns`;
        }),
      );
      expect(wide).to.deep.equal([]);
    });

    it('are snake_case, and none is a barrel or a bin', () => {
      const odd = code.filter(({ path }) => {
        const name = basename(path).replace(/(\.test|\.d)?\.(ts|mjs)$/, '');
        const bins = ['index', 'utils', 'util', 'types', 'helpers', 'common', 'misc'];
        const isBin = path.split('/').some((part) => bins.includes(part.replace(/\..*/, '')));
        return isBin || !/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name);
      });
      expect(odd.map(({ path }) => path)).to.deep.equal([]);
    });

    it('hold one operation each, which they are named after', () => {
      const odd = under('shared').flatMap(({ path, text }) => {
        const defined = [...text.matchAll(/\boperation\(\{\s*name: '(\w+)'/g)].map(([, n]) => n!);
        if (defined.length === 0) return [];
        const binding = basename(path, '.ts').replace(/_(\w)/g, (_, c: string) => c.toUpperCase());
        const isNamedSo =
          defined.length === 1 &&
          defined[0] === basename(path, '.ts') &&
          operations.get(path)?.binding === binding;
        return isNamedSo ? [] : `${path}: ${defined.join(', ')}`;
      });
      expect(odd).to.deep.equal([]);
    });
  });

  it('pins every package to one version', () => {
    const { dependencies, devDependencies, optionalDependencies, overrides } = JSON.parse(
      readFileSync(join(ROOT, 'package.json'), 'utf8'),
    );
    const wanted = { ...dependencies, ...devDependencies, ...optionalDependencies, ...overrides };
    const loose = Object.entries(wanted).filter(([, version]) => {
      return !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(String(version));
    });
    expect(loose).to.deep.equal([]);
  });

  it('lists every setting in .env.example, and no other', () => {
    const settings = code.filter(({ path }) => basename(path) === 'settings.ts');
    const asked = settings.flatMap(({ text }) =>
      [...text.matchAll(/\b(?:read|optional)\(\s*'([A-Z][A-Z0-9_]+)'/g)].map(([, name]) => name!),
    );
    const example = readFileSync(join(ROOT, '.env.example'), 'utf8');
    const shown = [...example.matchAll(/^# ([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name!);
    expect(shown.toSorted()).to.deep.equal([...new Set(asked)].toSorted());
  });

  it('says of every index what it is for', () => {
    const silent = sql.flatMap(({ path, lines }) =>
      lines.flatMap((line, n) => {
        if (!/^create (unique )?index/.test(line)) return [];
        const end = lines.findIndex((later, m) => m >= n && /;/.test(later));
        const told = /^\s*--/.test(lines[n - 1] ?? '') || /; -- \S/.test(lines[end]!);
        return told ? [] : `${path}:${n + 1}: ${line}`;
      }),
    );
    expect(silent).to.deep.equal([]);
  });
});

function importsOf(sources: readonly Source[], ...never: string[]): string[] {
  return sources.flatMap(({ path, imports }) =>
    imports.filter((name) => isIn(name, ...never)).map((name) => `${path} imports ${name}`),
  );
}

function naming(sources: readonly Source[], words: RegExp): string[] {
  return sources.flatMap(({ path, lines }) =>
    lines.flatMap((line, n) => (words.test(line) ? `${path}:${n + 1}: ${line.trim()}` : [])),
  );
}
