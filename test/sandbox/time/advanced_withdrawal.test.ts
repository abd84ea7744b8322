import { expect } from 'chai';

import { audit } from '../../../shared/composition/audit.ts';
import type { TestPlatform } from '../../harness.ts';
import { runTimer } from '../../orders/trade.ts';
import { done } from '../../tasks/board.ts';
import {
  newAddress,
  openChain,
  rowOf,
  untilClosed,
  withdraw,
  type Chain,
} from '../../withdrawals/chain.ts';
import { openSandbox } from './open_sandbox.ts';

describe('sandbox_advance of a withdrawal', () => {
  let chain: Chain;
  let platform: TestPlatform;
  before(async () => {
    chain = await openChain();
    platform = await openSandbox({ env: { ...chain.env, WITHDRAWAL_HOLD_HOURS: '24' } });
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
    await chain.evm.close();
  });

  it('lets the hours of a new address pass, and it is paid', async () => {
    const agent = await platform.agent({ usd: 10 });
    const address = newAddress();
    const { withdrawal_id } = done(await withdraw(platform, agent, { amount: 5, address }));
    await runTimer(platform, 'pay_withdrawals');
    expect(await rowOf(platform, withdrawal_id)).to.include({ status: 'requested', nonce: null });
    const body = { kind: 'withdrawal', object_id: withdrawal_id, hours: 24 };
    const call = { key: agent.key, body };
    const { happened } = done(await platform.request('POST /api/v1/sandbox/advance', call));
    expect(happened.map(({ deadline }: { deadline: string }) => deadline)).to.deep.equal([
      'not_before',
    ]);
    expect(await untilClosed(platform, chain, withdrawal_id)).to.include({ status: 'paid' });
    expect(await chain.evm.balanceOf(address)).to.equal(5_000_000n);
  });
});
