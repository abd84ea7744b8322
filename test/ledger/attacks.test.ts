import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { databaseOf } from '../../shared/platform/database.ts';
import { inQueue } from '../in_queue.ts';
import { itRefuses, REFUSALS, Target, transfer } from './target.ts';

/**
 * Everything here goes past the application, straight at the tables: as the application's role, and
 * as the owner, for whom no privilege stands in the way.
 */
describe('the ledger refuses, for the application and the owner', () => {
  let target: Target;

  before(async () => {
    target = await Target.open();
  });
  after(async () => {
    expect(await audit(target.application)).to.deep.equal([]);
    await target.close();
  });

  /** The id of the transfer that an attack makes: an escrow is named by that. */
  const NEXT = `currval('ledger.transfer_id') + 1`;
  const ATTACKS: Record<string, string> = {
    'an empty transfer': transfer(`-1, 'goodwill', 'expense', 1, 'treasury', :rich, 0, 0`),
    'a negative transfer': transfer(`-1, 'goodwill', 'expense', 1, 'treasury', :poor, -5, 0`),
    'a negative amount hidden in a positive sum': transfer(
      `-1, 'order.hold', 'treasury', :rich, 'escrow', ${NEXT}, -5, 10`,
    ),
    'a transfer from an account to itself': transfer(
      `-1, 'order.release', 'treasury', :rich, 'treasury', :rich, 0, 5`,
    ),
    'an amount that is null': transfer(
      `:deposit, 'deposit', 'asset', 1, 'treasury', :rich, null, 5`,
    ),
    'an account that is null': transfer(`:deposit, 'deposit', null, 1, 'treasury', :rich, 0, 5`),
    'the welcome credit twice': transfer(`:rich, 'welcome', 'expense', 1, 'treasury', :rich, 7, 0`),
    'the hold of an order twice': transfer(
      `:order, 'order.hold', 'treasury', :rich, 'escrow', ${NEXT}, 0, 5`,
    ),
    'an edit of a transfer': 'update ledger.transfer set cash = 1',
    'a deletion of a transfer': 'delete from ledger.transfer',
    'emptying the ledger': 'truncate ledger.transfer cascade',
    'an edit by conflict': `${transfer(`:rich, 'welcome', 'expense', 1, 'treasury', :rich, 7, 0`)}
       on conflict (ref, kind) do update set cash = 7`,
    'an edit by merge': `merge into ledger.transfer e using (select 1) x on e.ref = :rich
       when matched then update set cash = 9`,
    'a balance raised': 'update ledger.treasury set cash = cash + 1 where id = :poor',
    'a treasury that opens with money': 'insert into ledger.treasury (id, cash) values (900001, 5)',
    'a treasury that opens with money in escrow':
      'insert into ledger.treasury (id, escrow_cash) values (900001, 5)',
    'the inflow raised': 'update ledger.treasury set inflow = 9 where id = :rich',
    'the sum in escrow raised': 'update ledger.treasury set escrow_cash = 9 where id = :rich',
    'the sum in escrow lowered': 'update ledger.treasury set escrow_cash = 0 where id = :rich',
    'a treasury deleted': 'delete from ledger.treasury where id = :poor',
    'the treasuries emptied': 'truncate ledger.treasury',
    'a treasury that changes hands': 'update ledger.treasury set id = 900002 where id = :rich',
    'a treasury overdrawn by one micro-dollar of credit': transfer(
      `-3, 'order.hold', 'treasury', :poor, 'escrow', ${NEXT}, 500001, 0`,
    ),
    'a treasury overdrawn in cash it has as credit': transfer(
      `-3, 'order.hold', 'treasury', :poor, 'escrow', ${NEXT}, 0, 1`,
    ),
    'an escrow paid out with one micro-dollar too much': transfer(
      `:order, 'order.release', 'escrow', :hold, 'treasury', :poor, :hcredit, :hcash + 1`,
    ),
    'an escrow paid out in other funds': transfer(
      `:order, 'order.release', 'escrow', :hold, 'treasury', :poor, :hcredit + 1, 0`,
    ),
    'an escrow that is none': transfer(`-4, 'order.release', 'escrow', 1, 'treasury', :poor, 0, 1`),
    'an escrow that does not exist': transfer(
      `-4, 'order.release', 'escrow', 999999999, 'treasury', :poor, 0, 1`,
    ),
    'release and fee over the sum, in one statement': transfer(
      `:order, 'order.release', 'escrow', :hold, 'treasury', :poor, :hcredit, :hcash),
       (:order, 'order.fee', 'escrow', :hold, 'revenue', 1, 0, 1`,
    ),
    'an escrow paid out in the name of another order': transfer(
      `-6, 'order.release', 'escrow', :hold, 'treasury', :poor, 0, 1`,
    ),
    'an escrow given back in the name of another order': transfer(
      `-6, 'order.refund', 'escrow', :hold, 'treasury', :rich, 0, 1`,
    ),
    "topping up another order's escrow": transfer(
      `-5, 'order.hold', 'treasury', :rich, 'escrow', :hold, 0, 1`,
    ),
    'a charge that overdraws by one micro-dollar': transfer(
      `-20, 'proxy.charge', 'treasury', :poor, 'revenue', 2, 500001, 0`,
    ),
    'the same charge twice': transfer(
      `-20, 'email.charge', 'treasury', :rich, 'revenue', 3, 0, 2000),
       (-20, 'email.charge', 'treasury', :rich, 'revenue', 3, 0, 2000`,
    ),
    'an amount beyond what a number holds': transfer(
      `-8, 'goodwill', 'expense', 1, 'treasury', :poor, 9223372036854775807, 0`,
    ),
    'money from outside that no deposit brings': transfer(
      `-1, 'deposit', 'asset', 1, 'treasury', :rich, 0, 5`,
    ),
    'a deposit of more than was paid': transfer(
      `:deposit, 'deposit', 'asset', 1, 'treasury', :rich, 0, 6`,
    ),
    'a deposit to another tree': transfer(
      `:deposit, 'deposit', 'asset', 1, 'treasury', :poor, 0, 5`,
    ),
    'a deposit by another rail': transfer(
      `:deposit, 'deposit', 'asset', 2, 'treasury', :rich, 0, 5`,
    ),
    'a payment of nobody that no row brings': transfer(
      `:deposit, 'unclaimed.receipt', 'asset', 1, 'unclaimed', 1, 0, 5`,
    ),
    'a restoration of what was not taken': transfer(
      `:deposit, 'deposit.restoration', 'asset', 1, 'treasury', :rich, 0, 5`,
    ),
    'a treasury that does not exist': transfer(
      `-9, 'goodwill', 'expense', 1, 'treasury', 77777, 1, 0`,
    ),
    'a pay-out from an old snapshot': `set transaction isolation level repeatable read;
       ${transfer(`:order, 'order.release', 'escrow', :hold, 'treasury', :poor, :hcredit, 0`)}`,
    'one bad transfer among ten': `insert into ledger.transfer
       (ref, kind, from_account, from_id, to_account, to_id, to_root, credit, cash)
       select -10 - g, 'goodwill', 'expense', 1, 'treasury', t.id, t.id, 1, 0
         from generate_series(1, 10) g
        cross join lateral (select case when g = 7 then 77777 else :rich end as id) t`,
  };

  /** Attacks that only privileges can refuse: the owner has them all. */
  const ATTACKS_OF_THE_APPLICATION: Record<string, string> = {
    'a forged time': `insert into ledger.transfer
        (ref, kind, from_account, from_id, to_account, to_id, to_root, credit, cash, created_at)
        values (:deposit, 'deposit', 'asset', 1, 'treasury', :rich, :rich, 0, 5, '2001-01-01')`,
    'a trigger switched off': 'alter table ledger.transfer disable trigger all',
    'a trigger of its own to reach the balances': `create table reach (a int);
        create function reach() returns trigger language plpgsql as
          'begin update ledger.treasury set cash = 5; return null; end';
        create trigger reach after insert on reach for each row execute function reach();
        insert into reach values (1)`,
    'the replica role, without ordinary triggers': `set local session_replication_role = replica`,
    'the trigger function called by hand': 'select ledger.apply_transfers()',
    'a constraint dropped': 'alter table ledger.treasury drop constraint treasury_not_negative',
    'the function that checks transfers replaced': `create or replace function
        ledger.apply_transfers()
       returns trigger language plpgsql as 'begin return null; end'`,
  };

  itRefuses(() => target, { fromBoth: ATTACKS, fromTheApplication: ATTACKS_OF_THE_APPLICATION });

  it('the same in a session of replication, in which ordinary triggers do not fire', async () => {
    const url = new URL(target.platform.postgres);
    url.pathname = `/${target.platform.name}`;
    const superuser = await databaseOf(url.href, 1).initialize();
    const before = await target.state();
    for (const attack of [
      'update ledger.transfer set cash = 1',
      'delete from ledger.route',
      'update ledger.treasury set cash = cash + 1',
      'delete from ledger.treasury',
      'insert into ledger.treasury (id, cash) values (900001, 5)',
      transfer(`-1, 'gift', 'asset', 1, 'treasury', :rich, 0, 5`),
    ]) {
      const sql = `set local session_replication_role = replica; ${attack}`;
      expect(REFUSALS, attack).to.include(await target.attack(superuser, sql));
    }
    await superuser.destroy();
    expect(await target.state()).to.equal(before);
  });

  it('pays one of two who take all of the same escrow at the same moment', async () => {
    const seller = await target.platform.agent();
    const product = await target.platform.product(seller, { price: 1 });
    const { body } = await target.platform.request('POST /api/v1/orders', {
      key: target.rich.key,
      body: { product_id: product.id },
    });
    const [{ id, cash }] = await target.platform.query(
      `select id, cash from ledger.transfer where kind = 'order.hold' and ref = $1`,
      [body.order_id],
    );
    const payOut = (kind: string, to: number) => () =>
      target.platform
        .query(
          transfer(`${body.order_id}, '${kind}', 'escrow', ${id}, 'treasury', ${to}, 0, ${cash}`),
        )
        .then(
          () => 'paid',
          () => 'refused',
        );
    // Two kinds of transfer: the unique key does not help here, the escrow's own sum must.
    const lock = `select from ledger.treasury where id = ${target.rich.id} for update`;
    const outcomes = await inQueue(target.platform, lock, [
      payOut('order.release', seller.id),
      payOut('order.refund', target.rich.id),
    ]);
    expect(outcomes).to.deep.equal(['paid', 'refused']);
    const { owner } = target;
    // Put right what this test did past the application, so that the audit passes.
    await owner.query('alter table ledger.transfer disable trigger append_only');
    await owner.query('alter table ledger.treasury disable trigger only_by_transfers');
    const [[{ to_id: paid }]] = await owner.query(
      `delete from ledger.transfer where ref = $1 and kind in ('order.release', 'order.refund')
       returning to_id`,
      [body.order_id],
    );
    await owner.query(
      'update ledger.treasury set cash = cash - $2, inflow = inflow - $2 where id = $1',
      [paid, cash],
    );
    await owner.query('update ledger.treasury set escrow_cash = escrow_cash + $2 where id = $1', [
      target.rich.id,
      cash,
    ]);
    await owner.query('delete from card_proceeds where root_id = $1', [seller.id]);
    await owner.query('alter table ledger.transfer enable always trigger append_only');
    await owner.query('alter table ledger.treasury enable always trigger only_by_transfers');
  });
});
