// test:all: tables of many rows are filled, to see the plans of statements at size.
import { expect } from 'chai';

import { newestMany } from '../../shared/domains/agents/tree/newest.ts';
import { listChildren } from '../../shared/domains/agents/list_children.ts';
import { listApprovals } from '../../shared/domains/approvals/list_approvals.ts';
import { listDeposits } from '../../shared/domains/deposits/list_deposits.ts';
import { SORTED_MAX } from '../../shared/kernel/paging.ts';
import type { Tx } from '../../shared/kernel/tx.ts';
import { marketStats } from '../../shared/domains/market/market_stats.ts';
import { listAuditLog } from '../../shared/domains/operators/list_audit_log.ts';
import { getOrders } from '../../shared/domains/orders/get_orders.ts';
import { listDisputes } from '../../shared/domains/orders/list_disputes.ts';
import { sellerRecord } from '../../shared/domains/records/seller_record.ts';
import { listWithdrawals } from '../../shared/domains/withdrawals/list_withdrawals.ts';
import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';
import { WAITING } from '../inbox/waiting.ts';
import { buy, meet, type Agent } from '../orders/trade.ts';
import { done } from '../tasks/board.ts';
import { rowsRead } from './rows_read.ts';
import { copyRow, withoutTriggers } from './superuser.ts';

/** Rows of each table, all of one tree. */
const ROWS = 20_000;
/** Maximum agents of a tree. */
const AGENTS = 999;
/** Open orders of one buyer, and as many closed ones. */
const OPEN = 3_000;
const LIMIT = 10;
/** A page and one more, with what belongs to each. */
const PAGE = 6 * (LIMIT + 1);
const WEEKS = 52;

