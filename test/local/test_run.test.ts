// test:all: the runner of the tests starts runs of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { checkoutFolder } from '../../local/paths.ts';
import { run } from '../../local/processes/command.ts';
import { commandOf, needsServers, testFilesIn } from '../../local/test_run/test_files.ts';
import { eventually } from '../platform/eventually.ts';
import { descendantsOf, runs } from './process_tree.ts';

const FOLDER = 'test/local/lane_files';

describe('npm test', function () {
  this.timeout(120_000);

  it('says what failed, however it did, and goes on with the next file', async () => {
    const names = ['fails', 'ends_process', 'leaves_timer', 'passes'];
    const files = names.map((name) => `${FOLDER}/${name}.ts`);
    const { ok, out } = await npmTest(...files);
    expect(ok).to.equal(false);
    expect(out).to.contain('expected 1 to equal 2').and.to.contain('shown because a test failed');
    expect(out).not.to.contain('hidden because no test failed');
    expect(out).to.contain(`${FOLDER}/fails.ts: a file that fails fails once\n`);
    expect(out).to.contain(
      `${FOLDER}/ends_process.ts: ${FOLDER}/ends_process.ts ended its process`,
    );
    expect(out).to.contain('These were left open: Timeout');
    expect(out).to.match(/\n3 passed, 3 failed\n$/);
  });

  it('shows one file alone test by test, and those alone whose names match', async () => {
    const env = { ...process.env, CI: 'true', FORCE_COLOR: undefined };
    const { ok, out } = await npmTest(`${FOLDER}/fails.ts`, '--grep', 'passes once', { env });
    expect(ok).to.equal(true);
    expect(out)
      .to.contain('✔ passes once')
      .and.to.match(/\n1 passed, 0 failed\n$/);
  });

  it('fails where no test ran, and says at once what is no file of tests', async () => {
    const none = await npmTest(`${FOLDER}/passes.ts`, '--grep', 'no such name');
    expect(none.ok).to.equal(false);
    expect(none.out).to.contain('No test ran').and.to.contain('0 passed, 0 failed');
    for (const [path, fault] of [
      ['test/local/nothing.test.ts', 'There is no test/local/nothing.test.ts.'],
      ['docs', 'docs is not below test/.'],
      ['test/browser/README.md', 'There is no'],
    ] as const) {
      const { ok, all } = await npmTest(path);
      expect(ok).to.equal(false);
      expect(all).to.contain(fault);
    }
  });

  it('runs what failed once more where it is asked to, and says what passed then', async () => {
    const temporary = mkdtempSync(join(tmpdir(), 'again-'));
    const env = { ...process.env, MARKER: join(temporary, 'marker') };
    const files = ['fails_first', 'passes'].map((name) => `${FOLDER}/${name}.ts`);
    try {
      const { ok, out } = await npmTest(...files, '--again', { env });
      expect(ok).to.equal(true);
      expect(out)
        .to.contain('passed alone, which is a fault too:')
        .and.to.contain(
          `${FOLDER}/fails_first.ts: a file that fails where it runs first passes when it runs again`,
        );
      expect(out).to.match(/\n2 passed, 0 failed\n$/);
      rmSync(env.MARKER);
      expect((await npmTest(...files, { env })).ok).to.equal(false);
    } finally {
      rmSync(temporary, { recursive: true });
    }
    const always = [`${FOLDER}/fails.ts`, `${FOLDER}/passes.ts`];
    const { ok, out } = await npmTest(...always, '--again');
    expect(ok).to.equal(false);
    expect(out)
      .to.contain('Once more, alone')
      .and.to.match(/\n2 passed, 1 failed\n$/);
  });

  it('runs where TMPDIR names a folder that is not there', async () => {
    const env = { ...process.env, TMPDIR: '/nonexistent' };
    expect((await npmTest(`${FOLDER}/passes.ts`, { env })).ok).to.equal(true);
  });

  it('ends with all that it started when npm alone is interrupted', async () => {
    const temporary = mkdtempSync(join(tmpdir(), 'interrupted-'));
    const file = `${FOLDER}/waits.ts`;
    const npm = spawn('npm', ['test', '--', file], {
      cwd: checkoutFolder,
      env: { ...process.env, TMPDIR: temporary },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(npm, 'exit');
    for await (const text of npm.stdout) if (String(text).includes('waits now')) break;
    const below = descendantsOf(npm.pid!);
    expect(below.some(({ command }) => command.includes('test/lane.ts'))).to.equal(true);
    npm.kill('SIGINT');
    await ended;
    await eventually(
      async () => [...below.filter(({ pid }) => runs(pid)), ...readdirSync(temporary)],
      (left) => left.length === 0,
    );
    rmdirSync(temporary);
  });

  it('knows which files need no server, and of which command they are', () => {
    expect(needsServers('test/tidy.test.ts')).to.equal(false);
    expect(needsServers('test/orders/get_order.test.ts')).to.equal(true);
    expect(commandOf('test/orders/get_order.test.ts')).to.equal('test');
    expect(commandOf('test/local/test_run.test.ts')).to.equal('test:all');
    expect(testFilesIn(['test/local'])).to.include('test/local/test_run.test.ts');
    expect(() => testFilesIn(['test/nothing'])).to.throw('There is no test/nothing.');
  });
});

function npmTest(...args: (string | { env: NodeJS.ProcessEnv })[]) {
  const words = args.filter((arg) => typeof arg === 'string');
  const { env } = args.find((arg) => typeof arg === 'object') ?? { env: process.env };
  const all = ['local/bootstrap.mjs', 'test', ...words];
  return run(process.execPath, all, { cwd: checkoutFolder, env });
}
