import { expect } from 'chai';

import type {
  ChainTransaction,
  ChainTransfer,
} from '../../../shared/domains/deposits/chain/deposit_chain.ts';
import { openEvmDeposits } from '../../../workers/gateways/evm/deposits.ts';
import { eventually } from '../../harness.ts';
import { openFaultyRpc, type FaultyRpc } from '../../withdrawals/faulty_rpc.ts';
import { faultOf } from '../../withdrawals/rounds.ts';
import { newAddress, openPaying, TOKEN, type Paying } from './payer.ts';
import { patience } from '../../platform/pace.ts';

const TRANSACTION = 'eth_getTransactionByHash';
const RECEIPT = 'eth_getTransactionReceipt';
const BLOCK = 'eth_getBlockByNumber';
const REFERENCE = `0x${'0'.repeat(31)}7${'5a'.repeat(16)}`;

const transfersOf = (found: ChainTransaction): readonly ChainTransfer[] =>
  'transfers' in found ? found.transfers : [];

describe('what a network of the EVM says of a payment', () => {
  let paying: Paying;
  let one: FaultyRpc;
  let two: FaultyRpc;
  const open = (quorum = 2) => openEvmDeposits(paying.network([one.url, two.url], quorum));
  const read = (txId: string) => open().read(txId);
  /** Once its block is final. */
  const readFinal = async (paid: Promise<string>) => {
    const txId = await paid;
    // The node tells the hash of a transaction before the block that has it.
    await eventually(
      () => paying.evm.send(RECEIPT, [txId]),
      (receipt) => receipt !== null,
    );
    await paying.finalize();
    return read(txId);
  };

  before(async () => {
    paying = await openPaying();
    [one, two] = await Promise.all([openFaultyRpc(paying.evm.url), openFaultyRpc(paying.evm.url)]);
  });
  afterEach(() => [one, two].forEach((rpc) => rpc.honest()));
  after(async () => {
    [one, two].forEach((rpc) => rpc.close());
    await paying.close();
  });

  it('is who paid whom how much, final when its block is', async () => {
    const txId = await paying.coin(paying.recipient, 10n ** 15n);
    const early = await read(txId);
    expect(early.status).to.equal('unfinal');
    await paying.finalize();
    const late = await read(txId);
    expect(late.status).to.equal('final');
    expect(transfersOf(early)).to.deep.equal(transfersOf(late));
    const [{ position, at, ...transfer }] = transfersOf(late) as [ChainTransfer];
    expect(transfer).to.deep.equal({
      txId,
      index: 0,
      asset: 'ETH',
      amount: 10n ** 15n,
      from: paying.payer,
      to: paying.recipient,
    });
    expect(position).to.be.greaterThan(0);
    expect(at.getTime()).to.be.within(Date.now() - patience(60_000), Date.now() + 60_000);

    const [usdc] = transfersOf(await readFinal(paying.usdc(paying.recipient, 2_500_000n)));
    expect(usdc).to.include({ index: 1, asset: 'USDC', amount: 2_500_000n, from: paying.payer });
  });

  it('has the reference that was given to the router, once a payment', async () => {
    const coin = transfersOf(await readFinal(paying.byRouter(REFERENCE, { wei: 5n })));
    expect(coin).to.have.length(1);
    expect(coin[0]).to.include({ asset: 'ETH', amount: 5n, reference: REFERENCE });
    expect(coin[0]).to.include({ from: paying.payer, to: paying.recipient });
    const usdc = transfersOf(await readFinal(paying.byRouter(REFERENCE, { usdc: 7n })));
    expect(usdc).to.have.length(1);
    expect(usdc[0]).to.include({ asset: 'USDC', amount: 7n, reference: REFERENCE });
  });

  it('is nothing for a log of another contract, or a coin that a contract has paid', async () => {
    for (const paid of [
      paying.forged(paying.recipient, 1_000_000n),
      paying.withinContract(paying.recipient, 10n ** 15n),
    ]) {
      const found = await readFinal(paid);
      expect(transfersOf(found).filter(({ to }) => to === paying.recipient)).to.deep.equal([]);
      expect(found.status === 'final' && found.notes[0]).to.match(
        /not taken|credited by its balance/,
      );
    }
  });

  it('is that it failed, and nothing of what we pay ourselves', async () => {
    const nothing = paying.byRouter(REFERENCE, { wei: 0n });
    expect(await readFinal(nothing)).to.deep.equal({ status: 'failed' });
    const { evm, recipient } = paying;
    await evm.fund(recipient, 10n ** 18n);
    await evm.send('anvil_impersonateAccount', [recipient]);
    const gas = { from: recipient, to: newAddress(), value: '0x5' };
    const found = await readFinal(evm.send('eth_sendTransaction', [gas]) as Promise<string>);
    expect(found.status).to.equal('final');
    expect(transfersOf(found)).to.deep.equal([]);
  });

  it('is unknown for what nobody has seen, and for what a reorganization has dropped', async () => {
    expect(await read(`0x${'ab'.repeat(32)}`)).to.deep.equal({ status: 'unknown' });
    const txId = await paying.coin(paying.recipient, 1n);
    const receipt = await paying.evm.send(RECEIPT, [txId]);
    expect((await read(txId)).status).to.equal('unfinal');
    await paying.evm.dropBlock();
    expect((await read(txId)).status).to.equal('unknown');
    // Some go on to say what they had said of a block that is gone.
    const transaction = { hash: txId, blockHash: (receipt as { blockHash: string }).blockHash };
    for (const rpc of [one, two]) {
      rpc.on(RECEIPT, async () => receipt);
      rpc.on(TRANSACTION, async () => transaction);
    }
    await paying.finalize();
    expect((await read(txId)).status).to.equal('unknown');
  });

  it('is of the transaction that was asked for, which a wallet has sent', async () => {
    const txId = await paying.coin(paying.recipient, 6n);
    const other = await paying.coin(paying.recipient, 7n);
    await paying.finalize();
    const [transaction, receipt] = await Promise.all([
      paying.evm.send(TRANSACTION, [other]),
      paying.evm.send(RECEIPT, [other]),
    ]);
    for (const rpc of [one, two]) {
      rpc.on(TRANSACTION, async () => transaction);
      rpc.on(RECEIPT, async () => receipt);
    }
    expect(await faultOf(read(txId))).to.contain('another transaction');
    for (const rpc of [one, two]) {
      rpc.honest();
      rpc.on(TRANSACTION, async (_params, forward) => {
        return { ...((await forward()) as object), type: '0x7e' };
      });
    }
    const found = await read(txId);
    expect(transfersOf(found)).to.deep.equal([]);
    expect(found.status === 'final' && found.notes[0]).to.contain('by a bridge');
  });

  it('names as payer whose money it was, whoever has sent it', async () => {
    const [, holder = ''] = (await paying.evm.send('eth_accounts')) as string[];
    await paying.evm.mint(holder, 9n);
    const { evm, payer, recipient } = paying;
    const approve = TOKEN.encodeFunctionData('approve', [payer, 9n]);
    await evm.send('eth_sendTransaction', [{ from: holder, to: evm.usdc, data: approve }]);
    const taking = TOKEN.encodeFunctionData('transferFrom', [holder, recipient, 9n]);
    const [transfer] = transfersOf(await readFinal(paying.call(evm.usdc, taking)));
    expect(transfer).to.include({ asset: 'USDC', amount: 9n, from: holder });
  });

  it('is asked for in two requests to each provider', async () => {
    const txId = await paying.usdc(paying.recipient, 1n);
    await paying.finalize();
    const before = [one.requests(), two.requests()];
    expect((await read(txId)).status).to.equal('final');
    expect([one.requests(), two.requests()]).to.deep.equal(before.map((count) => count + 2));
  });

  it('is not final, nor failed, because one of two providers says so', async () => {
    const txId = await paying.coin(paying.recipient, 3n);
    one.on(BLOCK, async ([block], forward) => {
      return block === 'finalized' ? paying.evm.send(BLOCK, ['latest', false]) : forward();
    });
    expect((await read(txId)).status).to.equal('unfinal');
    await paying.finalize();
    one.honest();
    one.on(RECEIPT, async (_params, forward) => ({
      ...((await forward()) as object),
      status: '0x0',
    }));
    expect(await faultOf(read(txId))).to.contain('the providers do not agree');
    one.on(RECEIPT, async () => null);
    expect((await read(txId)).status).to.equal('unknown');
  });

  it('is asked of nobody who is of another network, and of those that are left', async () => {
    const txId = await paying.coin(paying.recipient, 4n);
    await paying.finalize();
    one.on('eth_chainId', async () => '0x1');
    expect(await faultOf(read(txId))).to.contain('is of chain 1, not 8453');
    expect((await open(1).read(txId)).status).to.equal('final');
  });

  it('is asked of nobody whose chain has the id of a real network and another first block', async () => {
    const txId = await paying.coin(paying.recipient, 6n);
    await paying.finalize();
    const chain = openEvmDeposits({ ...paying.network([one.url]), isSandbox: false });
    expect(await faultOf(chain.read(txId))).to.contain('another first block');
  });

  it('is read of nobody whose router pays somebody else, once there is a router', async () => {
    const txId = await paying.byRouter(REFERENCE, { wei: 6n });
    await paying.finalize();
    const others = { ...paying.network([one.url]), address: newAddress() };
    expect(await faultOf(openEvmDeposits(others).read(txId))).to.contain('pays somebody else');
    const missing = openEvmDeposits({ ...others, router: newAddress() });
    expect((await missing.read(txId)).status).to.equal('final');
    one.on('eth_call', async () => `0x${'0'.repeat(64)}`);
    expect(await faultOf(missing.read(txId))).to.contain('pays somebody else');
  });

  it('is known without the provider that does not answer, where one is enough', async () => {
    const txId = await paying.coin(paying.recipient, 5n);
    await paying.finalize();
    let release = (): void => undefined;
    const nothing = new Promise<null>((resolve) => (release = () => resolve(null)));
    one.on(RECEIPT, () => nothing);
    expect((await open(1).read(txId)).status).to.equal('final');
    release();
    one.on(RECEIPT, () => 'break');
    expect(await faultOf(read(txId))).to.contain('does not answer');
  });
});
