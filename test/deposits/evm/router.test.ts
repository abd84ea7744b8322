import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';
import { Interface } from 'ethers';

import { routerFor } from '../../../sandbox/evm/router.ts';
import { ROUTER } from '../../../shared/domains/deposits/evm/router/router.ts';
import { compiled } from '../../local/solidity.ts';
import { ROOT } from '../../sources.ts';
import { newAddress, openPaying, type Paying } from './payer.ts';

const FOLDER = 'shared/domains/deposits/evm/router';
const CALLS = new Interface(ROUTER.abi as never);
const REFERENCE = `0x${'5a'.repeat(32)}`;

describe('the deposit router', () => {
  let paying: Paying;

  before(async () => {
    paying = await openPaying();
  });
  after(() => paying.close());

  const statusOf = async (txId: string) => {
    const receipt = await paying.evm.send('eth_getTransactionReceipt', [txId]);
    return Number((receipt as { status: string }).status);
  };
  const coinOf = async (address: string) =>
    BigInt((await paying.evm.send('eth_getBalance', [address, 'latest'])) as string);

  it('is the contract of router.sol; UPDATE_EXAMPLES=1 compiles it', () => {
    const now = compiled(`${FOLDER}/router.sol`, 'DepositRouter');
    if (process.env.UPDATE_EXAMPLES) {
      writeFileSync(join(ROOT, FOLDER, 'router.json'), `${JSON.stringify(now, null, 1)}\n`);
    }
    expect(ROUTER).to.deep.equal(now);
  }).timeout(60_000);

  it('is at an address that follows from whom it pays, with nothing else in its code', async () => {
    const code = (await paying.evm.send('eth_getCode', [paying.router, 'latest'])) as string;
    const recipient = paying.recipient.slice(2);
    expect(code.replaceAll(recipient, '0'.repeat(40))).to.equal(ROUTER.deployed);
    expect(routerFor(paying.recipient).address).to.equal(paying.router);
    expect(routerFor(newAddress()).address).to.not.equal(paying.router);
  });

  it('pays at once and keeps nothing', async () => {
    const before = await coinOf(paying.recipient);
    expect(await statusOf(await paying.byRouter(REFERENCE, { wei: 5n }))).to.equal(1);
    expect(await statusOf(await paying.byRouter(REFERENCE, { usdc: 6n }))).to.equal(1);
    expect((await coinOf(paying.recipient)) - before).to.equal(5n);
    expect(await paying.evm.balanceOf(paying.recipient)).to.equal(6n);
    expect([await coinOf(paying.router), await paying.evm.balanceOf(paying.router)]).to.deep.equal([
      0n,
      0n,
    ]);
  });

  it('pays on what was transferred to it without a call, when anybody sweeps it', async () => {
    const { evm, router, recipient } = paying;
    const before = await evm.balanceOf(recipient);
    await paying.usdc(router, 8n);
    const data = CALLS.encodeFunctionData('sweep', [evm.usdc]);
    expect(await statusOf(await paying.call(router, data))).to.equal(1);
    expect(await evm.balanceOf(router)).to.equal(0n);
    expect((await evm.balanceOf(recipient)) - before).to.equal(8n);
    for (const token of [evm.usdc, newAddress()]) {
      const again = CALLS.encodeFunctionData('sweep', [token]);
      expect(await statusOf(await paying.call(router, again))).to.equal(0);
    }
  });

  it('takes nothing for nothing, what nobody allowed it, or of what is no token', async () => {
    const token = (address: string, amount: bigint) =>
      paying.call(
        paying.router,
        CALLS.encodeFunctionData('depositToken', [address, amount, REFERENCE]),
      );
    const { evm, router } = paying;
    for (const paid of [
      paying.byRouter(REFERENCE, { wei: 0n }),
      paying.byRouter(REFERENCE, { usdc: 0n }),
      token(evm.usdc, 7n),
      token(newAddress(), 7n),
      paying.call(router, '0x', 7n),
    ]) {
      expect(await statusOf(await paid)).to.equal(0);
    }
  });

  it('logs what arrived of a token that keeps a part, and nothing of one that lies', async () => {
    const [, amount = ''] = await payWith('FeeToken');
    expect(BigInt(amount)).to.equal(90n);
    expect(await payWith('LyingToken')).to.deep.equal(['0x0']);
  }).timeout(60_000);

  it('takes no payment from within another', async () => {
    expect(await payWith('CallingToken')).to.deep.equal(['0x0']);
  }).timeout(60_000);

  /** The status of a payment of 100 in this token, and the data of each log. */
  async function payWith(contract: string): Promise<string[]> {
    const { bytecode } = compiled('test/deposits/evm/tokens.sol', contract);
    const token = await paying.deploy(bytecode);
    const data = CALLS.encodeFunctionData('depositToken', [token, 100n, REFERENCE]);
    const txId = await paying.call(paying.router, data);
    const receipt = await paying.evm.send('eth_getTransactionReceipt', [txId]);
    const { status, logs } = receipt as { status: string; logs: { data: string }[] };
    return [status, ...logs.map((log) => log.data)];
  }
});
