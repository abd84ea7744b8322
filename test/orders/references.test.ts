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

/** Orders refer to agents and products without foreign keys: this is what stands in for those. */
describe('the references of orders are kept, by the application and the owner:', () => {
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
    'a unit sold to an order that does not exist': 'update stock set order_id = 77777',
  };
  itRefuses(() => target, { fromBoth: ATTACKS, fromTheApplication: {} });

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
