// test:all: a table of many rows is filled, to see the plans of statements at size.
import { expect } from 'chai';

import { look } from '../../workers/due_jobs.ts';
import { TestPlatform } from '../harness.ts';
import { rowsRead } from './rows_read.ts';
import { copyRow, withoutTriggers } from './superuser.ts';

const JOBS = 50_000;

describe('the look of the dispatcher, beside very many jobs that have ended', function () {
  this.timeout(60_000);
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
    const agent = await platform.agent();
    await platform.request('GET /api/v1/email/validate/nobody', agent);
    await platform.pauseWorkers();
    await copyRow(platform, 'job', {
      where: `t.id = (select id from job where status = 'complete' limit 1)`,
      count: JOBS,
      changes: { id: `uuidv7(interval '-1 day')`, key: 'null', cause: 'null' },
    });
    await withoutTriggers(
      platform,
      `update dispatch_watermark set id = uuidv7(interval '-1 second') where scan = 'immediate';
       analyze`,
    );
  });
  after(() => platform.close());

  it('reads the jobs above its watermark alone', async () => {
    const times = { latencies: '{}', durations: '{}' };
    const act = (db: object) => look({ ...platform.context, reserved: db } as never, times);
    expect(await rowsRead(platform, ['job'], act, { answers: true })).to.be.below(50);
  });

  it('is planned as the few jobs that it reads, not as a part of the table', async () => {
    const costs: number[] = [];
    const query = async (sql: string, parameters?: unknown[]) => {
      const explain = `explain (format json) ${sql}`;
      const [explained] = await platform.query(explain, parameters);
      costs.push(explained['QUERY PLAN'][0].Plan['Total Cost']);
      return platform.query(sql, parameters);
    };
    const context = { ...platform.context, reserved: { query } } as never;
    await look(context, { latencies: '{}', durations: '{}' });
    expect(Math.max(...costs)).to.be.below(200);
  });

  it('starts no parallel workers', async () => {
    const [{ workers }] = await platform.query(
      `select current_setting('max_parallel_workers_per_gather') as workers`,
    );
    expect(workers).to.equal('0');
  });
});
