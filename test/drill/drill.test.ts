import { expect } from 'chai';

import { drill, type Drill } from './drill.ts';
import { told } from './report.ts';
import { MIX, scheduleOf } from './schedule.ts';
import { startServers, type Servers } from './servers.ts';

describe('a drill', function () {
  this.timeout(180_000);

  let servers: Servers;
  before(async () => (servers = await startServers({ durable: false })));
  after(() => servers.stop());

  it('of sixty faults in a row loses, doubles and unbalances nothing', async () => {
    const report = await drill(servers, {
      seed: 20_261_120,
      rig: { name: 'storm' },
      faults: 62,
      everyMs: 450,
    });
    console.log(told(report).replaceAll(/^/gm, '      '));
    expect(report.violations).to.deep.equal([]);
    expect(Object.keys(report.faults)).to.have.members(Object.keys(MIX));
    expect(report.moved.purchase_product).to.be.greaterThan(100);
  });

  it('of one seed is always the same', () => {
    const storm = { faults: 200, everyMs: 500 };
    expect(scheduleOf(7, storm)).to.deep.equal(scheduleOf(7, storm));
    expect(scheduleOf(7, storm)).not.to.deep.equal(scheduleOf(8, storm));
  });

  describe('catches', () => {
    const few: Omit<Drill, 'rig'> = { seed: 1, faults: 12, everyMs: 350, settleMs: 2_500 };

    for (const [what, program, mix] of [
      ['a worker that does a job in two transactions', 'two_transactions', { 'worker killed': 1 }],
      ['workers without a dispatcher when Redis is lost', 'no_dispatcher', { 'Redis killed': 1 }],
      ['a worker that never looks at the job row', 'no_lock', { 'worker frozen': 1 }],
    ] as const) {
      it(what, async () => {
        const worker = `test/drill/controls/${program}.ts`;
        const rig = { name: program, apis: 1, workers: 2, worker };
        const { violations } = await drill(servers, { ...few, rig, mix, buyers: 8 });
        console.log(`      ${violations.length} violations, the first: ${violations[0]}`);
        expect(violations).not.to.deep.equal([]);
      });
    }
  });
});
