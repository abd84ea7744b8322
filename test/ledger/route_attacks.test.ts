import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { itRefuses, Target, transfer, transferOfTrees } from './target.ts';

/**
 * The routes and owners of money of a kind, straight at the tables: as the application's role,
 * and as the owner.
 */
describe('the routes of the ledger refuse, for the application and the owner', () => {
  let target: Target;

  before(async () => {
    target = await Target.open();
  });
  after(async () => {
    expect(await audit(target.application)).to.deep.equal([]);
    await target.close();
  });

  const ATTACKS: Record<string, string> = {
    'a welcome in cash': transfer(`-1, 'welcome', 'expense', 1, 'treasury', :rich, 0, 5`),
    'goodwill in cash': transfer(`-1, 'goodwill', 'expense', 1, 'treasury', :rich, 0, 5`),
    'a deposit in credit': transfer(`:deposit, 'deposit', 'asset', 1, 'treasury', :rich, 5, 0`),
    'a deposit that nobody made': transfer(`-1, 'deposit', 'revenue', 1, 'treasury', :rich, 0, 5`),
    'treasury to treasury': transfer(
      `-1, 'order.hold', 'treasury', :rich, 'treasury', :poor, 0, 5`,
    ),
    'treasury to revenue as a fee': transfer(
      `-1, 'order.fee', 'treasury', :rich, 'revenue', 1, 0, 5`,
    ),
    'a kind that does not exist': transfer(`-1, 'gift', 'asset', 1, 'treasury', :rich, 0, 5`),
    'a charge for proxies earned with emails': transfer(
      `-20, 'proxy.charge', 'treasury', :rich, 'revenue', 3, 0, 5`,
    ),
    'a charge for emails earned with purchases': transfer(
      `-20, 'email.charge', 'treasury', :rich, 'revenue', 1, 0, 5`,
    ),
    'a charge that another agent earns': transfer(
      `-20, 'proxy.charge', 'treasury', :rich, 'treasury', :poor, 0, 5`,
    ),
    'a charge that an escrow pays': transfer(
      `-20, 'email.charge', 'escrow', :hold, 'revenue', 3, 0, 5`,
    ),
    'a refund of proxies out of purchase fees': transfer(
      `-21, 'proxy.refund', 'revenue', 1, 'treasury', :poor, 0, 5`,
    ),
    'a refund of proxies out of the bank': transfer(
      `-21, 'proxy.refund', 'asset', 2, 'treasury', :poor, 0, 5`,
    ),
    'a refund of proxies out of the treasury of another': transfer(
      `-21, 'proxy.refund', 'treasury', :rich, 'treasury', :poor, 0, 5`,
    ),
    'one kind among ten that does not exist': `insert into ledger.transfer
       (ref, kind, from_account, from_id, to_account, to_id, to_root, credit, cash)
       select -10 - g, case when g = 7 then 'gift' else 'deposit' end, 'asset', 1, 'treasury',
              :rich, :rich, 0, 1 from generate_series(1, 10) g`,
    'a kind that is null': transfer(`-1, null, 'asset', 1, 'treasury', :rich, 0, 5`),
    'a kind spelled in another case': transfer(
      `-1, 'Deposit', 'asset', 1, 'treasury', :rich, 0, 5`,
    ),
    'a route turned round': transfer(`-1, 'welcome', 'treasury', :rich, 'expense', 1, 5, 0`),
    'a fee that proxies earn': transfer(`:order, 'order.fee', 'escrow', :hold, 'revenue', 2, 0, 1`),
    'a release by which the platform earns': transfer(
      `:order, 'order.release', 'escrow', :hold, 'revenue', 1, 0, 1`,
    ),
    'a treasury that is of another tree': transferOfTrees(
      `:deposit, 'deposit', 'asset', 1, null, 'treasury', :rich, :poor, 0, 5`,
    ),
    'a treasury that is of no tree': transferOfTrees(
      `:deposit, 'deposit', 'asset', 1, null, 'treasury', :rich, null, 0, 5`,
    ),
    'a charge that another tree pays': transferOfTrees(
      `-1, 'proxy.charge', 'treasury', :rich, :poor, 'revenue', 2, null, 5, 0`,
    ),
    'an account of the platform that is of a tree': transferOfTrees(
      `:deposit, 'deposit', 'asset', 1, :poor, 'treasury', :rich, :rich, 0, 5`,
    ),
    'an escrow that is of another tree than the one that filled it': transferOfTrees(
      `:order, 'order.refund', 'escrow', :hold, :poor, 'treasury', :rich, :rich, 1, 0`,
    ),
    'an escrow that is of no tree': transferOfTrees(
      `:order, 'order.refund', 'escrow', :hold, null, 'treasury', :rich, :rich, 0, 1`,
    ),
    'an escrow that is filled for another tree': transferOfTrees(
      `-1, 'order.hold', 'treasury', :rich, :rich,
       'escrow', currval('ledger.transfer_id'), :poor, 0, 1`, // By then it is the id of its row.
    ),
    'a route of a kind in use deleted': `delete from ledger.route where kind = 'order.hold'`,
    'a route of a kind in use led elsewhere': `update ledger.route set to_account = 'treasury'
       where kind = 'order.hold'`,
    'a route that allows one sort of funds more': `update ledger.route set allows_credit = true
       where kind = 'deposit'`,
    'a route replaced by conflict': `insert into ledger.route (kind, from_account, to_account)
       values ('welcome', 'expense', 'treasury')
       on conflict (kind, from_account, to_account) do update set allows_cash = true`,
    'the routes emptied': 'truncate ledger.route',
    'a route by which credit leaves the platform': `insert into ledger.route
       (kind, from_account, to_account) values ('gift', 'treasury', 'asset')`,
    'a route for nothing': `insert into ledger.route
       (kind, from_account, to_account, allows_credit, allows_cash)
       values ('gift', 'treasury', 'revenue', false, false)`,
  };

  /** Attacks that only privileges can refuse: the owner has them all. */
  const ATTACKS_OF_THE_APPLICATION: Record<string, string> = {
    'a route of its own': `insert into ledger.route (kind, from_account, to_account)
       values ('gift', 'expense', 'treasury')`,
    'the routes locked': 'lock table ledger.route in share mode',
  };

  itRefuses(() => target, { fromBoth: ATTACKS, fromTheApplication: ATTACKS_OF_THE_APPLICATION });

  it('takes a new kind as soon as its route is inserted', async () => {
    await target.owner.query(
      `insert into ledger.route
         (kind, from_account, to_account, from_id, allows_credit, allows_cash) values
         ('bonus', 'expense', 'treasury', 2, true, false),
         ('reward', 'expense', 'treasury', 2, false, true),
         ('gift', 'treasury', 'treasury', null, true, true)`,
    );
    const gift = (values: string) =>
      target.attack(target.application, transfer(`-30, 'bonus', ${values}`));
    expect(await gift(`'expense', 1, 'treasury', :poor, 5, 0`)).to.equal('23514');
    expect(await gift(`'expense', 2, 'treasury', :poor, 0, 5`)).to.equal('23514');
    expect(await gift(`'expense', 2, 'treasury', :poor, 5, 0`)).to.equal('it succeeded');
    const other = (values: string) => target.attack(target.application, transfer(values));
    const reward = `-31, 'reward', 'expense', 2, 'treasury', :poor`;
    expect(await other(`${reward}, 5, 0`)).to.equal('23514');
    expect(await other(`${reward}, 0, 5`)).to.equal('it succeeded');
    const toItself = `-32, 'gift', 'treasury', :rich, 'treasury', :rich, 0, 5`;
    expect(await other(toItself)).to.equal('23514');
  });
});
