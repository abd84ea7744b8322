// test:all: the own test of a double.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import algosdk, { type Account } from 'algosdk';
import { expect } from 'chai';

import { openAlgorandRig, type AlgorandRig } from './algorand_rig.ts';

describe('assets of the sandbox of Algorand', () => {
  let rig: AlgorandRig;
  let maker: Account;
  let holder: Account;
  let asset: bigint;
  before(async () => {
    rig = await openAlgorandRig();
    [maker, holder] = [await rig.account(), await rig.account()];
    asset = await makeAsset();
    await rig.send(await rig.transfer(holder, holder, { asset }), holder);
    await rig.send(await rig.transfer(maker, holder, { asset, amount: 500 }), maker);
  });
  after(() => rig.close());

  async function makeAsset(): Promise<bigint> {
    const made = algosdk.makeAssetCreateTxnWithSuggestedParamsFromObject({
      sender: maker.addr,
      total: 2n ** 64n - 1n,
      decimals: 2,
      unitName: 'MKT',
      assetName: 'Market token',
      assetURL: 'https://example.com/token.json#arc3',
      manager: maker.addr,
      freeze: maker.addr,
      clawback: maker.addr,
      defaultFrozen: false,
      suggestedParams: await rig.algod.getTransactionParams().do(),
    });
    return (await rig.send(made, maker)).info.assetIndex!;
  }

  const holdingOf = async ({ addr }: Account) => {
    const { assetHolding } = await rig.algod.accountAssetInformation(addr, Number(asset)).do();
    return assetHolding && { amount: assetHolding.amount, isFrozen: assetHolding.isFrozen };
  };

  it('are made with all that they are, and are held by who has opted in', async () => {
    const { params } = await rig.algod.getAssetByID(Number(asset)).do();
    expect(params).to.deep.include({
      creator: maker.addr.toString(),
      total: 2n ** 64n - 1n,
      decimals: 2,
      unitName: 'MKT',
      name: 'Market token',
      url: 'https://example.com/token.json#arc3',
    });
    expect(params!.reserve).to.equal(undefined);
    expect(await holdingOf(holder)).to.deep.equal({ amount: 500n, isFrozen: false });
    const other = await rig.account();
    const signed = (await rig.transfer(maker, other, { asset, amount: 1 })).signTxn(maker.sk);
    expect(await rig.refusalOf(signed)).to.include('must optin');
    const more = (await rig.transfer(holder, maker, { asset, amount: 501 })).signTxn(holder.sk);
    expect(await rig.refusalOf(more)).to.include('underflow');
    // An opt-in costs what an account has to keep.
    const { minBalance } = await rig.algod.accountInformation(holder.addr).do();
    expect(minBalance).to.equal(200_000n);
  });

  it('can be frozen and taken back by whoever they give that right to', async () => {
    const freeze = async (sender: Account, frozen: boolean) =>
      algosdk.makeAssetFreezeTxnWithSuggestedParamsFromObject({
        sender: sender.addr,
        assetIndex: asset,
        freezeTarget: holder.addr,
        frozen,
        suggestedParams: await rig.algod.getTransactionParams().do(),
      });
    expect(await rig.refusalOf((await freeze(holder, true)).signTxn(holder.sk))).to.include(
      'freeze not allowed',
    );
    await rig.send(await freeze(maker, true), maker);
    const signed = (await rig.transfer(holder, maker, { asset, amount: 1 })).signTxn(holder.sk);
    expect(await rig.refusalOf(signed)).to.include('frozen');
    const fields = { asset, amount: 100, clawbackFrom: holder };
    const { id } = await rig.send(await rig.transfer(maker, maker, fields), maker);
    const { transaction } = await rig.indexer.lookupTransactionByID(id).do();
    expect(transaction.assetTransferTransaction!.sender).to.equal(holder.addr.toString());
    expect(await holdingOf(holder)).to.deep.equal({ amount: 400n, isFrozen: true });
    const foreign = { asset, amount: 1, clawbackFrom: maker };
    const taken = (await rig.transfer(holder, holder, foreign)).signTxn(holder.sk);
    expect(await rig.refusalOf(taken)).to.include('clawback not allowed');
    await rig.send(await freeze(maker, false), maker);
  });

  it('leave an account with its opt-in, and end when their maker has them all', async () => {
    const closing = await rig.transfer(holder, maker, { asset, amount: 50, close: maker });
    const { id, info } = await rig.send(closing, holder);
    expect(info.assetClosingAmount).to.equal(350n);
    const { transaction } = await rig.indexer.lookupTransactionByID(id).do();
    expect(transaction.assetTransferTransaction!.closeAmount).to.equal(350n);
    const destroy = algosdk.makeAssetDestroyTxnWithSuggestedParamsFromObject({
      sender: maker.addr,
      assetIndex: asset,
      suggestedParams: await rig.algod.getTransactionParams().do(),
    });
    await rig.send(destroy, maker);
    const refused = await rig.algod
      .getAssetByID(Number(asset))
      .do()
      .catch((error: Error) => error);
    expect(refused).to.be.instanceOf(Error);
  });
});

describe('rounds of the sandbox of Algorand', () => {
  it('take what was sent when they end', async () => {
    const rig = await openAlgorandRig();
    const payer = await rig.account();
    rig.node.hold();
    const signed = (await rig.payment(payer, rig.bank)).signTxn(payer.sk);
    const { txid } = await rig.algod.sendRawTransaction(signed).do();
    const pending = await rig.algod.pendingTransactionInformation(txid).do();
    expect(pending.confirmedRound ?? 0n).to.equal(0n);
    const unknown = await rig.indexer
      .lookupTransactionByID(txid)
      .do()
      .catch(() => 'unknown');
    expect(unknown).to.equal('unknown');
    const waits = rig.algod.statusAfterBlock(Number(rig.node.lastRound())).do();
    rig.node.advance(1);
    expect((await waits).lastRound).to.equal(rig.node.lastRound());
    const { confirmedRound } = await rig.algod.pendingTransactionInformation(txid).do();
    expect(confirmedRound).to.equal(rig.node.lastRound());
    await rig.close();
  });

  it('and what they did are kept over a restart, and go on with the clock', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'algorand-')), 'sandbox.jsonl');
    const clock = { now: Date.now() };
    const options = { file, now: () => clock.now, roundMs: 3_600_000 };
    const first = await openAlgorandRig(options);
    const payer = algosdk.generateAccount();
    const funding = (await first.payment(first.bank, payer)).signTxn(first.bank.sk);
    const { txid } = await first.algod.sendRawTransaction(funding).do();
    first.node.advance(1);
    await first.close();

    clock.now += 10 * 3_600_000;
    const again = await openAlgorandRig({ ...options, bank: first.bank });
    const { transaction } = await again.indexer.lookupTransactionByID(txid).do();
    expect(transaction.confirmedRound).to.equal(3n);
    expect((await again.algod.accountInformation(payer.addr).do()).amount).to.equal(1_000_000n);
    expect(again.node.lastRound()).to.equal(10n);
    expect(await again.refusalOf(funding)).to.include('already in ledger');
    await again.close();
  });
});
