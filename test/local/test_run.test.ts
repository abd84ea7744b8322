// test:all: the runner of the tests starts runs of its own.
import { expect } from 'chai';

import { checkoutFolder } from '../../local/paths.ts';
import { run } from '../../local/processes/command.ts';
import { commandOf, needsServers, testFilesIn } from '../../local/test_run/test_files.ts';

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
    const { ok, out } = await npmTest(`${FOLDER}/fails.ts`, '--grep', 'passes once');
    expect(ok).to.equal(true);
    expect(out)
      .to.contain('✔ passes once')
      .and.to.match(/\n1 passed, 0 failed\n$/);
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

const npmTest = (...args: string[]) =>
  run(process.execPath, ['local/bootstrap.mjs', 'test', ...args], { cwd: checkoutFolder });
