// test:all: tables of many rows are filled, to see the plans of statements at size.
import { expect } from 'chai';

import type { Tx } from '../../shared/kernel/tx.ts';
import { listLaborTasks } from '../../shared/domains/labor/list_labor_tasks.ts';
import { TestPlatform } from '../harness.ts';
import { openPool, type Pool } from '../labor/pool.ts';
import { rowsRead } from './rows_read.ts';
import { copyRow, withoutTriggers } from './superuser.ts';

const TASKS = 20_000;
/** A page has ten, and one more that says whether there are others. */
const PAGE = 11;
const LIMIT = PAGE - 1;
/** The newest tasks, of which nothing is left to take. */
const TAKEN = 500;
/** The newest may be looked through where one of ten is wanted, and each needs a unit. */
const FEW = 2 * 15 * PAGE;

/** Every tenth is open, and every thousandth of a rare kind. */
const COPY = {
  id: "nextval('labor_task_id')",
  call_id: 'gen_random_uuid()',
  status: "case when n % 10 = 0 then 'open' else 'expired' end",
  closed_at: 'case when n % 10 = 0 then null else now() end',
  kind: "case when n % 1000 = 0 then 'moderation' else 'labeling' end",
};

describe('lists of labor tasks, however many there are', function () {
  this.timeout(120_000);
  let platform: TestPlatform;
  let pool: Pool;

  before(async () => {
    platform = await TestPlatform.open();
    pool = await openPool(platform);
    await platform.pauseWorkers();
    const where = `t.id = ${pool.taskId}`;
    await copyRow(platform, 'labor_task', { where, count: TASKS, changes: COPY });
    // A unit of each, and very many of the oldest.
    await withoutTriggers(
      platform,
      `insert into labor_unit (task_id, n, payload, wanted, free)
       select id, 1, 'A picture.', 1, case when n <= ${TAKEN} then 0 else 1 end
         from (select id, row_number() over (order by id desc) as n from labor_task
                where id > ${pool.taskId}) task;
       insert into labor_unit (task_id, n, payload, wanted, free)
       select ${pool.taskId}, n, 'A picture.', 1, 1 from generate_series(10, ${TASKS}) n;
       analyze`,
    );
  });
  after(() => platform.close());

  const read = (input: object) =>
    rowsRead(platform, ['labor_task', 'labor_unit'], async (db) => {
      const caller = { agentId: pool.poster.id, rootId: pool.poster.id };
      const tx = { db, caller, now: new Date() } as unknown as Tx;
      await listLaborTasks.handle(tx, { limit: LIMIT, ...input }, undefined);
    });

  it('read a page of open ones, and the newer ones of which nothing is left', async () => {
    expect(await read({})).to.be.within(PAGE, FEW);
  });

  it('read a page of a kind', async () => {
    expect(await read({ kind: 'labeling' })).to.be.within(PAGE, FEW);
    expect(await read({ kind: 'moderation' })).to.be.within(PAGE, FEW);
    expect(await read({ kind: 'translation' })).to.be.at.most(PAGE);
  });

  it('read a page of what an agent has taken, however many units of one task', async () => {
    const worker = await platform.agent();
    const claim = (count: number, tasks: string) => `
      insert into labor_claim (task_id, unit_id, agent_id, root_id, status, closed_at)
      select u.task_id, u.id, ${worker.id}, ${worker.id}, 'expired', now()
        from labor_unit u, generate_series(1, ${count})
       where u.n = 1 and u.task_id ${tasks};`;
    const newest = '= (select max(id) from labor_task)';
    const all = claim(1, '> 0') + claim(TASKS, newest);
    await withoutTriggers(platform, `${all} analyze labor_claim`);
    const seen = await rowsRead(
      platform,
      ['labor_task', 'labor_claim'],
      async (db) => {
        const caller = { agentId: worker.id, rootId: worker.id };
        const tx = { db, caller, now: new Date() } as unknown as Tx;
        const answer = await listLaborTasks.handle(tx, { limit: LIMIT, taken: true }, undefined);
        expect(answer).to.include({ count: LIMIT });
      },
      { answers: true },
    );
    expect(seen).to.be.within(PAGE, 4 * PAGE);
  });

  it('read a page of what an agent has posted', async () => {
    expect(await read({ mine: true })).to.be.within(PAGE, FEW);
  });
});
