import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { expect } from 'chai';

import { IN_FILES } from '../shared/platform/config/environment.ts';
import { code, files, isIn, naming, operations, ROOT, sql, under, type Source } from './sources.ts';

/** Rules of the code base that hold for every file. */

const LINES_MAX = 250;
const COLUMNS_MAX = 100;
const FILES_MAX = 15;

/** Words where money, access, stock or a limit is taken. */
const RACED = `
  agents approvals boards connections datasets deposits inbox labor ledger messages operators
  orders policies products proxies tasks tokens wallet webhooks withdrawals x402`
  .trim()
  .split(/\s+/)
  .map((folder) => `test/${folder}`);

/** Files where calls race, and the books are not audited, with the reason. */
const UNAUDITED = new Map([
  ['test/datasets/mysql_tls.test.ts', 'only its servers are started and ended at once'],
  ['test/ledger/deadlocks.test.ts', 'its transfers are of no orders; it sums them up itself'],
]);

const tests = under('test').filter(({ path }) => path.endsWith('.test.ts'));

describe('the code base', () => {
  it('has more than a handful of operations to check', () => {
    expect(operations.size).to.be.greaterThan(20);
  });

  describe('files', () => {
    it('skip no test, and have no notes of unfinished work', () => {
      const marks = new RegExp(['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X\\b'].join('|'));
      expect(naming(files, marks)).to.deep.equal([]);
      const isTemplate = ({ path }: Source) => isIn(path, 'local/new_operation');
      const begun = naming(
        files.filter((file) => !isTemplate(file)),
        /\bMISSING: /,
      );
      expect(begun, 'begun by npm run new:operation').to.deep.equal([]);
      expect(naming(under('test'), /\b(describe|it|context)\.(only|skip)\(|\bxit\(/)).to.deep.equal(
        [],
      );
    });

    it('name no folder of the machine that they were written on', () => {
      // A container or a URL may have such a folder of its own.
      const folders = ['work', 'root', 'home', 'Users', 'tmp'].join('|');
      const path = new RegExp(`(^|[\\s'"\`(=])/(${folders})(/|['"\`\\s,;:)]|$)`);
      const found = naming(files, path).filter((line) => !line.startsWith('Dockerfile'));
      expect(found).to.deep.equal([]);
    });

    it('name no host of a package registry', () => {
      const hosts = new RegExp(['registry\\.npm' + 'js', 'registry\\.yarn' + 'pkg'].join('|'));
      expect(naming(files, hosts)).to.deep.equal([]);
      const lock = readFileSync(join(ROOT, 'package-lock.json'), 'utf8');
      expect(lock).not.to.match(/"resolved": "http/);
    });

    it(`have at most ${LINES_MAX} lines`, () => {
      const long = [...code, ...sql].filter(({ lines }) => lines.length > LINES_MAX);
      expect(long.map(({ path, lines }) => `${path}: ${lines.length} lines`)).to.deep.equal([]);
    });

    it(`have lines of at most ${COLUMNS_MAX} columns`, () => {
      // The name of a test is one sentence, and is not split; neither is a path.
      const name = /^\s*(((goals\.)?it|itReaches|describe)\()?['"`]/;
      const imported = /\bimport\b.*'\.[^']*'/;
      const wide = [...code, ...sql].flatMap(({ path, lines }) =>
        lines.flatMap((line, n) => {
          if (line.length <= COLUMNS_MAX || name.test(line) || imported.test(line)) return [];
          return `${path}:${n + 1}: ${line.length} columns`;
        }),
      );
      expect(wide).to.deep.equal([]);
    });

    it('have snake_case names, and no name for unrelated code', () => {
      const odd = code.filter(({ path }) => {
        const name = basename(path).replace(/(\.test|\.d)?\.(tsx?|m[jt]s)$/, '');
        const bins = ['index', 'utils', 'util', 'types', 'helpers', 'common', 'misc'];
        const isBin = path.split('/').some((part) => bins.includes(part.replace(/\..*/, '')));
        return isBin || !/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name);
      });
      expect(odd.map(({ path }) => path)).to.deep.equal([]);
    });

    it('define at most one operation each, and are named after it', () => {
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

  it(`has at most ${FILES_MAX} files in a folder, beside operations and tests`, () => {
    const counts = new Map<string, number>();
    for (const { path } of files) {
      if (operations.has(path) || path.endsWith('.test.ts') || !path.includes('/')) continue;
      if (/^migrations\/\d{4}_/.test(path)) continue; // in the order in which they are applied
      if (/^docs\/\w+\.md$/.test(path)) continue; // pages of the manual keep their addresses
      counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    }
    const large = [...counts].filter(([, n]) => n > FILES_MAX);
    expect(large.map(([folder, n]) => `${folder}: ${n} files`)).to.deep.equal([]);
  });

  it('fails a run in which a test is skipped or runs alone', () => {
    const { forbidOnly, forbidPending } = JSON.parse(
      readFileSync(join(ROOT, '.mocharc.json'), 'utf8'),
    );
    expect({ forbidOnly, forbidPending }).to.deep.equal({ forbidOnly: true, forbidPending: true });
  });

  it('says in the first line of a test file which command runs it, unless npm test does, and why', () => {
    const unexplained = tests.filter(({ lines: [first] }) => {
      return (
        /^\/\/ (test:|Runs )/.test(first!) && !/^\/\/ test:(all|goals): \w.{10,}\.$/.test(first!)
      );
    });
    expect(unexplained.map(({ path }) => path)).to.deep.equal([]);
  });

  it('audits the books after every test in which calls race for something', () => {
    const racing = tests.filter(({ path, text }) => {
      const races = /\b(Promise\.all(Settled)?|inQueue)\(/.test(text);
      return races && isIn(path, ...RACED) && /\bTestPlatform\.open\(|open\w*Platform\(/.test(text);
    });
    expect(racing.length).to.be.greaterThan(60);
    const unaudited = racing.filter(({ text }) => !/\baudit\(/.test(text));
    expect(unaudited.map(({ path }) => path)).to.deep.equal([...UNAUDITED.keys()]);
  });

  it('asserts figures in time in files of goals, and nowhere else', () => {
    const ofGoals = tests.filter(({ text }) => text.startsWith('// test:goals:'));
    const called = tests.filter(({ path }) => path.endsWith('_goals.test.ts'));
    expect(called.map(({ path }) => path)).to.deep.equal(ofGoals.map(({ path }) => path));
    const measures =
      /\b((logMeasurement|measureStalls|expectGoal|expectTwice|itReaches)\(|GOALS\))/;
    const measuring = tests.filter(({ text }) => measures.test(text.replaceAll('(NO_GOALS)', '')));
    expect(measuring.length).to.be.greaterThan(20);
    const elsewhere = measuring.filter((file) => !ofGoals.includes(file));
    expect(elsewhere.map(({ path }) => path)).to.deep.equal([]);
    // A module may measure; whether something came in time is asked by `goals` alone.
    const bound =
      /expect\(performance\.now\(\) - \w+[^)]*\)\.to\.be\.(below|lessThan|within|at\.most)/;
    expect(naming(under('test'), bound)).to.deep.equal([]);
  });

  it('pins every package to one version', () => {
    const wanted = ['', 'sandbox', 'client'].flatMap((folder) => {
      const { dependencies, devDependencies, optionalDependencies, overrides } = JSON.parse(
        readFileSync(join(ROOT, folder, 'package.json'), 'utf8'),
      );
      return [dependencies, devDependencies, optionalDependencies, overrides].flatMap(
        (packages: object | undefined) => Object.entries(packages ?? {}),
      );
    });
    // An override may be of what one package only depends on.
    const versions = wanted.flatMap(([name, wants]: [string, string | object]) =>
      typeof wants === 'string' ? [[name, wants]] : Object.entries(wants),
    );
    const loose = versions.filter(([, version]) => {
      return !/^(npm:@?[\w/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(String(version));
    });
    expect(loose).to.deep.equal([]);
  });

  it('lists every setting in .env.example, and no other', () => {
    const settings = code.filter(({ path }) => basename(path) === 'settings.ts');
    const read = settings.flatMap(({ text }) =>
      [...text.matchAll(/\b(?:read|optional)\(\s*'([A-Z][A-Z0-9_]+)'/g)].map(([, name]) => name!),
    );
    const example = readFileSync(join(ROOT, '.env.example'), 'utf8');
    const shown = [...example.matchAll(/^# ([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name!);
    const files = IN_FILES.map((name) => `${name}_FILE`);
    expect(shown.toSorted()).to.deep.equal([...new Set([...read, ...files])].toSorted());
  });

  it('says of every index what it is for', () => {
    const unexplained = sql.flatMap(({ path, lines }) =>
      lines.flatMap((line, n) => {
        if (!/^create (unique )?index/.test(line)) return [];
        const end = lines.findIndex((next, m) => m >= n && /;/.test(next));
        const isExplained = /^\s*--/.test(lines[n - 1] ?? '') || /; -- \S/.test(lines[end]!);
        return isExplained ? [] : `${path}:${n + 1}: ${line}`;
      }),
    );
    expect(unexplained).to.deep.equal([]);
  });
});
