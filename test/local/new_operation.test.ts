// test:all: a copy of the checkout is compiled, and runs tests of its own.
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

import { expect } from 'chai';

import { checkoutFolder } from '../../local/paths.ts';
import { run } from '../../local/processes/command.ts';

/** Not copied: what is built, installed or downloaded. */
const LINKED = ['node_modules', 'client/node_modules', '.cache'];
const LEFT_OUT = [...LINKED, '.git', '.data', '.env', 'dist'];

/** Put together here, because no file of the checkout may have such a mark. */
const MARK = ['MISSING', ''].join(': ');
/** The lines of an operation and of its test that somebody has to write. */
const MARKED = {
  operation: [
    `  summary: '${MARK}what it does, changes and costs. Free.',`,
    `    ${MARK}two wishes or more that it fulfils; in the words of people\`,`,
    `    throw new Error(\`${MARK}what it does for agent \${tx.caller.agentId}\`);`,
  ],
  test: [`  it('${MARK}a promise to its caller', async () => {`],
};

describe('npm run new:operation', function () {
  this.timeout(480_000);

  const folder = mkdtempSync(join(tmpdir(), 'new-'));
  const checkout = join(folder, 'checkout');
  before(() => {
    cpSync(checkoutFolder, checkout, {
      recursive: true,
      filter: (path) => !LEFT_OUT.includes(relative(checkoutFolder, path)),
    });
    for (const name of LINKED) {
      const original = join(checkoutFolder, name);
      if (existsSync(original)) symlinkSync(original, join(checkout, name));
    }
  });
  after(() => rmSync(folder, { recursive: true }));

  const env = { ...process.env, CI: 'true' };
  const node = (...args: string[]) => run(process.execPath, args, { cwd: checkout, env });
  const begin = (...args: string[]) => node('local/bootstrap.mjs', 'new:operation', ...args);
  const textOf = (path: string) => readFileSync(join(checkout, path), 'utf8');
  const marked = (path: string) =>
    textOf(path)
      .split('\n')
      .filter((line) => line.includes(MARK));

  it('writes a read and a write, their tests, rights and places, and names what to run', async () => {
    for (const [domain, name, mode, rights] of [
      ['labor', 'ping_labor', 'read', 'labor_rights.ts'],
      ['orders', 'ping_orders', 'write', 'rights.ts'],
    ] as const) {
      const { ok, out } = await begin(domain, name, mode);
      expect(ok, out).to.equal(true);
      const written = [
        `shared/domains/${domain}/${name}.ts`,
        `test/${domain}/${name}.test.ts`,
        `shared/domains/${domain}/operations.ts`,
        `test/access/rights/${rights}`,
      ];
      expect(out.match(/^wrote .*/gm)).to.deep.equal(written.map((path) => `wrote ${path}`));
      expect(out).to.contain(`npm test -- test/${domain}/${name}.test.ts `);
      for (const path of out.match(/\btest\/[\w/]+(\.test\.ts)?(?= |$)/gm)!) {
        expect(existsSync(join(checkout, path)), path).to.equal(true);
      }
      expect(marked(written[0]!)).to.deep.equal(MARKED.operation);
      expect(marked(written[1]!)).to.deep.equal(MARKED.test);
    }
    const operations = textOf('shared/domains/labor/operations.ts');
    expect(operations).to.contain("\nimport { pingLabor } from './ping_labor.ts';\n");
    expect(operations).to.match(/ {2}pingLabor,\n {2}\/\/ Started by timers/);
    expect(textOf('test/access/rights/labor_rights.ts')).to.contain(
      "\n  ping_labor: { route: 'GET /api/v1/ping-labor', access: 'read' },\n",
    );
    expect(textOf('test/access/rights/rights.ts')).to.contain(
      "\n  ping_orders: { route: 'POST /api/v1/ping-orders', access: 'buy' },\n",
    );
  });

  it('refuses what exists, and a domain, a name or a mode that it does not know', async () => {
    for (const [args, why] of [
      [['labor', 'ping_labor', 'read'], 'shared/domains/labor/ping_labor.ts exists already.'],
      [['nowhere', 'ping_market', 'read'], 'Usage: npm run new:operation'],
      [['labor', 'pingMarket-2', 'read'], 'Usage: npm run new:operation'],
      [['labor', 'ping_market', 'watch'], 'Usage: npm run new:operation'],
    ] as const) {
      const { ok, all } = await begin(...args);
      expect(ok).to.equal(false);
      expect(all).to.contain(why);
    }
  });

  it('writes what compiles and has the format of the code', async () => {
    const folders = ['shared/domains', 'test/access', 'test/labor', 'test/orders'];
    for (const [command, ...args] of [
      ['tsc', '--noEmit'],
      ['prettier', '--check', '--log-level', 'warn', ...folders],
    ]) {
      const { all } = await run(join('node_modules/.bin', command!), args, { cwd: checkout, env });
      expect(all, command).to.equal('');
    }
  });

  it('leaves failing what somebody has to write, and nothing else', async () => {
    const { ok, out } = await node(
      'local/bootstrap.mjs',
      'test',
      'test/labor/ping_labor.test.ts',
      'test/orders/ping_orders.test.ts',
      'test/kernel/catalog.test.ts',
      'test/api/docs/openapi.test.ts',
      'test/tidy.test.ts',
    );
    expect(ok).to.equal(false);
    const [, failed = ''] = /\nFailed:\n((?: {2}.*\n)+)/.exec(out) ?? [];
    expect(failed.trimEnd().split('\n')).to.have.members([
      // Schemas with fields, and a call in the story of the domain.
      '  test/api/docs/openapi.test.ts: /openapi.json names every object, so that a generated client has a type for each',
      '  test/api/docs/openapi.test.ts: /openapi.json shows an example of each answer',
      `  test/labor/ping_labor.test.ts: ping_labor ${MARK}a promise to its caller`,
      `  test/orders/ping_orders.test.ts: ping_orders ${MARK}a promise to its caller`,
      '  test/tidy.test.ts: the code base files skip no test, and have no notes of unfinished work',
    ]);
    expect(out).to.contain('begun by npm run new:operation');
  });
});
