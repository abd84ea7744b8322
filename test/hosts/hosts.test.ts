// drill:hosts: five hosts and a router, with real limits of time, want a machine of their own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';

import { checkoutFolder } from '../../local/paths.ts';
import { run } from '../../local/processes/command.ts';
import { temporaryFolder, type TemporaryFolder } from '../../local/test_run/temporary_folder.ts';
import { patience } from '../platform/pace.ts';
import type { Report } from './main.ts';
import { findPrograms } from './programs.ts';

const MAIN = 'test/hosts/main.ts';
/** Network, processes and mounts of its own, which end with it, whatever ends it. */
const ISOLATED = ['--net', '--pid', '--mount', '--mount-proc', '--fork', '--kill-child'];

describe('a deployment on several hosts', function () {
  this.timeout(500_000);

  let folder: TemporaryFolder;
  let mayIsolate: boolean;
  before(async () => {
    folder = temporaryFolder({ inMemory: true });
    const isolated = await run('unshare', [...ISOLATED, 'ip', 'link', 'set', 'lo', 'up']);
    mayIsolate = isolated.ok;
    // In CI nothing is left out.
    if (process.env.CI) expect(mayIsolate, isolated.all).to.equal(true);
    if (!mayIsolate) console.log('      this user may not make networks: nothing is tried');
    // There is no internet where the hosts are.
    else await findPrograms();
  });
  after(() => folder.remove());

  async function drill(variant: 'synchronous' | 'asynchronous'): Promise<Report> {
    const at = join(folder.path, variant);
    mkdirSync(at, { mode: 0o711 });
    // Not bundled, because it bundles programs itself.
    const node = [process.execPath, '--import', 'tsx', MAIN, at, variant];
    const drilling = spawn('unshare', [...ISOLATED, ...node], {
      cwd: checkoutFolder,
      env: { ...process.env, TEST_SLOWNESS: String(patience(1_000) / 1_000) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(drilling, 'exit');
    let report: Report | undefined;
    for await (const line of createInterface(drilling.stdout)) {
      if (line.startsWith('{')) report = JSON.parse(line) as Report;
      else console.log(line);
    }
    expect(await ended).to.deep.equal([0, null]);
    return report!;
  }

  it('loses no order and makes none twice, whatever host is lost or replaced', async () => {
    if (!mayIsolate) return;
    const report = await drill('synchronous');
    expect(report).to.include({ lost: 0, untold: 0, withoutQuorum: 0 });
    expect(report.differences).to.deep.equal([]);
    expect(report.restored).to.deep.equal({ missing: 0, later: 0 });
    expect(report.acknowledged).to.be.greaterThan(200);
    expect(Object.keys(report.outages)).to.have.length(6);
  });

  it('is found faulty if a commit does not wait for a standby', async () => {
    if (!mayIsolate) return;
    expect((await drill('asynchronous')).lost).to.be.greaterThan(0);
  });
});
