// test:all: a process of its own is stuck for seconds.
import { expect } from 'chai';

import { eventually, TestPlatform } from '../../harness.ts';
import { launch, MASTER_KEYS, urlOf } from '../api_process.ts';
import { patience } from '../../platform/pace.ts';

const CALLS_MAX = 3;

describe('an API process whose permits are not released', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({ workers: false, env: { MASTER_KEYS } });
  });
  after(() => platform.close());

  it('is not ready, and ends for its supervisor to start a new one', async () => {
    const [stuck, database] = [patience(1_000), patience(2_000)];
    const limits = {
      CALLS_MAX: String(CALLS_MAX),
      STUCK_MS: String(stuck),
      DATABASE_MS: String(database),
    };
    const api = launch(platform, limits, 'test/api/http/leaking_api.ts');
    try {
      const url = await urlOf(api);
      const ready = async () => {
        const response = await fetch(`${url}/readyz`);
        return { status: response.status, body: (await response.json()) as object };
      };
      await eventually(ready, ({ status }) => status === 200);
      for (let n = 0; n < CALLS_MAX; n += 1) await fetch(`${url}/api/v1/proxy/info`);
      expect((await fetch(`${url}/api/v1/proxy/info`)).status).to.equal(503);
      const { body } = await eventually(ready, ({ status }) => status === 503);
      expect(body).to.include({ status: 'not_ready', database: 'ok', calls: 'stuck' });
      expect((await api.exit)[0]).to.equal(1);
      expect(api.written.text).to.contain('none is released');
    } finally {
      api.child.kill('SIGKILL');
    }
  });
});
