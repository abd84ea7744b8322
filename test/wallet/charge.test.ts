import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { perform } from '../../shared/performing/perform.ts';
import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';
import { chargesOf, codeOf, looks, pays } from './charges.ts';
import { suspend } from '../suspend.ts';
import { makeYesterdays } from './yesterday.ts';

describe('metered charges', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const { callOf, pay, wallet, newest, limit } = chargesOf(() => platform);

  it('take the price of each unit, credit first, and say so in wallet and statement', async () => {
    const agent = await platform.agent({ usd: 1 });
    const first = await pay(agent, { units: 100 });
    expect(await wallet(agent)).to.include({ balance: 1.4, credit: 0.4, daily_spend: 0.1 });
    expect(await newest(agent)).to.deep.include({
      kind: 'proxy.charge',
      amount: -0.1,
      balance_after: 1.4,
      ref: { kind: 'charge', id: String(first) },
      description: `Proxies, charge ${first}`,
    });
    const second = await pay(agent, { service: 'email' });
    expect(await wallet(agent)).to.include({ balance: 1.398, credit: 0.398, daily_spend: 0.102 });
    expect(await newest(agent)).to.deep.include({
      kind: 'email.charge',
      amount: -0.002,
      ref: { kind: 'charge', id: String(second) },
      description: `Email validation, charge ${second}`,
    });
    await pay(agent, { units: 400 });
    expect(await wallet(agent)).to.include({ balance: 0.998, credit: 0, cash: 0.998 });
    const revenue = await platform.query(
      `select to_id::int as of, sum(credit + cash)::int as micros from ledger.transfer
        where to_account = 'revenue' group by to_id order by to_id`,
    );
    expect(revenue).to.deep.equal([
      { of: 2, micros: 500_000 },
      { of: 3, micros: 2_000 },
    ]);
  });

  it('let exactly 50 of 100 simultaneous calls through where the money is for 50', async () => {
    const agent = await platform.agent();
    await pay(agent, { units: 450 });
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, () => pay(agent).then(() => 'paid', codeOf)),
    );
    expect(outcomes.filter((outcome) => outcome === 'paid')).to.have.length(50);
    expect(outcomes.filter((outcome) => outcome === 'insufficient_balance')).to.have.length(50);
    expect(await wallet(agent)).to.include({ balance: 0, daily_spend: 0.5 });
  });

  it('let exactly 50 of 100 through where the limit of an owner is for 50', async () => {
    const owner = await platform.agent();
    const children = await Promise.all([childOf(platform, owner), childOf(platform, owner)]);
    await limit(owner, 'daily_spend_limit', 100_000);
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, n) => {
        const child = children[n % 2]!;
        return pay(child, { service: 'email' }, callOf(child, owner.id)).then(() => 'paid', codeOf);
      }),
    );
    expect(outcomes.filter((outcome) => outcome === 'paid')).to.have.length(50);
    expect(outcomes.filter((outcome) => outcome === 'daily_limit_exceeded')).to.have.length(50);
    expect(await wallet(owner)).to.include({ balance: 0.4, daily_spend: 0.1 });
  });

  it('count to their day alone', async () => {
    const agent = await platform.agent();
    await pay(agent, { units: 300 });
    await makeYesterdays(platform, agent.id);
    await limit(agent, 'daily_spend_limit', 5_000);
    await pay(agent, { units: 5 });
    expect(await wallet(agent)).to.include({ balance: 0.195, daily_spend: 0.005 });
    expect(await pay(agent).catch(codeOf)).to.equal('daily_limit_exceeded');
  });

  it('charge one call once, however often it is repeated', async () => {
    const agent = await platform.agent();
    const call = callOf(agent);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, () => pay(agent, { units: 10 }, call)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
    expect(await wallet(agent)).to.include({ balance: 0.49, daily_spend: 0.01 });
  });

  for (const [code, service, column, value] of [
    ['product_type_not_allowed', 'proxy', 'allowed_product_types', ['api_service']],
    ['product_type_not_allowed', 'email', 'allowed_product_types', ['proxy_service']],
    ['tx_limit_exceeded', 'proxy', 'max_spend_per_tx', 9_999],
    ['daily_limit_exceeded', 'proxy', 'daily_spend_limit', 9_999],
  ] as const) {
    it(`are refused with ${code} for ${service}, with the money as it was`, async () => {
      const owner = await platform.agent();
      const child = await childOf(platform, owner);
      await limit(owner, column, value);
      for (const op of [pays, looks]) {
        const call = callOf(child, owner.id);
        const outcomes = await perform(platform.context, op, { service, units: 10 }, call).catch(
          codeOf,
        );
        expect(outcomes, op.name).to.equal(code);
      }
      expect(await wallet(owner)).to.include({ balance: 0.5, daily_spend: 0 });
    });
  }

  it('are refused for the first reason in the order of the interface', async () => {
    const agent = await platform.agent();
    const ask = () => pay(agent, { units: 501 }).catch(codeOf);
    expect(await ask()).to.equal('insufficient_balance');
    await limit(agent, 'daily_spend_limit', 1);
    expect(await ask()).to.equal('daily_limit_exceeded');
    await limit(agent, 'max_spend_per_tx', 1);
    expect(await ask()).to.equal('tx_limit_exceeded');
    await limit(agent, 'allowed_product_types', ['dataset']);
    expect(await ask()).to.equal('product_type_not_allowed');
    await suspend(platform, agent);
    expect(await ask()).to.equal('agent_suspended');
    expect(await wallet(agent)).to.include({ balance: 0.5, daily_spend: 0 });
  });

  it('are checked before anything costs, and a check takes nothing', async () => {
    const agent = await platform.agent();
    const look = (units: number) =>
      perform(platform.context, looks, { service: 'proxy', units }, callOf(agent)).catch(codeOf);
    expect(await look(500)).to.deep.equal({ status: 200, body: { id: 0 } });
    expect(await look(501)).to.equal('insufficient_balance');
    expect(await wallet(agent)).to.include({ balance: 0.5, daily_spend: 0 });
  });
});