describe('lists by a condition that few rows of very many fulfil', function () {
  this.timeout(120_000);
  let platform: TestPlatform;
  let root: Agent;
  let child: Agent;

  before(async () => {
    platform = await TestPlatform.open();
    root = (await WAITING.approval_to_decide!(platform)) as Agent;
    await platform.fund(root.id, 20);
    child = await childOf(platform, root);
    const body = { amount: 4, address: `0x${'ab'.repeat(20)}` };
    done(await platform.request('POST /api/v1/wallet/withdrawals', { key: root.key, body }));
    const { product } = await meet(platform, { items: ['a', 'b'] });
    const orderId = await buy(platform, root, product);
    await platform.pauseWorkers();

    await withoutTriggers(
      platform,
      `insert into agent (id, username, owner_id, root_id, lineage)
       select id, 'kid' || id, ${root.id}, ${root.id}, array[${root.id}, id]
         from (select nextval('agent_id') as id from generate_series(1, ${AGENTS})) n;
       insert into spend (agent_id, root_id)
       select id, root_id from agent where username like 'kid%'`,
    );
    const one = `(select min(id) from agent where username like 'kid%') + n % ${AGENTS}`;
    const identity = (table: string) => `nextval(pg_get_serial_sequence('${table}', 'id'))`;
    await copyRow(platform, 'withdrawal', {
      where: 't.id = (select max(id) from withdrawal)',
      count: ROWS,
      changes: {
        id: `nextval('withdrawal_id')`,
        call_id: 'gen_random_uuid()',
        escrow_id: `-nextval('withdrawal_id')`,
        status: `'cancelled'`,
        review: 'null',
        closed_at: 'now()',
      },
    });
    await copyRow(platform, 'approval', {
      where: 't.id = (select max(id) from approval)',
      count: ROWS,
      changes: {
        id: identity('approval'),
        job_id: 'gen_random_uuid()',
        input_hash: 'null',
        agent_id: one,
        status: `'expired'`,
        decided_at: 'now()',
      },
    });
    await copyRow(platform, 'deposit', {
      where: `t.id = (select max(id) from deposit where root_id = ${root.id})`,
      count: ROWS,
      changes: { id: identity('deposit'), tx_id: `'tx' || n` },
    });
    await copyRow(platform, 'orders', {
      where: `t.id = ${orderId}`,
      count: ROWS,
      changes: {
        id: `nextval('order_id')`,
        job_id: 'gen_random_uuid()',
        escrow_id: `-nextval('order_id')`,
        buyer_id: one,
        status: `'completed'`,
        created_at: "now() - interval '3 days'",
        closed_at: 'now()',
      },
    });
    await withoutTriggers(
      platform,
      `insert into dispute (order_id, reason, respond_by, outcome, closed_at)
       select id, 'No.', now(), 'withdrawn', now() from orders;
       insert into audit_log
         (operator, operation, object_kind, object_id, input, error, request_id, created_at)
       select 'ann', case when n = 9 then 'give_goodwill' else 'review_product' end,
              case when n = 9 then 'agent' else 'product' end, n, '{}',
              case when n = 9 then 'conflict' end, 'req',
              now() - (${ROWS} - n) * interval '${WEEKS} weeks' / ${ROWS}
         from generate_series(1, ${ROWS}) n;
       analyze`,
    );
  });
  after(() => platform.close());

  /** The read of these tables by this operation for a page; `who` asks. */
  const read = (
    tables: readonly string[],
    operation: { handle: (tx: Tx, input: never, facts: never) => Promise<unknown> },
    input: object = {},
    who: { id: number } = root,
  ) =>
    rowsRead(
      platform,
      tables,
      (queries) => {
        const { config } = platform;
        // Facts about a database are kept beside it: of this one there are none.
        const db = { ...queries, dataSource: {} };
        const caller = { agentId: who.id, rootId: root.id };
        const tx = { db, caller, now: new Date(), config } as unknown as Tx;
        return operation.handle(tx, { limit: LIMIT, ...input } as never, undefined as never);
      },
      { answers: true },
    );

  it('reads a page of withdrawals of each status', async () => {
    for (const status of [undefined, 'requested', 'processing', 'paid', 'cancelled']) {
      expect(await read(['withdrawal'], listWithdrawals, { status }), status).to.be.at.most(PAGE);
    }
  });

  it('reads a page of approvals of each status, of a tree and of a part of it', async () => {
    for (const status of ['pending', 'approved', 'denied', 'cancelled', 'expired']) {
      for (const who of [root, child]) {
        const found = await read(['approval'], listApprovals, { status }, who);
        expect(found, `${status} ${who.id}`).to.be.at.most(PAGE);
      }
    }
  });

  it('reads of the deposits of a child its own', async () => {
    for (const status of [undefined, 'credited', 'rejected'] as const) {
      expect(await read(['deposit'], listDeposits, { status }, child), status).to.be.at.most(PAGE);
    }
  });

  it('reads a page of children, however many there are', async () => {
    expect(await read(['agent', 'spend'], listChildren)).to.be.within(LIMIT, PAGE);
  });

  it('reads of the orders of many agents one of each, and a few pages', async () => {
    const found = await read(['orders'], getOrders, { below: true });
    expect(found).to.be.within(AGENTS, AGENTS + LIMIT * PAGE);
  });

  it('reads to sort the orders of many agents some of each, and a few pages', async () => {
    for (const sort of ['amount_desc', 'newest']) {
      const found = await read(['orders'], getOrders, { below: true, sort });
      // All are read that can be among the newest thousand, and then looked at.
      expect(found, sort).to.be.within(SORTED_MAX, 32 * AGENTS + 4 * SORTED_MAX);
    }
  });

  it('reads a page of the audit log by each filter', async () => {
    const ago = (weeks: number) => new Date(Date.now() - weeks * 7 * 86_400_000).toISOString();
    for (const input of [
      {},
      { operation: 'give_goodwill' },
      { operation: 'decide_dispute' },
      { object_kind: 'agent' },
      { outcome: 'refused' },
      { until: ago(WEEKS / 2) },
      { since: ago(-1) },
    ]) {
      const found = await read(['audit_log'], listAuditLog, input);
      expect(found, JSON.stringify(input)).to.be.at.most(PAGE);
    }
  });

  it('reads a page of the open orders of a buyer who has thousands, and as many newer ones', async () => {
    const sql = `select min(id) as id from agent where username like 'kid%'`;
    const [{ id }] = await platform.query(sql);
    const changes = {
      id: `nextval('order_id')`,
      job_id: 'gen_random_uuid()',
      escrow_id: `-nextval('order_id')`,
      buyer_id: id,
      created_at: "now() - interval '3 days'",
    };
    const some = { where: 't.id = (select min(id) from orders)', count: OPEN };
    const open = { ...changes, status: `'escrow'`, closed_at: 'null' };
    const closed = { ...changes, status: `'completed'`, closed_at: 'now()' };
    for (const more of [open, closed]) {
      await copyRow(platform, 'orders', { ...some, changes: more });
      await withoutTriggers(platform, 'analyze orders');
      for (const status of ['escrow', 'disputed']) {
        const found = await read(['orders'], getOrders, { status }, { id });
        expect(found, status).to.be.at.most(PAGE);
      }
    }
  });

  it('finds the newest thousand orders of all, also where one agent has most of them', async () => {
    const agents = (
      await platform.query(`select id::int from agent where root_id = ${root.id}`)
    ).map(({ id }: { id: number }) => id);
    const { sql, parameters } = newestMany(agents, {
      table: 'orders',
      column: 'buyer_id',
      where: undefined,
    });
    const expected = await platform.query(
      `select id from orders where buyer_id = any ($1) order by id desc limit ${SORTED_MAX}`,
      [agents],
    );
    expect(await platform.query(sql, [...parameters])).to.deep.equal(expected);
    expect(expected).to.have.length(SORTED_MAX);
  });

  it('reads for the record of a seller its newest hundred sales', async () => {
    const sql = 'select seller_id::int as id from orders limit 1';
    const [{ id: agent_id }] = await platform.query(sql);
    const found = await read(['orders', 'dispute'], sellerRecord, { agent_id });
    expect(found).to.be.at.most(2 * 100);
  });

  it('reads for the numbers of the market the orders of a day', async () => {
    expect(await read(['orders'], marketStats)).to.be.at.most(2 * 100 + PAGE);
  });

  it('reads of disputes that are over those of the parties of a page', async () => {
    expect(await read(['dispute'], listDisputes)).to.be.at.most(PAGE);
  });
});
