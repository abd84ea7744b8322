import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';
import { untilWaiting } from '../in_queue.ts';
import { chargesOf, codeOf } from './charges.ts';
import { asOwner } from '../as_owner.ts';
import { makeYesterdays } from './yesterday.ts';

describe('charges that are given back', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const { pay, refund, wallet, newest } = chargesOf(() => platform);

  it('return in the funds they came from, cash first, and free the limits of the day', async () => {
    const agent = await platform.agent({ usd: 1 });
    await pay(agent, { units: 498 });
    const mixed = await pay(agent, { units: 5 }); // $0.002 of credit, $0.003 of cash.
    expect(await wallet(agent)).to.include({ credit: 0, cash: 0.997, daily_spend: 0.503 });
    expect(await refund(mixed, 'unit:1', 1_000n)).to.equal(1_000n);
    expect(await wallet(agent)).to.include({ credit: 0, cash: 0.998, daily_spend: 0.502 });
    const { ref, ...line } = await newest(agent);
    expect(line).to.include({ kind: 'proxy.refund', amount: 0.001, balance_after: 0.998 });
    expect(ref.kind).to.equal('charge_refund');
    expect(await refund(mixed, 'unit:2', 3_000n)).to.equal(3_000n);
    expect(await wallet(agent)).to.include({ credit: 0.001, cash: 1, daily_spend: 0.499 });
  });

  it('return once for one cause, and never more than was taken', async () => {
    const agent = await platform.agent();
    const id = await pay(agent, { units: 3 });
    const same = Array.from({ length: 5 }, () => refund(id, 'unit:7', 1_000n));
    expect((await Promise.all(same)).filter((back) => back > 0n)).to.deep.equal([1_000n]);
    const others = Array.from({ length: 5 }, (_, n) => refund(id, `unit:1${n}`, 1_000n));
    expect((await Promise.all(others)).filter((back) => back > 0n)).to.have.length(2);
    expect(await wallet(agent)).to.include({ balance: 0.5, daily_spend: 0 });
  });

  it('leave the limits of another day alone', async () => {
    const agent = await platform.agent();
    const id = await pay(agent, { units: 10 });
    await makeYesterdays(platform, agent.id);
    await pay(agent, { units: 20 });
    expect(await refund(id, 'unit:1', 10_000n)).to.equal(10_000n);
    expect(await wallet(agent)).to.include({ balance: 0.48, daily_spend: 0.02 });
  });

  it('lock the tree that paid before anything else', async () => {
    const agent = await platform.agent();
    const id = await pay(agent, { units: 3 });
    let back: Promise<bigint> | undefined;
    const lock = `select from ledger.treasury where id = ${agent.id} for update`;
    await asOwner(platform, `begin; ${lock}`, async () => {
      back = refund(id, 'unit:1', 1_000n);
      await untilWaiting(platform, 1);
      // Nothing else is locked: this fails at once if the charge is.
      await platform.query('select from charge where id = $1 for update nowait', [id]);
    });
    expect(await back).to.equal(1_000n);
  });

  it('cannot exceed what was taken, whoever writes the row', async () => {
    const agent = await platform.agent({ usd: 1 });
    await pay(agent, { units: 499 });
    const id = await pay(agent, { units: 2 }); // $0.001 of each sort of funds.
    for (const change of ['refunded_credit = 1001', 'refunded_cash = 1001', 'refunded_cash = -1']) {
      const outcomes = await platform
        .query(`update charge set ${change} where id = $1`, [id])
        .catch(codeOf);
      expect(outcomes, change).to.equal('23514');
    }
  });

  it('are not those for email, unless the answer is in doubt', async () => {
    const id = await pay(await platform.agent(), { service: 'email' });
    const failed = await refund(id, 'a', 1n).catch((error: Error) => error.message);
    expect(failed).to.include('given back if in doubt');
  });
});
