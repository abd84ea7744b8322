import { expect } from 'chai';
import { Wallet } from 'ethers';

import { findOnChain } from '../../workers/gateways/x402/chain.ts';
import { openJsonRpc } from '../../workers/gateways/rpc/json_rpc.ts';
import { openFaultyRpc, type FaultyRpc } from '../withdrawals/faulty_rpc.ts';
import { openPaying, type Paying } from './scene.ts';
import { signed } from './signed.ts';
import { walletWith } from './wallets.ts';

describe('a payment by x402 that a provider knows in part', () => {
  let paying: Paying;
  let rpc: FaultyRpc;
  before(async () => {
    paying = await openPaying();
    rpc = await openFaultyRpc(paying.evm.url);
  });
  after(async () => {
    rpc.close();
    await paying.close();
  });

  /** A payment that a facilitator has settled, and we know nothing of. */
  async function settled() {
    const { v2 } = await signed(paying, await walletWith(paying.evm, 1));
    const answer = await fetch(`${paying.facilitator.url}/settle`, {
      method: 'POST',
      body: JSON.stringify({ paymentPayload: v2, paymentRequirements: v2.accepted }),
    });
    expect(await answer.json()).to.include({ success: true });
    return v2;
  }

  it('has not lapsed while its receipt is unknown, however late it is', async () => {
    const v2 = await settled();

    const { authorization } = v2.payload;
    const { from: payer, nonce } = authorization;
    const long = { validBefore: new Date(0), recordedAt: new Date(0) }; // Its time is over.
    const amount = BigInt(v2.accepted.amount);
    const payment = { payer, nonce, amount, authorization, ...long };
    const { asset } = v2.accepted;
    const find = () => findOnChain(openJsonRpc(rpc.url), { asset }, payment as never);
    // Behind one address are several nodes, and one of them is behind.
    for (const receipt of [null, { status: '0x0', logs: [] }]) {
      rpc.on('eth_getTransactionReceipt', async () => receipt);
      const found = await find().catch((error: unknown) => String(error));
      expect(found).to.contain('does not agree with itself');
    }
    rpc.on('eth_getLogs', async () => []);
    const found = await find().catch((error: unknown) => String(error));
    expect(found).to.contain('does not agree with itself');
    rpc.honest();
    const { isLapsed, transfer } = await find();
    expect([isLapsed, typeof transfer?.txId]).to.deep.equal([false, 'string']);
  });

  it('is found however many blocks ago it was settled', async () => {
    const v2 = await settled();
    const { authorization } = v2.payload;
    const { from: payer, nonce } = authorization;
    await paying.evm.mine(30);
    const payment = {
      payer,
      nonce,
      authorization,
      amount: 2_000n,
      validBefore: new Date(0),
      recordedAt: new Date(),
    };
    const { asset } = v2.accepted;
    const node = openJsonRpc(paying.evm.url);
    // Nodes refuse to search many blocks at once; here it is seven.
    const { transfer } = await findOnChain(node, { asset }, payment as never, 7);
    expect(transfer).to.be.an('object');
  });

  it('is none that was used before it came to us, or that paid somebody else or less', async () => {
    const v2 = await settled();
    const { authorization } = v2.payload;
    const { from: payer, nonce } = authorization;
    const amount = BigInt(v2.accepted.amount);
    const validBefore = new Date(Date.now() + 60_000);
    const payment = { payer, nonce, amount, authorization, validBefore, recordedAt: new Date(0) };
    const { asset } = v2.accepted;
    const find = (changes: object) =>
      findOnChain(openJsonRpc(rpc.url), { asset }, { ...payment, ...changes } as never);
    // Whoever signs two authorizations with one nonce uses the one that pays somebody else.
    const none = { isLapsed: true };
    expect(await find({ recordedAt: new Date(Date.now() + 60_000) })).to.deep.equal({
      ...none,
      reason: 'used_before',
    });
    const elsewhere = { ...authorization, to: Wallet.createRandom().address };
    expect(await find({ authorization: elsewhere })).to.deep.equal(none);
    expect(await find({ amount: amount + 1n })).to.deep.equal(none);
    expect(await find({ amount: amount - 1n })).to.deep.equal(none);
    expect((await find({})).transfer).to.be.an('object');
  });
});
