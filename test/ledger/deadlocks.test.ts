import { expect } from 'chai';
import type { DataSource } from 'typeorm';

import { databaseOf, transact } from '../../shared/platform/database.ts';
import { escrow, makeTransfers, treasury } from '../../shared/ledger/ledger.ts';
import { column, row } from '../../shared/platform/rows.ts';
import { TestPlatform } from '../harness.ts';

/** Locks in one order, whoever pays whom: nobody waits for somebody who waits for them. */
describe('transfers between few treasuries', function () {
  this.timeout(120_000);

  const NEXT_ID = `select nextval('ledger.transfer_id') as id`;
  const TRANSFERS = 2_000;
  const CONNECTIONS = 40;

  let platform: TestPlatform;
  let wide: DataSource;
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
    wide = await databaseOf(platform.config.databaseUrl, CONNECTIONS).initialize();
  });
  after(async () => {
    await wide.destroy();
    await platform.close();
  });

  it('never deadlock, however many cross each other', async () => {
    const agents = await Promise.all(
      Array.from({ length: 10 }, () => platform.agent({ usd: 100 })),
    );
    const anyOf = () => agents[Math.floor(Math.random() * agents.length)]!.id;
    let deadlocks = 0;
    let left = TRANSFERS;

    async function transfer(ref: number): Promise<void> {
      const [from, to] = [anyOf(), anyOf()];
      let tries = 0;
      await transact(wide, async (db) => {
        tries += 1;
        const { id } = await row(db, { id: column.id }, NEXT_ID);
        const funds = { credit: 0n, cash: 1_000n };
        // Filled and paid out in one statement, whose two trees are locked in the common order.
        await makeTransfers(db, [
          { id, kind: 'order.hold', ref, from: treasury(from), to: escrow(id, from), ...funds },
          { kind: 'order.release', ref, from: escrow(id, from), to: treasury(to), ...funds },
        ]);
      });
      deadlocks += tries - 1;
    }
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        while (left > 0) await transfer(-(left -= 1) - 1);
      }),
    );

    expect(deadlocks).to.equal(0);
    const [sums] = await platform.query(
      `select (select sum(cash) from ledger.treasury)::bigint as cash,
              (select count(*) from ledger.transfer where kind = 'order.release')::int as moved,
              (select sum(amount) from ledger.balance_change)::int as balance`,
    );
    expect(sums).to.deep.equal({ cash: '1000000000', moved: TRANSFERS, balance: 0 });
  });
});
