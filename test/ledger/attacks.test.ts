import { expect } from 'chai';
import type { DataSource } from 'typeorm';

import { databaseOf } from '../../shared/platform/database.ts';
import { audit } from '../../shared/kernel/audit.ts';
import { TestPlatform } from '../harness.ts';

/**
 * A constraint, a privilege or a range of numbers says no. A slip in the attack's SQL does not
 * count.
 */
const REFUSALS = ['23502', '23503', '23505', '23514', '42501', '22P02', '22003', '25001'];

/**
 * Everything here goes past the application, straight at the tables: as the application's role, and
 * as the owner, for whom no privilege stands in the way.
 */
describe('the ledger refuses, whoever asks', () => {
  let platform: TestPlatform;
  let owner: DataSource;
  let rich: { id: number; key: string };
  let poor: { id: number; key: string };
  let hold: { id: string; ref: string; credit: string; cash: string };

  before(async () => {
    platform = await TestPlatform.open();
    owner = await databaseOf(platform.config.migrationDatabaseUrl, 4).initialize();
    rich = await platform.agent({ usd: 100 });
    poor = await platform.agent();
    const product = await platform.product(poor, { price: 1 });
    await platform.request('POST /api/v1/orders', {
      key: rich.key,
      body: { product_id: product.id },
    });
    [hold] = await platform.query(`select * from ledger.transfer where kind = 'order.hold'`);
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await owner.destroy();
    await platform.close();
  });

  const entry = (values: string) =>
    `insert into ledger.transfer (ref, kind, from_account, from_id, to_account, to_id, credit, cash)
     values (${values})`;

  /** name → SQL with :rich, :poor, :hold, :order. */
  const ATTACKS: Record<string, string> = {
    'an empty entry': entry(`-1, 'deposit', 'asset', 1, 'treasury', :rich, 0, 0`),
    'a negative entry': entry(`-1, 'deposit', 'asset', 1, 'treasury', :rich, 0, -5`),
    'a negative funds hidden in a positive sum': entry(
      `-1, 'order.hold', 'treasury', :rich, 'escrow', 1, -5, 10`,
    ),
    'an entry from a place to itself': entry(
      `-1, 'order.release', 'treasury', :rich, 'treasury', :rich, 0, 5`,
    ),
    'an amount that is null': entry(`-1, 'deposit', 'asset', 1, 'treasury', :rich, null, 5`),
    'a place that is null': entry(`-1, 'deposit', null, 1, 'treasury', :rich, 0, 5`),
    'a welcome in cash': entry(`-1, 'welcome', 'expense', 1, 'treasury', :rich, 0, 5`),
    'a deposit in credit': entry(`-1, 'deposit', 'asset', 1, 'treasury', :rich, 5, 0`),
    'a deposit that nobody made': entry(`-1, 'deposit', 'revenue', 1, 'treasury', :rich, 0, 5`),
    'treasury to treasury': entry(`-1, 'order.hold', 'treasury', :rich, 'treasury', :poor, 0, 5`),
    'treasury to revenue as a fee': entry(`-1, 'order.fee', 'treasury', :rich, 'revenue', 1, 0, 5`),
    'a kind that does not exist': entry(`-1, 'gift', 'asset', 1, 'treasury', :rich, 0, 5`),
    'the welcome credit twice': entry(`:rich, 'welcome', 'expense', 1, 'treasury', :rich, 7, 0`),
    'the hold of an order twice': entry(
      `:order, 'order.hold', 'treasury', :rich, 'escrow', currval('ledger.transfer_id'), 0, 5`,
    ),
    'an edit of an entry': 'update ledger.transfer set cash = 1',
    'a deletion of an entry': 'delete from ledger.transfer',
    'emptying the ledger': 'truncate ledger.transfer cascade',
    'an edit by conflict': `${entry(`:rich, 'welcome', 'expense', 1, 'treasury', :rich, 7, 0`)}
       on conflict (ref, kind) do update set cash = 7`,
    'an edit by merge': `merge into ledger.transfer e using (select 1) x on e.ref = :rich
       when matched then update set cash = 9`,
    'a balance raised': 'update ledger.treasury set cash = cash + 1 where id = :poor',
    'a treasury that opens with money': 'insert into ledger.treasury (id, cash) values (900001, 5)',
    'a treasury deleted': 'delete from ledger.treasury where id = :poor',
    'the treasuries emptied': 'truncate ledger.treasury',
    'a treasury that changes hands': 'update ledger.treasury set id = 900002 where id = :rich',
    'a treasury overdrawn by one micro-dollar of credit': entry(
      `-3, 'order.hold', 'treasury', :poor, 'escrow', currval('ledger.transfer_id'), 500001, 0`,
    ),
    'a treasury overdrawn in cash it has as credit': entry(
      `-3, 'order.hold', 'treasury', :poor, 'escrow', currval('ledger.transfer_id'), 0, 1`,
    ),
    'an escrow paid out with one micro-dollar too much': entry(
      `:order, 'order.release', 'escrow', :hold, 'treasury', :poor, :hcredit, :hcash + 1`,
    ),
    'an escrow paid out in another funds': entry(
      `:order, 'order.release', 'escrow', :hold, 'treasury', :poor, :hcredit + 1, 0`,
    ),
    'an escrow that is none': entry(`-4, 'order.release', 'escrow', 1, 'treasury', :poor, 0, 1`),
    'an escrow that does not exist': entry(
      `-4, 'order.release', 'escrow', 999999999, 'treasury', :poor, 0, 1`,
    ),
    'release and fee over the sum, in one statement': `${entry(`:order, 'order.release', 'escrow', :hold, 'treasury', :poor, :hcredit, :hcash`)},
       (:order, 'order.fee', 'escrow', :hold, 'revenue', 1, 0, 1)`,
    "topping up another order's escrow": entry(
      `-5, 'order.hold', 'treasury', :rich, 'escrow', :hold, 0, 1`,
    ),
    'a charge for proxies earned with emails': entry(
      `-20, 'proxy.charge', 'treasury', :rich, 'revenue', 3, 0, 5`,
    ),
    'a charge for emails earned with purchases': entry(
      `-20, 'email.charge', 'treasury', :rich, 'revenue', 1, 0, 5`,
    ),
    'a charge that another agent earns': entry(
      `-20, 'proxy.charge', 'treasury', :rich, 'treasury', :poor, 0, 5`,
    ),
    'a charge that an escrow pays': entry(
      `-20, 'email.charge', 'escrow', :hold, 'revenue', 3, 0, 5`,
    ),
    'a charge that overdraws by one micro-dollar': entry(
      `-20, 'proxy.charge', 'treasury', :poor, 'revenue', 2, 500001, 0`,
    ),
    'the same charge twice': `${entry(`-20, 'email.charge', 'treasury', :rich, 'revenue', 3, 0, 2000`)},
       (-20, 'email.charge', 'treasury', :rich, 'revenue', 3, 0, 2000)`,
    'a refund of proxies out of purchase fees': entry(
      `-21, 'proxy.refund', 'revenue', 1, 'treasury', :poor, 0, 5`,
    ),
    'a refund of proxies out of the bank': entry(
      `-21, 'proxy.refund', 'asset', 2, 'treasury', :poor, 0, 5`,
    ),
    'a refund of proxies out of the treasury of another': entry(
      `-21, 'proxy.refund', 'treasury', :rich, 'treasury', :poor, 0, 5`,
    ),
    'an amount beyond what a number holds': entry(
      `-8, 'deposit', 'asset', 1, 'treasury', :rich, 0, 9223372036854775807`,
    ),
    'a treasury that does not exist': entry(`-9, 'deposit', 'asset', 1, 'treasury', 77777, 0, 1`),
    'a pay-out from an old snapshot': `set transaction isolation level repeatable read;
       ${entry(`:order, 'order.release', 'escrow', :hold, 'treasury', :poor, :hcredit, 0`)}`,
    'one bad entry among ten': `insert into ledger.transfer (ref, kind, from_account, from_id, to_account, to_id, credit, cash)
       select -10 - g, 'deposit', 'asset', 1, 'treasury',
              case when g = 7 then 77777 else :rich end, 0, 1 from generate_series(1, 10) g`,
  };

  /** What only privileges can refuse: the owner is refused by nothing, so it is not asked. */
  const ATTACKS_OF_THE_APPLICATION: Record<string, string> = {
    'a forged time': `insert into ledger.transfer
        (ref, kind, from_account, from_id, to_account, to_id, credit, cash, created_at)
        values (-2, 'deposit', 'asset', 1, 'treasury', :rich, 0, 5, '2001-01-01')`,
    'a trigger switched off': 'alter table ledger.transfer disable trigger all',
    'a trigger of its own to reach the balances': `create table reach (a int);
        create function reach() returns trigger language plpgsql as
          'begin update ledger.treasury set cash = 5; return null; end';
        create trigger reach after insert on reach for each row execute function reach();
        insert into reach values (1)`,
    'the replica role, under which ordinary triggers sleep': `set local session_replication_role = replica`,
    'the trigger function called by hand': 'select ledger.apply_transfers()',
    'a constraint dropped': 'alter table ledger.treasury drop constraint treasury_not_negative',
    'the function that allows routes replaced': `create or replace function ledger.route_allowed(
        kind ledger.kind, from_account ledger.account, to_account ledger.account, credit bigint, cash bigint
      ) returns boolean language sql immutable as 'select true'`,
  };

  const state = async () =>
    JSON.stringify(
      await platform.query(
        `select (select json_agg(t order by id) from ledger.treasury t) as treasuries,
                (select count(*) from ledger.transfer)::int as entries`,
      ),
    );

  /**
   * In one transaction that commits if it can: what is refused must not be a matter of rollback.
   */
  async function attack(database: DataSource, sql: string): Promise<string> {
    const filled = sql
      .replaceAll(':rich', String(rich.id))
      .replaceAll(':poor', String(poor.id))
      .replaceAll(':order', hold.ref)
      .replaceAll(':hcredit', hold.credit)
      .replaceAll(':hcash', hold.cash)
      .replaceAll(':hold', hold.id);
    const runner = database.createQueryRunner();
    try {
      await runner.query('begin');
      await runner.query(`select nextval('ledger.transfer_id')`);
      for (const statement of filled.split(/;\s*(?=\S)(?![^']*'\s*;)/))
        await runner.query(statement);
      await runner.query('commit');
      return 'it succeeded';
    } catch (error) {
      await runner.query('rollback');
      return (error as { code: string }).code;
    } finally {
      await runner.release();
    }
  }

  for (const [name, sql] of Object.entries({ ...ATTACKS, ...ATTACKS_OF_THE_APPLICATION })) {
    it(`${name}, from the application`, async () => {
      const before = await state();
      expect(REFUSALS).to.include(await attack(platform.context.database, sql));
      expect(await state()).to.equal(before);
    });
  }
  for (const [name, sql] of Object.entries(ATTACKS)) {
    it(`${name}, from the owner`, async () => {
      const before = await state();
      expect(REFUSALS).to.include(await attack(owner, sql));
      expect(await state()).to.equal(before);
    });
  }

  it('pays one of two who release the same escrow at the same moment', async () => {
    const seller = await platform.agent();
    const product = await platform.product(seller, { price: 1 });
    const { body } = await platform.request('POST /api/v1/orders', {
      key: rich.key,
      body: { product_id: product.id },
    });
    const [{ id, cash }] = await platform.query(
      `select id, cash from ledger.transfer where kind = 'order.hold' and ref = $1`,
      [body.order_id],
    );
    const payOut = (ref: number) =>
      platform.query(entry(`${ref}, 'order.release', 'escrow', ${id}, 'treasury', $1, 0, $2`), [
        seller.id,
        cash,
      ]);
    // Raw entries under two refs: the unique key does not help here, the escrow's own sum must.
    const outcomes = await Promise.allSettled([payOut(-101), payOut(-102)]);
    expect(outcomes.map(({ status }) => status).toSorted()).to.deep.equal([
      'fulfilled',
      'rejected',
    ]);
    // Put right what this test did past the application, so that the books can be audited.
    await owner.query('alter table ledger.transfer disable trigger append_only');
    await owner.query('alter table ledger.treasury disable trigger only_by_transfers');
    await owner.query('delete from ledger.transfer where ref in (-101, -102)');
    await owner.query('update ledger.treasury set cash = cash - $2 where id = $1', [
      seller.id,
      cash,
    ]);
    await owner.query('alter table ledger.transfer enable always trigger append_only');
    await owner.query('alter table ledger.treasury enable always trigger only_by_transfers');
  });
});
