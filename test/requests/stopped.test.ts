// test:all: a process is ended under load.
import { expect } from 'chai';

import { launch, MASTER_KEYS, urlOf } from '../api/api_process.ts';
import { TestPlatform } from '../harness.ts';

describe('the log of requests of a process that is told to end', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({ env: { MASTER_KEYS }, workers: false });
  });
  after(() => platform.close());

  it('has all calls, also those of the minute that were summed up', async () => {
    const CALLS = 320;
    const agent = await platform.agent();
    const api = launch(platform, { DRAIN_MS: '0' });
    const url = await urlOf(api);
    const headers = { authorization: `Bearer ${agent.key}` };
    for (let n = 0; n < CALLS; n += 20) {
      const calls = Array.from({ length: 20 }, () => fetch(`${url}/api/v1/wallet`, { headers }));
      for (const { status } of await Promise.all(calls)) expect(status).to.equal(200);
    }
    api.child.kill('SIGTERM');
    expect((await api.exit)[0]).to.equal(0);
    const [{ calls }] = await platform.query(
      'select sum(calls)::int as calls from request where agent_id = $1',
      [agent.id],
    );
    expect(calls).to.equal(CALLS);
  });
});
