// test:all: tables of many rows are filled, to see the plans of statements at size.
import { expect } from 'chai';

import type { Tx } from '../../shared/kernel/tx.ts';
import { taskBrowse } from '../../shared/domains/tasks/task_browse.ts';
import { taskMine } from '../../shared/domains/tasks/task_mine.ts';
import { TestPlatform } from '../harness.ts';
import { openJob, type Job } from '../tasks/board.ts';
import { rowsRead } from './rows_read.ts';
import { copyRow, withoutTriggers } from './superuser.ts';

const TASKS = 20_000;
/** A page has ten, and one more that says whether there are others. */
const PAGE = 11;
const LIMIT = PAGE - 1;
/** The newest may be looked through where one of ten is wanted. */
const FEW = 15 * PAGE;

/** Every tenth is open, every hundredth of a category, and every thousandth has a rare word. */
const COPY = {
  id: "nextval('task_id')",
  call_id: 'gen_random_uuid()',
  escrow_id: "-nextval('task_id')",
  status: "case when n % 10 = 0 then 'open' else 'expired' end",
  closed_at: 'case when n % 10 = 0 then null else now() end',
  category: "case when n % 100 = 0 then 'maps' else 'general' end",
  title: "case when n % 1000 = 0 then 'Draw a fjord' else 'Name a sea' end",
};

describe('lists of tasks, however many there are', function () {
  this.timeout(120_000);
  let platform: TestPlatform;
  let job: Job;

  before(async () => {
    platform = await TestPlatform.open();
    job = await openJob(platform);
    await platform.pauseWorkers();
    const where = `t.id = ${job.taskId}`;
    await copyRow(platform, 'task', { where, count: TASKS, changes: COPY });
    await withoutTriggers(platform, 'analyze');
  });
  after(() => platform.close());

  const read = (operation: typeof taskBrowse | typeof taskMine, input: object) =>
    rowsRead(platform, ['task'], async (db) => {
      const caller = { agentId: job.poster.id, rootId: job.poster.id };
      const tx = { db, caller, now: new Date() } as unknown as Tx;
      await operation.handle(tx, { limit: LIMIT, ...input }, undefined);
    });

  it('read a page of open ones', async () => {
    expect(await read(taskBrowse, {})).to.be.within(PAGE, FEW);
  });

  it('read a page of any other status', async () => {
    expect(await read(taskBrowse, { status: 'expired' })).to.be.within(PAGE, FEW);
    expect(await read(taskBrowse, { status: 'disputed' })).to.be.at.most(PAGE);
  });

  it('read a page of a category', async () => {
    expect(await read(taskBrowse, { category: 'Maps' })).to.be.within(PAGE, FEW);
    expect(await read(taskBrowse, { category: 'none' })).to.be.at.most(PAGE);
  });

  it('read a later page like the first', async () => {
    const [{ id }] = await platform.query(
      `select id::text as id from task where status = 'open' order by id offset 200 limit 1`,
    );
    const cursor = Buffer.from(id).toString('base64url');
    expect(await read(taskBrowse, { cursor })).to.be.within(PAGE, FEW);
  });

  it('read those with a rare word, and of a common one a page', async () => {
    expect(await read(taskBrowse, { query: 'fjord' })).to.be.within(PAGE, FEW);
    expect(await read(taskBrowse, { query: 'sea' })).to.be.within(PAGE, FEW);
    expect(await read(taskBrowse, { query: 'volcano' })).to.be.at.most(PAGE);
  });

  it('read a page of what an agent has posted', async () => {
    expect(await read(taskMine, {})).to.be.within(PAGE, FEW);
  });
});
