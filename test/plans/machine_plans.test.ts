// test:all: a table of many rows is filled, to see the plans of statements at size.
import { expect } from 'chai';

import { catalog } from '../../shared/composition/catalog.ts';
import { jobsByOperation, jobsByQueue } from '../../shared/domains/jobs/admin/recent_jobs.ts';
import { findDay } from '../../shared/domains/operators/machine/day.ts';
import { findDueJobs } from '../../shared/jobs/waiting_jobs.ts';
import { findSchedules } from '../../shared/domains/operators/machine/schedules.ts';
import type { Database } from '../../shared/platform/rows.ts';
import { TestPlatform } from '../harness.ts';
import { rowsRead } from './rows_read.ts';
import { copyRow, withoutTriggers } from './superuser.ts';

const JOBS = 50_000;
const MINUTES = 2 * 24 * 60;

describe('the page of the machine, beside very many jobs that have ended', function () {
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
      changes: {
        id: `uuidv7(interval '-1 day')`,
        key: 'null',
        // Timers of days ago: the dispatcher names them so.
        cause: `'release_due_orders:' || n`,
        run_at: `now() - interval '1 day'`,
      },
    });
    await withoutTriggers(
      platform,
      `update dispatch_watermark set id = uuidv7(interval '-1 second') where scan = 'immediate';
       update dispatch_watermark set at = now() - interval '1 second' where scan = 'delayed';
       insert into machine_minute
       select date_trunc('minute', now()) - n * interval '1 minute', 1, 0,
              array_fill(1::bigint, array[13]), 1, 0, 0, 0
         from generate_series(0, ${MINUTES - 1}) n;
       analyze`,
    );
  });
  after(() => platform.close());

  const now = () => platform.context.clock.now();

  it('reads of the timers their last runs', async () => {
    const read = await rowsRead(platform, ['job'], (db) =>
      findSchedules({ db, now: now(), operations: catalog } as never),
    );
    expect(read).to.be.below(50);
  });

  it('reads of the queues what is pending, and the last minutes', async () => {
    const queueOf = new Map(
      [...catalog].flatMap(([name, { queue }]) => (queue ? [[name, queue] as const] : [])),
    );
    const act = (db: Database) => jobsByQueue(db, now(), queueOf);
    expect(await rowsRead(platform, ['job'], act, { answers: true })).to.be.below(50);
  });

  it('reads of all operations what is pending, and the last minutes', async () => {
    const act = (db: Database) => jobsByOperation(db, now());
    expect(await rowsRead(platform, ['job'], act, { answers: true })).to.be.below(50);
  });

  it('reads of the minutes those of one day', async () => {
    const read = await rowsRead(platform, ['machine_minute'], (db) => findDay(db, now()));
    expect(read).to.be.within(MINUTES / 2 - 60, MINUTES / 2);
  });

  it('counts due jobs above the watermarks of the dispatcher', async () => {
    const act = (db: Database) => findDueJobs(db);
    expect(await rowsRead(platform, ['job'], act, { answers: true })).to.be.below(50);
  });
});
