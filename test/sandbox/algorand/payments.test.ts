// test:all: the own test of a double.
import algosdk, { type Account } from 'algosdk';
import { expect } from 'chai';

import { GENESIS_HASH } from '../../../sandbox/algorand/genesis.ts';
import { FEE_SINK } from '../../../sandbox/algorand/ledger/apply.ts';
import { openAlgorandRig, type AlgorandRig } from './algorand_rig.ts';

describe('the sandbox of Algorand, for the unmodified SDK', () => {
  let rig: AlgorandRig;
  let alice: Account;
  let bob: Account;
  before(async () => {
    rig = await openAlgorandRig();
    [alice, bob] = [await rig.account(), await rig.account()];
  });
  after(() => rig.close());

  const balanceOf = async ({ addr }: Pick<Account, 'addr'>) =>
    Number((await rig.algod.accountInformation(addr).do()).amount);

  it('is a network of its own', async () => {
    const { genesisID, genesisHash } = await rig.algod.getTransactionParams().do();
    expect(genesisID).to.equal('sandnet-v1');
    expect(Buffer.from(genesisHash!)).to.deep.equal(GENESIS_HASH);
    const other = await rig.payment(alice, bob);
    const elsewhere = new algosdk.Transaction({
      type: algosdk.TransactionType.pay,
      sender: alice.addr,
      paymentParams: { receiver: bob.addr, amount: 1 },
      suggestedParams: {
        fee: 1_000,
        flatFee: true,
        minFee: 1_000,
        firstValid: other.firstValid,
        lastValid: other.lastValid,
        genesisHash: new Uint8Array(32).fill(7),
      },
    });
    expect(await rig.refusalOf(elsewhere.signTxn(alice.sk))).to.include('genesis hash mismatch');
  });

  it('confirms a payment, and finds it by its id, its note and its round', async () => {
    const { id, info } = await rig.send(
      await rig.payment(alice, bob, { amount: 1_500_000, note: 'agt_7:3af0' }),
      alice,
    );
    const { transaction } = await rig.indexer.lookupTransactionByID(id).do();
    expect(transaction.paymentTransaction).to.deep.include({
      amount: 1_500_000n,
      receiver: bob.addr.toString(),
    });
    expect(transaction.confirmedRound).to.equal(info.confirmedRound);
    expect(Buffer.from(transaction.note!).toString()).to.equal('agt_7:3af0');
    expect(Buffer.from(transaction.genesisHash!)).to.deep.equal(GENESIS_HASH);

    const prefix = new TextEncoder().encode('agt_7:');
    const search = rig.indexer.searchForTransactions().address(bob.addr).notePrefix(prefix);
    expect((await search.do()).transactions.map((found) => found.id)).to.deep.equal([id]);
    const ofRound = rig.indexer
      .lookupAccountTransactions(bob.addr)
      .minRound(info.confirmedRound!)
      .maxRound(info.confirmedRound!);
    expect((await ofRound.do()).transactions).to.have.lengthOf(1);

    const { block } = await rig.algod.block(info.confirmedRound!).do();
    expect(block.payset[0]!.signedTxn.signedTxn.txn.payment!.amount).to.equal(1_500_000n);
    const header = await rig.indexer.lookupBlock(Number(info.confirmedRound)).do();
    expect(header.timestamp).to.equal(Number(block.header.timestamp));
  });

  it('pays what is left to whom an account is closed to', async () => {
    const [payer, rest] = [await rig.account(2_000_000), await rig.account(0)];
    const closing = await rig.payment(payer, bob, { amount: 500_000, close: rest });
    const { id, info } = await rig.send(closing, payer);
    expect(info.closingAmount).to.equal(1_499_000n);
    expect([await balanceOf(payer), await balanceOf(rest)]).to.deep.equal([0, 1_499_000]);
    const { transaction } = await rig.indexer.lookupTransactionByID(id).do();
    expect(transaction.paymentTransaction).to.deep.include({
      closeAmount: 1_499_000n,
      closeRemainderTo: rest.addr.toString(),
    });
  });

  it('takes no transaction twice, with no other signature, and in no other encoding', async () => {
    const signed = (await rig.payment(alice, bob)).signTxn(alice.sk);
    expect(await rig.refusalOf(signed)).to.equal('it was taken');
    expect(await rig.refusalOf(signed)).to.include('already in ledger');

    const payment = await rig.payment(alice, bob, { amount: 2 });
    expect(await rig.refusalOf(payment.signTxn(bob.sk))).to.include('should have been authorized');
    const forged = algosdk.decodeSignedTransaction(payment.signTxn(alice.sk));
    forged.sig![3]! ^= 1;
    expect(await rig.refusalOf(algosdk.encodeMsgpack(forged))).to.include("didn't pass");
    const nothing = new algosdk.SignedTransaction({ txn: payment });
    expect(await rig.refusalOf(algosdk.encodeMsgpack(nothing))).to.include('no sig');
    const bytes = Buffer.from(payment.signTxn(alice.sk));
    // A map of two, with its length in two bytes instead of half a one.
    const longer = Buffer.concat([Buffer.from([0xde, 0, 2]), bytes.subarray(1)]);
    expect(await rig.refusalOf(longer)).to.include('canonical');
    expect(await rig.refusalOf(bytes.subarray(0, 80))).to.include('ends too early');
  });

  it('lets nobody pay more than it has, too low a fee, or what leaves too little', async () => {
    const small = await rig.account(300_000);
    for (const [fields, words] of [
      [{ amount: 10_000_000 }, 'overspend'],
      [{ amount: 250_000 }, 'below min 100000'],
      [{ amount: 1, fee: 999 }, 'less than the minimum'],
    ] as const) {
      const signed = (await rig.payment(small, bob, fields)).signTxn(small.sk);
      expect(await rig.refusalOf(signed)).to.include(words);
    }
    expect(await balanceOf(small)).to.equal(300_000);
  });

  it('holds a transaction to its rounds and its lease', async () => {
    const lease = new Uint8Array(32).fill(1);
    await rig.send(await rig.payment(alice, bob, { lease }), alice);
    const again = await rig.payment(alice, bob, { lease, amount: 2 });
    expect(await rig.refusalOf(again.signTxn(alice.sk))).to.include('overlapping lease');
    const late = await rig.payment(alice, bob, { amount: 3 });
    rig.node.advance(1_001);
    expect(await rig.refusalOf(late.signTxn(alice.sk))).to.include('txn dead');
    await rig.send(await rig.payment(alice, bob, { lease, amount: 4 }), alice);
  });

  it('takes a group as a whole, of which one may pay the fees', async () => {
    const group = [
      await rig.payment(alice, bob, { amount: 11, fee: 0 }),
      await rig.payment(bob, alice, { amount: 12, fee: 2_000 }),
    ];
    algosdk.assignGroupID(group);
    const [one, two] = [group[0]!.signTxn(alice.sk), group[1]!.signTxn(bob.sk)];
    expect(await rig.refusalOf(one)).to.include('inconsistent group');
    expect(await rig.refusalOf([two, one])).to.include('inconsistent group');
    const before = await balanceOf(bob);
    expect(await rig.refusalOf([one, two])).to.equal('it was taken');
    expect(await balanceOf(bob)).to.equal(before + 11 - 12 - 2_000);

    const failing = [
      await rig.payment(alice, bob),
      await rig.payment(bob, alice, { amount: 1e12 }),
    ];
    algosdk.assignGroupID(failing);
    const signed = [failing[0]!.signTxn(alice.sk), failing[1]!.signTxn(bob.sk)];
    const had = await balanceOf(alice);
    expect(await rig.refusalOf(signed)).to.include('overspend');
    expect(await balanceOf(alice)).to.equal(had);
  });

  it('obeys the key that an account was given, and the keys of a multisig account', async () => {
    const [account, key] = [await rig.account(), await rig.account()];
    await rig.send(await rig.payment(account, account, { amount: 0, rekeyTo: key }), account);
    const old = (await rig.payment(account, bob)).signTxn(account.sk);
    expect(await rig.refusalOf(old)).to.include('should have been authorized');
    await rig.send(await rig.payment(account, bob), key);
    expect((await rig.algod.accountInformation(account.addr).do()).authAddr!.toString()).to.equal(
      key.addr.toString(),
    );

    const keys = [alice, bob, key];
    const metadata = { version: 1, threshold: 2, addrs: keys.map(({ addr }) => addr) };
    const shared = { addr: algosdk.multisigAddress(metadata), sk: alice.sk };
    await rig.send(await rig.payment(alice, shared, { amount: 1_000_000 }), alice);
    const payment = await rig.payment(shared, bob, { amount: 5 });
    const first = algosdk.signMultisigTransaction(payment, metadata, alice.sk).blob;
    expect(await rig.refusalOf(first)).to.include('1 signatures of 2');
    const both = algosdk.appendSignMultisigTransaction(first, metadata, key.sk).blob;
    expect(await rig.refusalOf(both)).to.equal('it was taken');
  });

  it('loses no money and makes none', async () => {
    const { confirmed } = await everyone();
    const sums = await Promise.all(confirmed.map((addr) => balanceOf({ addr })));
    expect(sums.reduce((sum, amount) => sum + amount, 0)).to.equal(1e16);
  });

  /** All who have had money, and whoever gets the fees. */
  async function everyone() {
    const { transactions } = await rig.indexer.searchForTransactions().limit(1_000).do();
    const addresses = transactions.flatMap(({ sender, paymentTransaction: paid }) => [
      sender,
      ...(paid ? [paid.receiver] : []),
      ...(paid?.closeRemainderTo ? [paid.closeRemainderTo] : []),
    ]);
    const confirmed = [...new Set([...addresses, FEE_SINK])].map((address) =>
      algosdk.Address.fromString(address),
    );
    return { confirmed };
  }
});
