// test:all: API processes are started and stopped.
import type { ChildProcess } from 'node:child_process';
import { expect } from 'chai';

import { eventually, TestPlatform } from '../../harness.ts';
import { launch, MASTER_KEYS, urlOf, type ApiProcess } from '../api_process.ts';
import { endUnderLoadMs } from './end_under_load.ts';

describe('the API process', function () {
  this.timeout(60_000);

  let platform: TestPlatform;
  const started: ChildProcess[] = [];

  before(
    async () => (platform = await TestPlatform.open({ env: { MASTER_KEYS }, workers: false })),
  );
  afterEach(() => started.splice(0).forEach((child) => child.kill('SIGKILL')));
  after(() => platform.close());

  function start(env?: Record<string, string>): ApiProcess {
    const launched = launch(platform, env);
    started.push(launched.child);
    return launched;
  }

  it('names every bad setting and ends with code 1', async () => {
    const { written, exit } = start({ PORT: 'many', MASTER_KEYS: 'none' });
    expect(await exit).to.deep.equal([1, null]);
    expect(written.text).to.contain('PORT must be').and.to.contain('MASTER_KEYS must be');
    expect(written.text).not.to.contain('at readConfig');
  });

  it('sends its port to its parent process, and is ready', async () => {
    const url = await urlOf(start());
    expect((await fetch(`${url}/healthz`)).status).to.equal(200);
    // It is not ready while the database does not answer for half a second.
    const ready = await eventually(
      () => fetch(`${url}/readyz`),
      ({ status }) => status === 200,
    );
    expect(await ready.json()).to.include({ status: 'ready', database: 'ok', schema: 'current' });
  });

  it('ends after SIGTERM under load, and answers every caller that waits', async () => {
    await endUnderLoadMs(platform, start());
  });

  it('ends when its parent process is gone', async () => {
    const api = start();
    await urlOf(api);
    api.child.disconnect();
    expect(await api.exit).to.deep.equal([0, null]);
  });
});
