// test:all: tables of many rows are filled, to see the plans of statements at size.
import { expect } from 'chai';

import { listDeposits } from '../../shared/domains/deposits/list_deposits.ts';
import { findEvents } from '../../shared/domains/events/find_events.ts';
import type { Tx } from '../../shared/kernel/tx.ts';
import {
  insertTransfers,
  lockTreasuries,
  revenue,
  treasury,
} from '../../shared/domains/ledger/ledger.ts';
import { findBooks } from '../../shared/domains/ledger/platform_accounts.ts';
import { getOrders } from '../../shared/domains/orders/get_orders.ts';
import { STATUSES } from '../../shared/domains/orders/order.ts';
import { moneyReport } from '../../shared/domains/wallet/reports/money_report.ts';
import { listWithdrawals } from '../../shared/domains/withdrawals/list_withdrawals.ts';
import { railOf } from '../deposits/paid_in.ts';
import { TestPlatform } from '../harness.ts';
import { buy, meet, type Agent } from '../orders/trade.ts';
import { rowsRead } from './rows_read.ts';
import { copyRow, withoutTriggers } from './superuser.ts';

/** Rows of each table, half of them of the agent that asks. */
const ROWS = 20_000;
/** Transfers are of so many trees by turns. */
const TREES = 10;
/** Transfers of each tree that are not summed up yet. */
const NEWER = 50;
const CATEGORIES = 5;
const DAYS = 30;
const LIMIT = 10;
/** A page and one more, looked for and then read with what belongs to it. */
const PAGE = 3 * (LIMIT + 1);

describe('what an agent sees of its past, after very much of it', function () {
  this.timeout(120_000);
  let platform: TestPlatform;
  let buyer: Agent;
  let seller: Agent;
  let orderId: number;

  before(async () => {
    platform = await TestPlatform.open();
    const met = await meet(platform, { usd: 20, price: 1, items: ['a', 'b'] });
    ({ buyer, seller } = met);
    orderId = await buy(platform, buyer, met.product);
    await platform.pauseWorkers();
    const others = await Promise.all(
      Array.from({ length: TREES - 1 }, () => platform.agent({ usd: 1 })),
    );
    const ids = others.map(({ id }) => id);
    const another = `(array[${ids.join()}])[1 + n % ${ids.length}]`;
    const half = (own: string) => `case when n % 2 = 0 then t.${own} else ${another} end`;
    await copyRow(platform, 'orders', {
      where: `t.id = ${orderId}`,
      count: ROWS,
      changes: {
        id: `nextval('order_id')`,
        job_id: 'gen_random_uuid()',
        escrow_id: `-nextval('order_id')`,
        buyer_id: half('buyer_id'),
        buyer_root: half('buyer_root'),
        status: `'completed'`,
        closed_at: 'now()',
      },
    });
    const identity = (table: string) => `nextval(pg_get_serial_sequence('${table}', 'id'))`;
    await copyRow(platform, 'event', {
      where: `t.id = (select max(id) from event where root_id = ${buyer.id})`,
      count: ROWS,
      changes: { id: `nextval('event_id')`, object_id: '1000000 + n / 5' },
    });
    await copyRow(platform, 'deposit', {
      where: `t.id = (select max(id) from deposit where root_id = ${buyer.id})`,
      count: ROWS,
      changes: {
        id: identity('deposit'),
        tx_id: `'tx' || n`,
        agent_id: half('agent_id'),
        root_id: half('root_id'),
      },
    });
    await addTransfers([buyer.id, ...ids]);
    await withoutTriggers(
      platform,
      `update event_watermark set id = (select max(id) from event);
       insert into daily_money (root_id, is_sale, day, agent_id, category, amount, count)
       select tree, false, current_date - day, tree, 'c' || c, 1, 1
         from generate_series(${buyer.id}, ${buyer.id + TREES}) tree, generate_series(1, 180) day,
              generate_series(1, ${CATEGORIES}) c;
       update money_watermark
          set id = (select id from ledger.transfer order by id desc
                    offset ${NEWER * TREES} limit 1);
       analyze`,
    );
  });
  after(() => platform.close());

  async function addTransfers(ids: readonly number[]): Promise<void> {
    const { inTx } = railOf(() => platform);
    await inTx(async (tx) => {
      await lockTreasuries(tx.db, ids);
      const transfers = Array.from({ length: ROWS }, (_, n) => ({
        kind: 'email.charge' as const,
        ref: 1_000_000 + n,
        from: treasury(ids[n % TREES]!),
        to: revenue('email'),
        credit: 0n,
        cash: 1n,
      }));
      await insertTransfers(tx, transfers);
    });
  }

  const readBy = (tables: readonly string[], act: (tx: Tx) => unknown, { id } = buyer) =>
    rowsRead(platform, tables, async (db) => {
      const caller = { agentId: id, rootId: id };
      await act({ db, caller, now: new Date(), config: platform.config } as unknown as Tx);
    });

  it('reads for a report the sums of its days, and what is newer', async () => {
    const asked = { by: 'category', days: DAYS, isSale: false, now: new Date() } as const;
    for (const rootId of [buyer.id, seller.id]) {
      const read = await readBy(['transfer', 'daily_money', 'orders'], ({ db }) =>
        moneyReport(db, { ...asked, rootId, agentId: rootId }),
      );
      expect(read).to.be.at.most(2 * DAYS * CATEGORIES + NEWER + 5);
    }
  });

  it('reads for the books what is newer than what is summed up', async () => {
    const read = await rowsRead(platform, ['transfer'], findBooks, { answers: true });
    expect(read).to.be.at.most(2 * NEWER * TREES);
  });

  it('reads a page of orders of each status from each side, be they few or many', async () => {
    for (const status of [undefined, ...STATUSES]) {
      for (const [role, agent] of Object.entries({ buyer, seller })) {
        const input = { role, status, limit: LIMIT } as never;
        const read = await readBy(
          ['orders', 'pending_order'],
          (tx) => getOrders.handle(tx, input, undefined),
          agent,
        );
        expect(read, `${status} ${role}`).to.be.at.most(PAGE);
      }
    }
  });

  it('reads the events of one object, however many others there are', async () => {
    const reader = { agentId: buyer.id, rootId: buyer.id };
    const found = await platform.query(
      `select object_kind as kind, max(object_id)::int as id from event
        where object_id > 1000000 group by 1`,
    );
    const object = found[0] as { kind: string; id: number };
    const read = await readBy(['event'], ({ db }) =>
      findEvents(
        // The end is asked first, and answered here.
        answering(db, [{ until: '9000000000', watermark: '9000000000' }]),
        { ...reader, object },
        { after: 0n, limit: LIMIT },
      ),
    );
    expect(read).to.be.within(1, 6);
  });

  it('reads a page of deposits of each status, and of withdrawals', async () => {
    for (const status of [undefined, 'credited', 'rejected', 'confirming', 'reversed'] as const) {
      const input = { status, limit: LIMIT } as never;
      const read = await readBy(['deposit', 'withdrawal'], async (tx) => {
        await listDeposits.handle(tx, input, undefined);
        if (!status) await listWithdrawals.handle(tx, input, undefined);
      });
      expect(read, status).to.be.at.most(PAGE);
    }
  });
});

/** The same, but for its first query, which finds these rows. */
function answering(db: Tx['db'], first: readonly object[]): Tx['db'] {
  let isFirst = true;
  const query = async (sql: string, parameters?: unknown[]): Promise<unknown> => {
    if (!isFirst) return db.query(sql, parameters);
    isFirst = false;
    return first;
  };
  return { query } as unknown as Tx['db'];
}
