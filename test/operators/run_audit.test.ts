import { expect } from 'chai';

import { OPERATOR_TOKEN } from '../access/scene.ts';
import { asOwner } from '../as_owner.ts';
import { TestPlatform } from '../harness.ts';
import { buy, meet } from '../orders/trade.ts';
import { patience } from '../platform/pace.ts';

describe('run_audit', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(() => platform.close());

  const run = () => platform.request('POST /api/v1/admin/audit', { key: OPERATOR_TOKEN });

  it('says that the books are right, and how much it looked at', async () => {
    const { buyer, product } = await meet(platform);
    await buy(platform, buyer, product);
    const { status, body } = await run();
    expect(status).to.equal(200);
    expect(body).to.deep.include({ holds: true, orders: 1, differences: [], server: 'primary' });
    expect(body.proofs).to.be.above(20);
    expect(body.transfers).to.be.above(2);
    expect(Math.abs(Date.now() - Date.parse(body.at))).to.be.below(patience(60_000));
  });

  it('lists what is not right, with the proof that finds it', async () => {
    await asOwner(platform, `insert into goodwill_day values ('2026-01-01', 7)`);
    const { body } = await run();
    expect(body.holds).to.equal(false);
    expect(body.differences).to.deep.equal([
      {
        proof: 'the goodwill of each day is what was counted for its limit',
        row: { day: null, amount: null, granted: 7 },
      },
    ]);
    const log = 'select operator, error from audit_log where operation = $1';
    const done = { operator: 'operator', error: null };
    expect(await platform.query(log, ['run_audit'])).to.deep.equal([done, done]);
  });
});
