import { expect } from 'chai';

import { eventually, TestPlatform } from '../harness.ts';
import { openDispatch } from '../../workers/dispatch.ts';
import { buy, openMarket } from './market.ts';

describe('calls that use every connection to PostgreSQL', function () {
  this.timeout(20_000);

  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({ workers: false, env: { DATABASE_CONNECTIONS: '2' } });
  });
  after(() => platform.close());

  it('hold up neither readiness nor the dispatcher nor the revocation of keys', async () => {
    const market = await openMarket(platform);
    const { database, queue, keys } = platform.context;
    const job = (await buy(platform, market, { wait: 0 }))!.body.job_id as string;
    await queue.queueOf('money').drain();
    await platform.query(`update job set created_at = now() - interval '1 minute'`);

    const held = [database.createQueryRunner(), database.createQueryRunner()];
    for (const runner of held) await runner.query('begin');
    try {
      expect((await platform.request('GET /readyz')).body).to.include({ status: 'ready' });
      await openDispatch(platform.context, platform.prefix)();
      const waiting = await eventually(
        () => queue.queueOf('money').getWaiting(),
        (jobs) => jobs.length > 0,
      );
      expect(waiting.flatMap(({ data }) => data.ids)).to.deep.equal([job]);
      await keys.look();
    } finally {
      for (const runner of held) {
        await runner.query('rollback');
        await runner.release();
      }
    }
  });
});
