// test:all: tables of many rows are filled, to see the plans of statements at size.
import { expect } from 'chai';

import { findHeld, findIncoming } from '../../shared/domains/wallet/places/places.ts';
import { TestPlatform } from '../harness.ts';
import { buy, meet, type Agent } from '../orders/trade.ts';
import { hire, openTask, submit } from '../tasks/board.ts';
import { rowsRead } from './rows_read.ts';
import { copyRow, withoutTriggers } from './superuser.ts';

/** Open orders of others, and tasks of the agent that are over. */
const ORDERS = 40_000;
/** Orders of the agent itself, so that it is one of many. */
const OWN = 4_000;
/** Buyers of the other orders. */
const OTHERS = 20;
const TASKS = 10_000;
const TABLES = ['orders', 'dispute', 'task', 'labor_task', 'labor_claim', 'withdrawal', 'deposit'];

describe('what is held and what is on its way, after very many orders', function () {
  this.timeout(120_000);
  let platform: TestPlatform;
  let buyer: Agent;
  let seller: Agent;

  before(async () => {
    platform = await TestPlatform.open();
    const met = await meet(platform, { usd: 20, price: 1, items: ['a', 'b', 'c'] });
    ({ buyer, seller } = met);
    for (let n = 0; n < 2; n += 1) await buy(platform, buyer, met.product);
    const task = { taskId: await openTask(platform, buyer), poster: buyer };
    await hire(platform, { ...task, worker: seller });
    await submit(platform, { taskId: task.taskId, key: seller.key });

    const order = {
      id: `nextval('order_id')`,
      job_id: 'gen_random_uuid()',
      escrow_id: `-nextval('order_id')`,
    };
    const where = 't.id = (select max(id) from orders)';
    const over = { ...order, status: `'completed'`, closed_at: 'now()' };
    await copyRow(platform, 'orders', { where, count: OWN, changes: over });
    const { buyer: other, product } = await meet(platform, { usd: 20, price: 1 });
    await buy(platform, other, product);
    const buyers = await Promise.all(Array.from({ length: OTHERS }, () => platform.agent()));
    const another = `(array[${buyers.map(({ id }) => id).join()}])[1 + n % ${OTHERS}]`;
    const open = { ...order, buyer_id: another, buyer_root: another };
    await copyRow(platform, 'orders', { where, count: ORDERS, changes: open });
    await copyRow(platform, 'task', {
      where: 't.id = (select max(id) from task)',
      count: TASKS,
      changes: {
        id: `nextval('task_id')`,
        call_id: 'gen_random_uuid()',
        escrow_id: `-nextval('task_id')`,
        status: `'approved'`,
        closed_at: 'now()',
        paid: '1',
      },
    });
    await withoutTriggers(platform, 'analyze');
  });
  after(() => platform.close());

  const agentsOf = ({ id }: Agent) => [id, 2_000_000_001];

  it('reads of what is held what is open', async () => {
    const read = await rowsRead(platform, TABLES, (db) => findHeld(db as never, agentsOf(buyer)));
    expect(read).to.be.within(3, 12);
  });

  it('reads of what is on its way what is open', async () => {
    const read = await rowsRead(platform, TABLES, (db) =>
      findIncoming(db as never, agentsOf(seller)),
    );
    expect(read).to.be.within(3, 12);
  });
});
