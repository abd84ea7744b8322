import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { itRefuses, Target } from '../ledger/target.ts';

/** A second order like the first, with these fields changed. */
const orderWith = (fields: Record<string, string>) => `
  insert into orders
  select (jsonb_populate_record(o, jsonb_build_object(
           'id', 900001, 'escrow_id', 900001, 'job_id', gen_random_uuid()
           ${Object.entries(fields)
             .map(([name, value]) => `, '${name}', ${value}`)
             .join('')}))).*
    from orders o where id = :order`;

/**
 * Orders refer to agents and products without foreign keys: this is what stands in for those. And
 * what rows of orders, products, charges and jobs say stays true, past the application too.
 */
describe('orders, products, charges and jobs are kept right, from the application and the owner:', () => {
  let target: Target;

  before(async () => {
    target = await Target.open();
  });
  after(async () => {
    expect(await audit(target.application)).to.deep.equal([]);
    await target.close();
  });

  const ATTACKS: Record<string, string> = {
    'an order of a buyer that does not exist': orderWith({ buyer_id: '77777' }),
    'an order of a buyer of another tree': orderWith({ buyer_root: ':poor' }),
    'an order without a tree': orderWith({ buyer_root: 'null' }),
    'an order of a product that does not exist': orderWith({ product_id: '77777' }),
    'an order sold by an agent that does not sell it': orderWith({ seller_id: ':rich' }),
    'an order sold by another tree': orderWith({ seller_root: ':rich' }),
    'an order that changes its buyer':
      'update orders set buyer_id = :poor, buyer_root = :poor where id = :order',
    'an order that changes its seller': 'update orders set seller_id = :rich where id = :order',
    'an order that changes its product': 'update orders set product_id = 77777',
    'an agent deleted': 'delete from agent where id = :rich',
    'an agent with another id': 'update agent set id = 900002 where id = :rich',
    'an agent in another tree': 'update agent set root_id = :poor where id = :rich',
    'all agents deleted': 'truncate agent cascade',
    'a product deleted': 'delete from product',
    'a product of another tree': 'update product set root_id = :rich',
    'a product of another seller': 'update product set seller_id = :rich, root_id = :rich',
    'all products deleted': 'truncate product cascade',
    'an order deleted that units were sold to': 'delete from orders where id = :order',
    'an order with another id': 'update orders set id = 900003 where id = :order',
    'all orders deleted': 'truncate orders cascade',
    'a unit listed as sold to an order that does not exist': `
      insert into stock (product_id, seller_id, root_id, status, order_id)
      select product_id, seller_id, root_id, 'sold', 77777 from stock limit 1`,
    'a unit sold to an order that does not exist': 'update stock set order_id = 77777',
    'a unit reserved for an order that nobody asked for': `
      insert into stock (product_id, seller_id, root_id, status, reserved_for)
      select product_id, seller_id, root_id, 'reserved', 77777 from stock limit 1`,
  };
  /** Rows must add up, whoever writes them. */
  const ATTACKS_ON_ROWS: Record<string, string> = {
    'an order of a call that made one': orderWith({ job_id: 'o.job_id' }),
    'an order that shares the escrow of another': orderWith({ escrow_id: 'o.escrow_id' }),
    'an order without a fee': 'update orders set fee = 0, cash = cash - fee where id = :order',
    'an order that is paid in part': 'update orders set cash = cash - 1 where id = :order',
    'an order paid with less than nothing':
      'update orders set credit = credit + cash + 1, cash = -1 where id = :order',
    'an order with a unit more for the same price':
      'update orders set quantity = quantity + 1 where id = :order',
    'an order that is completed and open': `update orders set status = 'completed'
       where id = :order`,
    'an order that is closed and in escrow':
      'update orders set closed_at = now() where id = :order',
    'a refund of another amount than was paid': `update orders
       set status = 'refunded', closed_at = now(), refunded = subtotal where id = :order`,
    'a refund in part of all': `update orders set status = 'partially_refunded',
       closed_at = now(), refunded = subtotal + fee where id = :order`,
    'a refund of a completed order': `update orders set status = 'completed', closed_at = now(),
       refunded = 1 where id = :order`,
    'an order in a status that there is not': `update orders set status = 'paid' where id = :order`,
    'a product with less than nothing left': `update product set stock_kind = 'counted', quantity = -1 where seller_id = :rich`,
    'a charge of another sum than its units cost': `insert into charge
       (call_id, agent_id, root_id, service, units, unit_price, credit, cash, spent_on)
       values (gen_random_uuid(), :rich, :rich, 'proxy', 2, 1000, 0, 1000, current_date)`,
    'a unit that is sold to nobody': 'update stock set order_id = null',
    'a unit of an order that can be sold': `update stock set status = 'available'`,
    'an answer that was given changed': `update job set answer = '{}' where status = 'complete'`,
    'a finished job to be performed again': `update job
       set status = 'pending', http_status = null, finished_at = null where status = 'complete'`,
    'a finished job of another agent': `update job set agent_id = :poor where status = 'complete'`,
    'a job that is finished at no time': `insert into job
       (id, operation, agent_id, root_id, input, input_hash, request_id, status, http_status)
       values (gen_random_uuid(), 'x', 0, 0, '{}', '', '', 'complete', 200)`,
    'two calls with one key': `insert into job
       (id, operation, agent_id, root_id, input, input_hash, request_id, key)
       select gen_random_uuid(), 'x', :rich, :rich, '{}', '', '', 'k' from generate_series(1, 2)`,
  };
  itRefuses(() => target, {
    fromBoth: { ...ATTACKS, ...ATTACKS_ON_ROWS },
    fromTheApplication: {},
  });

  it('and an order like the first is accepted', async () => {
    const [{ count }] = await target.owner.query('select count(*)::int as count from orders');
    const runner = target.owner.createQueryRunner();
    await runner.query('begin');
    const [{ id: order }] = await runner.query('select id from orders');
    await runner.query(orderWith({}).replaceAll(':order', order));
    const [after] = await runner.query('select count(*)::int as count from orders');
    await runner.query('rollback');
    await runner.release();
    expect(after.count).to.equal(count + 1);
  });
});
