// test:all: twenty thousand transfers cross each other.
import { expect } from 'chai';
import type { DataSource } from 'typeorm';

import { databaseOf, transact } from '../../shared/platform/database.ts';
import {
  escrow,
  makeTransfers,
  treasury,
  type Transfer,
} from '../../shared/domains/ledger/ledger.ts';
import { column, rows } from '../../shared/platform/rows.ts';
import { TestPlatform } from '../harness.ts';

/** Locks in one order, whoever pays whom: nobody waits for somebody who waits for them. */
describe('transfers between few treasuries', function () {
  this.timeout(120_000);

  const TRANSFERS = 20_000;
  const CONNECTIONS = 40;
  /** Payments of a transaction: each fills an escrow and pays it out. */
  const PAYMENTS = 4;
  const NEXT_IDS = `select nextval('ledger.transfer_id') as id from generate_series(1, $1::int)`;

  let platform: TestPlatform;
  let wide: DataSource;
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
    const url = new URL(platform.config.databaseUrl);
    // Nearly all of them wait for the others: on a busy machine for longer than a statement may.
    url.searchParams.set('options', '-c statement_timeout=100s');
    wide = await databaseOf(url.href, CONNECTIONS).initialize();
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
    let [deadlocks, atOnce, most] = [0, 0, 0];
    let left = TRANSFERS / 2;

    async function pay(refs: readonly number[]): Promise<void> {
      const parties = refs.map(() => [anyOf(), anyOf()] as const);
      const funds = { credit: 0n, cash: 1_000n };
      let tries = 0;
      await transact(wide, async (db) => {
        tries += 1;
        most = Math.max(most, (atOnce += 1));
        const ids = await rows(db, { id: column.id }, NEXT_IDS, [PAYMENTS]);
        // Filled and paid out in one statement, whose trees are locked in the common order.
        await makeTransfers(
          { db, config: platform.config },
          parties.flatMap(([from, to], n): Transfer[] => {
            const { id } = ids[n]!;
            const [ref, by] = [refs[n]!, escrow(id, from)];
            return [
              { id, kind: 'order.hold', ref, from: treasury(from), to: by, ...funds },
              { kind: 'order.release', ref, from: by, to: treasury(to), ...funds },
            ];
          }),
        ).finally(() => (atOnce -= 1));
      });
      deadlocks += tries - 1;
    }
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        while (left > 0) await pay(Array.from({ length: PAYMENTS }, () => -(left -= 1) - 1));
      }),
    );

    expect(deadlocks).to.equal(0);
    expect(most, 'transactions at once').to.be.at.least(CONNECTIONS / 2);
    const [sums] = await platform.query(
      `select (select sum(cash) from ledger.treasury)::bigint as cash,
              (select count(*) from ledger.transfer where kind = 'order.release')::int as moved,
              (select sum(amount) from ledger.balance_change)::int as balance`,
    );
    expect(sums).to.deep.equal({ cash: '1000000000', moved: TRANSFERS / 2, balance: 0 });
  });
});
