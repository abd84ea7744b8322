import { expect } from 'chai';

import { openEvmDeposits } from '../../../workers/gateways/evm/deposits.ts';
import { openFaultyRpc, type FaultyRpc } from '../../withdrawals/faulty_rpc.ts';
import { faultOf } from '../../withdrawals/rounds.ts';
import { newAddress, openPaying, type Paying } from '../evm/payer.ts';

describe('a provider that does not know which blocks are final', () => {
  let paying: Paying;
  let all: readonly FaultyRpc[];
  before(async () => {
    paying = await openPaying();
    const { url } = paying.evm;
    all = await Promise.all([openFaultyRpc(url), openFaultyRpc(url), openFaultyRpc(url)]);
  });
  beforeEach(() => {
    all.forEach((one) => one.honest());
    all[0]!.on('eth_getBlockByNumber', async ([block], forward) =>
      block === 'finalized' ? new Error('invalid block tag') : forward(),
    );
  });
  after(async () => {
    all.forEach((one) => one.close());
    await paying.close();
  });

  const open = (some: readonly FaultyRpc[]) =>
    openEvmDeposits(paying.network(some.map(({ url }) => url)));

  it('is left out where two others say the same, and they are believed', async () => {
    const to = newAddress();
    const hash = await paying.coin(to, 5n);
    await paying.finalize();
    const chain = open(all);
    const { number } = await chain.finalPosition();
    const found = await chain.scan(Math.max(0, number - 20), number, new Set([to]));
    expect(found.map(({ txId }) => txId)).to.deep.equal([hash]);
    expect((await chain.read(hash)).status).to.equal('final');
    expect(await chain.balances!.held(number, 'ETH', [to])).to.deep.equal([5n]);
    all[1]!.on('eth_getBalance', async () => '0x1');
    expect(await faultOf(chain.balances!.held(number, 'ETH', [to]))).to.contain('do not agree');
  });

  it('is asked again where it has no final block for now', async () => {
    all[0]!.on('eth_getBlockByNumber', async ([block], forward) =>
      block === 'finalized' ? new Error('finalized block not found') : forward(),
    );
    const chain = open(all);
    const { number } = await chain.finalPosition();
    all[1]!.on('eth_getBlockByNumber', () => 'break');
    expect(await faultOf(chain.finalPosition())).to.contain('have to agree');
    all[0]!.honest();
    all[1]!.honest();
    all[2]!.on('eth_getBlockByNumber', async (_, forward) => ({
      ...((await forward()) as object),
      number: '0x1',
    }));
    // All three are asked: the lowest of them counts.
    expect(number).to.be.above(1);
    expect((await chain.finalPosition()).number).to.equal(1);
  });

  it('is no excuse for one that does not answer', async () => {
    all[0]!.honest();
    all[0]!.on('eth_getBlockByNumber', () => 'break');
    const fault = await faultOf(open(all).finalPosition());
    expect(fault).to.contain('3 providers have to agree');
  });

  it('leaves nobody alone to be believed, and is named', async () => {
    const fault = await faultOf(open(all.slice(0, 2)).finalPosition());
    expect(fault).to.contain('2 providers have to agree');
    expect(fault).to.contain('does not know the block tag finalized, so it is left out');
  });
});
