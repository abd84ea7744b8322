// test:all: a worker is started as a program.
import { expect } from 'chai';

import { freePort } from '../../local/ports.ts';
import { launch, MASTER_KEYS } from '../api/api_process.ts';
import { asOwner } from '../as_owner.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { Scrape } from '../metrics/scrape.ts';

/** A process that knows one more migration than have run. */
const REMOVE_LAST = `
  create table removed as select * from migrations where id = (select max(id) from migrations);
  delete from migrations where id = (select max(id) from migrations)`;
const OPERATOR = 'operator-token-of-the-tests';

describe('a worker process', function () {
  this.timeout(60_000);

  it('answers at WORKER_HEALTH_PORT that it is alive, what it takes, and its metrics', async () => {
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

      const readiness = (wanted: string) =>
        eventually(
          async () => {
            const response = await fetch(`http://127.0.0.1:${port}/readyz`);
            return { status: response.status, body: await response.json() };
          },
          ({ body }) => body.schema === wanted,
        );
      const ready = { status: 'ready', database: 'ok', schema: 'current' };
      expect(await readiness('current')).to.deep.equal({ status: 200, body: ready });
      await asOwner(platform, REMOVE_LAST);
      expect((await readiness('behind')).status).to.equal(503);
      const alive = await (await fetch(`http://127.0.0.1:${port}/healthz`)).json();
      expect(alive).to.include({ status: 'ok', schema: 'behind' });
      await asOwner(platform, 'insert into migrations select * from removed; drop table removed');
      expect((await readiness('current')).status).to.equal(200);

      const metrics = (authorization: string) =>
        fetch(`http://127.0.0.1:${port}/metrics`, { headers: { authorization } });
      const refused = await metrics('Bearer vnx_of-somebody');
      expect([refused.status, await refused.json()]).to.deep.equal([401, { error: 'invalid_key' }]);
      const shown = new Scrape(await (await metrics(`Bearer ${OPERATOR}`)).text());
      expect(shown.value('market_pool_connections', { pool: 'work' })).to.be.a('number');
      expect(shown.types.get('market_batch_seconds')).to.equal('histogram');
      expect(shown.types.has('market_server_answers'), 'is shown by API processes').to.equal(false);
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
