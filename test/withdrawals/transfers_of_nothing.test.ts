import { Interface } from 'ethers';
import { expect } from 'chai';

import { FINAL_AFTER } from '../../sandbox/evm/anvil.ts';
import { newAddress } from './chain.ts';
import { openRounds, type Rounds } from './rounds.ts';

const TOKEN = new Interface(['function transferFrom(address from, address to, uint256 value)']);

describe('transfers of nothing that others make from the wallet that pays', () => {
  let rounds: Rounds;
  before(async () => {
    rounds = await openRounds();
  });
  after(() => rounds.close());

  it('are no payments of it, and hold up none', async () => {
    const { chain, platform } = rounds;
    const paid = await rounds.signed();
    const [other] = (await chain.evm.send('eth_accounts')) as string[];
    // To an address that looks like that of the last payment, so that somebody copies it.
    const values = [chain.wallet.address, newAddress(), 0];
    const data = TOKEN.encodeFunctionData('transferFrom', values);
    const poison = [{ from: other, to: chain.evm.usdc, data }];
    await chain.evm.send('eth_sendTransaction', poison);
    await rounds.expectPaidOnce(paid);
    await chain.evm.send('eth_sendTransaction', poison);
    await chain.evm.mine(FINAL_AFTER);
    await rounds.compare();
    const recorded = await platform.query('select address, amount::int from chain_payment');
    expect(recorded).to.deep.equal([{ address: paid.address, amount: 1_000_000 }]);
    await rounds.expectPaidOnce(await rounds.signed());
  });
});
