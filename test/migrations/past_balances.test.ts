import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { DataSource } from 'typeorm';

import { migrations } from '../../migrations/files.ts';
import { migrate } from '../../migrations/migrate.ts';
import type { Tx } from '../../shared/kernel/tx.ts';
import { databaseOf } from '../../shared/platform/database.ts';
import { walletProofs } from '../../shared/domains/wallet/proofs.ts';
import { walletStatement } from '../../shared/domains/wallet/wallet_statement.ts';
import { admin, urlAs } from '../databases.ts';

const POSTGRES = process.env.TEST_POSTGRES_URL!;
/** The version before the one that keeps past balances. */
const BEFORE = 33;
/** Purchases of the one tree from the other, an hour apart; of each are two transfers. */
const PURCHASES = 400;
const DAYS = Math.ceil(PURCHASES / 24);
/** All but some of them were summed up for reports. */
const LATER = 200;
const ROOTS = [1, 2];

describe('an upgrade that keeps past balances, of a database with money', function () {
  this.timeout(60_000);
  let name: string;
  const open: DataSource[] = [];
  const connect = async (role: 'market_owner' | 'market_app', known = migrations) => {
    const { options } = databaseOf(urlAs(POSTGRES, name, role), 2);
    const database = await new DataSource({ ...options, migrations: known } as never).initialize();
    open.push(database);
    return database;
  };
  before(async () => {
    name = `upgraded_${randomUUID().slice(0, 8)}`;
    await admin(POSTGRES, `create database ${name} owner market_owner`);
  });
  after(async () => {
    await Promise.all(open.splice(0).map((database) => database.destroy()));
    await admin(POSTGRES, `drop database ${name} with (force)`);
  });

  it('agrees with the transfers, then and when more are summed up', async () => {
    const old = await connect('market_owner', migrations.slice(0, BEFORE));
    await old.runMigrations({ transaction: 'each' });
    await old.query(FILL);
    const [{ mark, last }] = await old.query(
      `select id::int as mark, (select max(id)::int from ledger.transfer) as last
         from money_watermark`,
    );
    expect(last - mark).to.be.above(LATER);

    const db = await connect('market_app');
    await migrate(await connect('market_owner'), db);
    const kept = () =>
      db.query('select root_id::int, transfer_id::int from past_balance order by 2, 1');
    const chosen = (upTo: number) => db.query(CHOSEN, [upTo]);
    expect(await kept()).to.have.length.above(5);
    expect(await kept()).to.deep.equal(await chosen(mark));
    await expectRight(db);

    // The timer keeps what follows, from where the upgrade ended.
    for (let [moved] = [mark]; moved < last;) {
      await db.query('select roll_up_money(1000)');
      [{ moved }] = await db.query('select id::int as moved from money_watermark');
    }
    expect(await kept()).to.have.length.above((await chosen(mark)).length);
    expect(await kept()).to.deep.equal(await chosen(last));
    await expectRight(db);
  });

  /** Proves all that is kept, and expects each tree's statement to begin with what it held. */
  async function expectRight(db: DataSource): Promise<void> {
    const proof = walletProofs.find((one) => one.name.startsWith('each past balance'));
    expect(await db.query(proof!.sql)).to.deep.equal([]);
    for (const rootId of ROOTS) {
      for (let days = 0; days < DAYS; days += 3) {
        const to = new Date(Date.now() - days * 86_400_000 - 1_800_000);
        const tx = { db, caller: { agentId: rootId, rootId }, now: new Date() } as unknown as Tx;
        const asked = { limit: 1, to: to.toISOString() };
        const found = await walletStatement.handle(tx, asked, undefined);
        const { entries } = found as { entries: { balance_after: number }[] };
        const [{ held }] = await db.query(HELD, [rootId, to]);
        expect(entries[0]!.balance_after, `${rootId} ${asked.to}`).to.equal(Number(held));
      }
    }
  }
});

/** By the tables of the older version. Ids rise with time, as those of transfers do. */
const FILL = `
  insert into agent (id, username, root_id, lineage)
  select id, 'agent' || id, id, array [id] from unnest(array [${ROOTS.join(', ')}]) as id;
  insert into ledger.treasury (id) values (1), (2);
  insert into ledger.transfer
    (ref, kind, from_account, from_id, to_account, to_id, to_root, credit, cash, created_at)
  select id, 'welcome', 'expense', 1, 'treasury', id, id, 500000000, 0, now() - interval '1 year'
    from unnest(array [${ROOTS.join(', ')}]) as id;
  insert into ledger.transfer
    (id, ref, kind, from_account, from_id, from_root, to_account, to_id, to_root, credit, cash,
     created_at)
  select 2 * n + 1, n, 'order.hold', 'treasury', 1, 1, 'escrow', 2 * n + 1, 1, 1000 + n, 0,
         now() - make_interval(hours => ${PURCHASES} - n)
    from generate_series(1, ${PURCHASES}) n;
  insert into ledger.transfer
    (id, ref, kind, from_account, from_id, from_root, to_account, to_id, to_root, credit, cash,
     created_at)
  select 2 * n + 2, n, 'order.release', 'escrow', 2 * n + 1, 1, 'treasury', 2, 2, 1000 + n, 0,
         now() - make_interval(hours => ${PURCHASES} - n, mins => -1)
    from generate_series(1, ${PURCHASES}) n;
  select setval('ledger.transfer_id', 2 * ${PURCHASES} + 2);
  update money_watermark set id = 2 * (${PURCHASES} - ${LATER})`;

/** The rows that are to be kept up to a transfer. */
const CHOSEN = `
  select root_id::int, id::int as transfer_id
    from (select from_id as root_id, id from ledger.transfer where from_account = 'treasury'
          union all
          select to_id, id from ledger.transfer where to_account = 'treasury') t
   where id <= $1 and hashint8(id) & 63 = 0 order by 2, 1`;

/** The balance of a tree at a time, in dollars. */
const HELD = `
  select sum(amount) / 1000000.0 as held
    from (select -(credit + cash) as amount from ledger.transfer
           where from_account = 'treasury' and from_id = $1 and created_at < $2
          union all
          select credit + cash from ledger.transfer
           where to_account = 'treasury' and to_id = $1 and created_at < $2) t`;
