import { expect } from 'chai';

import { openEvmDeposits } from '../../../workers/gateways/evm/deposits.ts';
import { openFaultyRpc, type FaultyRpc } from '../../withdrawals/faulty_rpc.ts';
import { faultOf } from '../../withdrawals/rounds.ts';
import { newAddress, openPaying, type Paying } from './payer.ts';

const REFERENCE = `0x${'0'.repeat(31)}7${'5a'.repeat(16)}`;

describe('a search of final blocks', () => {
  let paying: Paying;
  let one: FaultyRpc;
  let other: FaultyRpc;
  const open = () => openEvmDeposits(paying.network([one.url, other.url]));

  before(async () => {
    paying = await openPaying();
    [one, other] = await Promise.all([
      openFaultyRpc(paying.evm.url),
      openFaultyRpc(paying.evm.url),
    ]);
  });
  afterEach(() => [one, other].forEach((rpc) => rpc.honest()));
  after(async () => {
    [one, other].forEach((rpc) => rpc.close());
    await paying.close();
  });

  it('finds what was paid to these recipients in any way, as reading each says', async () => {
    const mine = newAddress();
    const { number: before } = await open().finalPosition();
    await paying.evm.mine(12); // Blocks are read whole in more than one request.
    const paid = [
      await paying.coin(paying.recipient, 5n),
      await paying.usdc(mine, 6n),
      await paying.byRouter(REFERENCE, { wei: 7n }),
      await paying.byRouter(REFERENCE, { usdc: 8n }),
    ];
    await paying.usdc(newAddress(), 9n);
    await paying.forged(paying.recipient, 10n);
    await paying.coin(paying.recipient, 11n);
    await paying.evm.dropBlock();
    await paying.finalize();

    const chain = open();
    const { number: last } = await chain.finalPosition();
    const recipients = new Set([paying.recipient, mine]);
    const found = await chain.scan(before, last, recipients);
    expect(found.map(({ txId }) => txId)).to.deep.equal(paid);
    expect(found.map(({ amount }) => amount)).to.deep.equal([5n, 6n, 7n, 8n]);
    for (const transfer of found) {
      const read = await chain.read(transfer.txId);
      expect('transfers' in read && read.transfers).to.deep.include(transfer);
    }
    // The same when there are more addresses than a provider is asked for by name.
    const many = new Set([...recipients, ...Array.from({ length: 200 }, (_, at) => `0x${at}`)]);
    expect(await chain.scan(before, last, many)).to.deep.equal(found);
    const { position } = found[1]!;
    expect(await chain.scan(position, position, recipients)).to.deep.equal([found[1]]);
  });

  it('is not made of blocks that are not final, nor of too many', async () => {
    const chain = open();
    const { number } = await chain.finalPosition();
    const recipients = new Set([paying.recipient]);
    expect(await faultOf(chain.scan(number, number + 1, recipients))).to.contain('is behind');
    expect(await faultOf(chain.scan(0, chain.stretchMax, recipients))).to.contain('at most');
  });

  it('fails when two providers do not agree, and when one has lost a block', async () => {
    const { number } = await open().finalPosition();
    await paying.coin(paying.recipient, 12n);
    const paid = await paying.usdc(paying.recipient, 13n);
    await paying.finalize();
    const last = (await open().finalPosition()).number;
    const scan = () => open().scan(number + 1, last, new Set([paying.recipient]));
    expect((await scan()).map(({ amount }) => amount)).to.deep.equal([12n, 13n]);
    one.on('eth_getLogs', async () => []);
    expect(await faultOf(scan())).to.contain('the providers do not agree');
    one.honest();
    one.on('eth_getBlockByNumber', async ([, isWhole], forward) => (isWhole ? null : forward()));
    expect(await faultOf(scan())).to.contain('does not have a block that is final');
    one.honest();
    one.on('eth_getTransactionReceipt', async ([hash], forward) => {
      const receipt = (await forward()) as object;
      return hash === paid ? { ...receipt, blockHash: `0x${'1'.repeat(64)}` } : receipt;
    });
    expect(await faultOf(scan())).to.contain('in another block');
  });

  it('reads no block whole where that is turned off, and finds what the router was paid', async () => {
    const network = { ...paying.network([one.url]), readsBlocks: false };
    const chain = openEvmDeposits(network);
    const { number } = await chain.finalPosition();
    const whole: unknown[] = [];
    one.on('eth_getBlockByNumber', async ([block, isWhole], forward) => {
      if (isWhole) whole.push(block);
      return forward();
    });
    await paying.coin(paying.recipient, 21n);
    const paid = await paying.byRouter(REFERENCE, { wei: 22n });
    await paying.finalize();
    const last = (await chain.finalPosition()).number;
    const found = await chain.scan(number + 1, last, new Set([paying.recipient]));
    expect(found.map(({ txId }) => txId)).to.deep.equal([paid]);
    expect(whole).to.deep.equal([]);
  });

  it('goes no further than the provider that is behind', async () => {
    const { number } = await open().finalPosition();
    await paying.evm.mine(3);
    one.on('eth_getBlockByNumber', async ([block, isWhole], forward) =>
      block === 'finalized'
        ? paying.evm.send('eth_getBlockByNumber', [`0x${number.toString(16)}`, isWhole])
        : forward(),
    );
    expect((await open().finalPosition()).number).to.equal(number);
  });
});
