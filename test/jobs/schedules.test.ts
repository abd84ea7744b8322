import { expect } from 'chai';

import { startSchedules, type StartedPeriods } from '../../workers/schedules.ts';
import { TestPlatform } from '../harness.ts';

const HOUR_MS = 3_600_000;
const TIMER = 'release_due_orders'; // each minute

describe('timers that no worker takes', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open({ workers: false })));
  after(() => platform.close());

  it('are started once and not every period, and again when they are done', async () => {
    const from = Math.ceil(Date.now() / HOUR_MS + 1) * HOUR_MS;
    const dispatchers: StartedPeriods[] = [new Map(), new Map()];
    const runMinutes = async (first: number, last: number) => {
      for (let minute = first; minute < last; minute += 1) {
        for (const [n, started] of dispatchers.entries()) {
          // They look at different times of one minute.
          const now = () => new Date(from + minute * 60_000 + n * 20_000);
          const clock = { ...platform.context.clock, now };
          await startSchedules({ ...platform.context, clock }, started);
        }
      }
    };
    await runMinutes(0, 60);
    expect(await countOf('pending')).to.equal(1);

    const [{ id }] = await platform.query('select id from job where operation = $1', [TIMER]);
    await platform.query(
      `update job set status = 'complete', http_status = 200, finished_at = now() where id = $1`,
      [id],
    );
    await runMinutes(60, 120);
    expect(await countOf('pending')).to.equal(1);
    expect(await countOf('complete')).to.equal(1);
  });

  const countOf = async (status: string): Promise<number> =>
    (
      await platform.query(
        'select count(*)::int as n from job where operation = $1 and status = $2',
        [TIMER, status],
      )
    )[0].n;
});
