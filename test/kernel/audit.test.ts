import { expect } from 'chai';
import type { DataSource } from 'typeorm';

import { databaseOf } from '../../shared/platform/database.ts';
import { audit, PROOFS } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';

/** By the name of each proof, what makes it untrue. */
const SABOTAGES: Readonly<Record<string, string>> = {
  'the trial balance is zero in each sort of funds': `create or replace view ledger.balance_change as
       select id as transfer_id, kind, ref, created_at, to_account as account, to_id as account_id,
              'cash'::text as funds, cash as amount
         from ledger.transfer`,
  'each treasury holds what its transfers say':
    'update ledger.treasury set cash = cash + 1 where id = :buyer',
  'each treasury counts what the escrows hold that it filled':
    'update ledger.treasury set escrow_cash = escrow_cash - 1 where id = :buyer',
  'no escrow has paid out more than it held': `insert into ledger.transfer
       (ref, kind, from_account, from_id, from_root, to_account, to_id, to_root, credit, cash)
       values (-1, 'order.release', 'escrow', :escrow, :buyer, 'treasury', :seller, :seller,
               0, 99000000)`,
  'each open order is held for in full, and each closed one paid out in full': `update orders set status = 'completed', closed_at = now() where id = :order`,
  'each closed order paid its seller, the platform and its buyer what its status says': `update orders set status = 'completed', closed_at = now() where id = :order`,
  'each order was paid by the tree of its buyer': `update ledger.transfer set from_id = :seller, from_root = :seller, to_root = :seller
       where id = :escrow`,
  'each order has its buyer, and is of a product of its seller':
    'update orders set buyer_root = :seller where id = :order',
  'each job and each event names the tree of its agent':
    'update event set root_id = :seller where agent_id = :buyer',
  'no escrow is held for an order that does not exist':
    'update ledger.transfer set ref = 999999 where id = :escrow',
  'each order of single units has as many as it paid for': `update stock set order_id = null, status = 'available' where order_id = :order`,
  'each counted product has sold what it has no more': `update product set stock_kind = 'counted',
       quantity = 1, listed = 5 where id = (select product_id from orders where id = :order)`,
  'each finished purchase has its order, each order a finished purchase': `update orders set job_id = gen_random_uuid() where id = :order`,
  'each charge was paid once, in full, by the tree of its agent': `insert into charge
       (call_id, agent_id, root_id, service, units, unit_price, credit, cash, spent_on)
       values (gen_random_uuid(), :buyer, :buyer, 'email', 1, 2000, 2000, 0, current_date)`,
  'each email validation was charged what it says, and nothing else was charged for one': `insert into charge
       (call_id, agent_id, root_id, service, units, unit_price, credit, cash, spent_on)
       select id, :buyer, :buyer, 'email', 1, 2000, 2000, 0, current_date from job
        where operation = 'purchase_product'`,
  'each refund of a charge was paid once, to the tree that had paid': `insert into ledger.transfer
       (ref, kind, from_account, from_id, to_account, to_id, to_root, credit, cash)
       values (-1, 'proxy.refund', 'revenue', 2, 'treasury', :buyer, :buyer, 0, 1000)`,
  'each charge says what was given back of it': `insert into charge
       (call_id, agent_id, root_id, service, units, unit_price, credit, cash, refunded_cash,
        spent_on)
       values (gen_random_uuid(), :buyer, :buyer, 'proxy', 2, 1000, 0, 2000, 1, current_date)`,
  'each sale of proxies was charged to its agent, for as many as were sold': `with c as (
       insert into charge (call_id, agent_id, root_id, service, units, unit_price, credit, cash,
                           spent_on)
       values (gen_random_uuid(), :buyer, :buyer, 'proxy', 2, 1000, 2000, 0, current_date)
       returning id)
       insert into proxy_sale (charge_id, agent_id, proxy_ids) select id, :buyer, '{1}' from c`,
  'each proxy that was reported has given back what its report says': `with c as (
       insert into charge (call_id, agent_id, root_id, service, units, unit_price, credit, cash,
                           spent_on)
       values (gen_random_uuid(), :buyer, :buyer, 'proxy', 1, 1000, 1000, 0, current_date)
       returning id)
       insert into charge_refund (charge_id, cause, credit, cash)
       select id, 'proxy:7', 1000, 0 from c`,
  'each root agent has its treasury, with the welcome credit given once at most':
    'delete from ledger.treasury where id = :buyer',
  'the welcome credit of each day is what was counted for its limit':
    'update welcome_credit set granted = granted - 500000',
  'what an agent spent today is what its tree below it paid':
    'update spend set amount = amount - 1 where agent_id = :buyer',
};

/** Only someone who owns the tables and switches their triggers off can make these differences. */
describe('the audit', () => {
  let platform: TestPlatform;
  let owner: DataSource;
  let order: { id: number; buyer: number; seller: number; escrow: string };

  beforeEach(async () => {
    platform = await TestPlatform.open();
    owner = await databaseOf(platform.config.migrationDatabaseUrl, 1).initialize();
    const seller = await platform.agent();
    const buyer = await platform.agent({ usd: 5 });
    const product = await platform.product(seller);
    const { body } = await platform.request('POST /api/v1/orders', {
      key: buyer.key,
      body: { product_id: product.id },
    });
    const [{ escrow_id: escrow }] = await platform.query('select escrow_id from orders');
    order = { id: body.order_id, buyer: buyer.id, seller: seller.id, escrow };
    await owner.query('alter table ledger.transfer disable trigger user');
    await owner.query('alter table ledger.treasury disable trigger user');
    await owner.query('alter table orders disable trigger user');
  });
  afterEach(async () => {
    await owner.destroy();
    await platform.close();
  });

  it('has a sabotage here for every proof, and for nothing else', () => {
    expect(Object.keys(SABOTAGES)).to.have.members(PROOFS.map(({ name }) => name));
  });

  it('finds nothing when all is right', async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
  });

  for (const [name, sql] of Object.entries(SABOTAGES)) {
    it(`finds out when it is not true that ${name}`, async () => {
      await owner.query(
        sql
          .replaceAll(':buyer', String(order.buyer))
          .replaceAll(':seller', String(order.seller))
          .replaceAll(':order', String(order.id))
          .replaceAll(':escrow', order.escrow),
      );
      const differences = await audit(platform.context.database);
      expect(differences.map(({ proof }) => proof)).to.include(name);
    });
  }

  it('finds out when cash left an escrow before credit', async () => {
    // The buyer paid $0.50 in credit and $0.60 in cash.
    await owner.query(
      `insert into ledger.transfer
         (ref, kind, from_account, from_id, from_root, to_account, to_id, to_root, credit, cash)
       values ($1, 'order.release', 'escrow', $2, $4, 'treasury', $3, $3, 400000, 600000),
              ($1, 'order.fee', 'escrow', $2, $4, 'revenue', 1, null, 100000, 0)`,
      [order.id, order.escrow, order.seller, order.buyer],
    );
    await owner.query(
      `update ledger.treasury set credit = credit + 400000, cash = cash + 600000 where id = $1`,
      [order.seller],
    );
    await owner.query(
      `update ledger.treasury set escrow_credit = 0, escrow_cash = 0 where id = $1`,
      [order.buyer],
    );
    await owner.query(`update orders set status = 'completed', closed_at = now() where id = $1`, [
      order.id,
    ]);
    const differences = await audit(platform.context.database);
    expect(differences.map(({ proof }) => proof)).to.deep.equal([
      'each closed order paid its seller, the platform and its buyer what its status says',
    ]);
  });
});
