import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';
import { eventsOf, runTimer } from '../orders/trade.ts';
import { newAddress, openChain, untilClosed, withdraw, type Chain } from './chain.ts';

describe('withdraw', () => {
  let chain: Chain;
  let platform: TestPlatform;

  before(async () => {
    chain = await openChain();
    platform = await TestPlatform.open({ env: chain.env });
  });
  after(async () => {
    await platform.close();
    await chain.evm.close();
  });

  it('pays cash out as USDC, once, and says by which transaction', async () => {
    const agent = await platform.agent({ usd: 10 });
    const address = newAddress();
    const { status, body } = await withdraw(platform, agent, { amount: 7.25, address });
    expect([status, body.status, body.amount, body.network], JSON.stringify(body)).to.deep.equal([
      200,
      'requested',
      7.25,
      'sandbox',
    ]);
    const closed = await untilClosed(platform, chain, body.withdrawal_id);
    expect(closed.status).to.equal('paid');
    expect(await chain.evm.balanceOf(address)).to.equal(7_250_000n);
    expect(await platform.balance(agent)).to.equal(3.25);
    await runTimer(platform, 'compare_payouts');
    expect(await audit(platform.context.database)).to.deep.equal([]);
    expect(
      (await eventsOf(platform, agent)).filter((type) => type.startsWith('withdr')),
    ).to.deep.equal(['withdrawal.requested', 'withdrawal.processing', 'withdrawal.paid']);
  });
});
