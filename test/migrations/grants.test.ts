import { expect } from 'chai';

import { itRefuses, Target } from '../ledger/target.ts';

/** The application's role may not do what no operation does, whatever SQL reaches it. */
describe('the application may not change what is final:', () => {
  let target: Target;
  before(async () => {
    target = await Target.open();
    const { rich } = target;
    await target.platform.query(
      `insert into charge (call_id, agent_id, root_id, service, units, unit_price, credit, cash,
                           spent_on)
       values (gen_random_uuid(), $1, $1, 'proxy', 1, 1000, 0, 1000, current_date)`,
      [rich.id],
    );
  });
  after(() => target.close());

  itRefuses(() => target, {
    fromBoth: {
      'the answer of a finished job changed': `update job set answer = '{}'
        where operation = 'purchase_product'`,
      'a finished job made pending': `update job set status = 'pending', finished_at = null,
        http_status = null where operation = 'purchase_product'`,
    },
    fromTheApplication: {
      'an event changed': `update event set data = '{}'`,
      'an opening changed': 'update opening set first = false',
      'a charge that costs less': 'update charge set units = 1',
      'a charge of another agent': 'update charge set agent_id = :poor, root_id = :poor',
      'a charge deleted': 'delete from charge',
      'a refund of a charge changed': 'update charge_refund set cash = 1',
      'a refund of a charge deleted': 'delete from charge_refund',
      'an order deleted': 'delete from orders',
      'a dispute deleted': 'delete from dispute',
      'what the chain says changed': 'update x402_transfer set amount = 1',
      'what left our address changed': 'update x402_sent set amount = 1',
      'a version deleted': 'delete from product_version',
      'a unit deleted': 'delete from stock',
      'a secret deleted': 'delete from stock_secret',
      'the count of what was spent deleted': 'delete from spend',
      'a policy deleted': 'delete from policy',
      'what a policy was changed': `update policy_version set daily_spend_limit = null`,
      'what a policy was deleted': 'delete from policy_version',
      'who suspended an agent changed': 'update suspension set set_by = key_id',
      'who suspended an agent deleted': 'delete from suspension',
      'a goodwill credit changed': 'update goodwill set amount = 1',
      'a goodwill credit deleted': 'delete from goodwill',
      'what an operator did changed': `update audit_log set operator = 'nobody'`,
      'what an operator did deleted': 'delete from audit_log',
      'what operators did forgotten': 'truncate audit_log',
      'what an operator did dated back': `insert into audit_log
        (operator, operation, object_kind, input, request_id, created_at)
        values ('ada', 'review_product', 'product', '{}', 'x', '2020-01-01')`,
      'a migration forgotten': 'delete from migrations',
      'the hash of a migration changed': `update migration_hash set hash = ''`,
      'a watermark added': `insert into dispatch_watermark (scan) values ('delayed')`,
    },
  });

  it('but counts what was given back of a charge', async () => {
    const changed = await target.platform.query(
      'update charge set refunded_cash = 0 where id > 0 returning id',
    );
    expect(changed[1]).to.equal(1);
  });
});
