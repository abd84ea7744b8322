import { expect } from 'chai';

import { freePort } from '../../local/ports.ts';
import { launch, MASTER_KEYS } from '../api/api_process.ts';
import { TestPlatform } from '../harness.ts';

describe('a worker process', function () {
  this.timeout(60_000);

  it('answers at WORKER_HEALTH_PORT that it is alive, and what it takes', async () => {
    const platform = await TestPlatform.open({ env: { MASTER_KEYS }, workers: false });
    const port = await freePort();
    const env = { WORKER_HEALTH_PORT: String(port), QUEUES: 'money,timers' };
    const worker = launch(platform, env, 'workers/main.ts');
    try {
      await new Promise((resolve) => worker.child.once('message', resolve));
      const answer = await fetch(`http://127.0.0.1:${port}/healthz`);
      expect(answer.status).to.equal(200);
      expect(await answer.json()).to.deep.include({ status: 'ok', queues: ['money', 'timers'] });
      expect((await fetch(`http://127.0.0.1:${port}/`)).status).to.equal(404);
    } finally {
      worker.child.kill('SIGTERM');
      await worker.exit;
      await platform.close();
    }
    await fetch(`http://127.0.0.1:${port}/healthz`).then(
      () => expect.fail('it still answers'),
      () => undefined,
    );
  });
});
