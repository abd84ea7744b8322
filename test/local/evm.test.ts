// test:all: the own test of the local chain.
import { writeFileSync } from 'node:fs';

import { expect } from 'chai';
import { Contract, hexlify, JsonRpcProvider, randomBytes, Signature, Wallet } from 'ethers';

import {
  FINAL_AFTER,
  startEvm,
  USDC_CONTRACT_FILE,
  usdcContract,
  type Evm,
} from '../../sandbox/evm/anvil.ts';
import { compiled } from './solidity.ts';

const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const BY_PARTS =
  'transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)';
const BY_BYTES = 'transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)';

describe('the EVM sandbox', () => {
  let evm: Evm;
  let provider: JsonRpcProvider;
  let usdc: Contract;
  const payer = Wallet.createRandom();
  const payee = Wallet.createRandom().address;

  before(async () => {
    evm = await startEvm({ durable: true });
    provider = new JsonRpcProvider(evm.url, undefined, { cacheTimeout: -1 });
    usdc = new Contract(USDC, usdcContract().abi as never, payer.connect(provider));
    await evm.fund(payer.address, 10n ** 18n);
    await evm.mint(payer.address, 10_000_000n);
  });
  after(async () => {
    provider.destroy();
    await evm.close();
  });

  it('has the token that usdc.sol describes; UPDATE_EXAMPLES=1 compiles it', () => {
    const usdcNow = compiled('sandbox/evm/usdc.sol', 'UsdCoin');
    if (process.env.UPDATE_EXAMPLES) {
      writeFileSync(USDC_CONTRACT_FILE, `${JSON.stringify(usdcNow, null, 1)}\n`);
    }
    expect(usdcContract()).to.deep.equal(usdcNow);
  }).timeout(60_000);

  it('is chain 8453 with USDC at its address on Base', async () => {
    expect((await provider.getNetwork()).chainId).to.equal(8453n);
    expect([await usdc.name!(), await usdc.version!(), await usdc.decimals!()]).to.deep.equal([
      'USD Coin',
      '2',
      6n,
    ]);
    const transfer = await usdc.transfer!(payee, 1_000_000n);
    expect((await transfer.wait()).status).to.equal(1);
    expect(await evm.balanceOf(payee)).to.equal(1_000_000n);
  });

  it('moves what its holder has signed for, once, by both forms of the signature', async () => {
    const before = await evm.balanceOf(payee);
    const first = await signed(2_000_000n);
    const { v, r, s } = Signature.from(first.signature);
    await (await usdc[BY_PARTS]!(...first.values, v, r, s)).wait();
    const second = await signed(3_000_000n);
    await (await usdc[BY_BYTES]!(...second.values, second.signature)).wait();
    expect((await evm.balanceOf(payee)) - before).to.equal(5_000_000n);

    const again = usdc[BY_BYTES]!.staticCall(...first.values, first.signature);
    expect(await faultOf(again)).to.contain('authorization is used or canceled');
    const third = await signed(1_000_000n);
    const more = third.values.map((value) => (value === 1_000_000n ? 4_000_000n : value));
    const tampered = usdc[BY_BYTES]!.staticCall(...more, third.signature);
    expect(await faultOf(tampered)).to.contain('invalid signature');
  });

  it('has final blocks when others were mined after them', async () => {
    const { blockNumber } = await (await usdc.transfer!(payee, 1n)).wait();
    const finalBlock = async () => (await provider.getBlock('finalized'))!.number;
    await evm.mine(FINAL_AFTER - 1);
    expect(await finalBlock()).to.be.lessThan(blockNumber);
    await evm.mine();
    expect(await finalBlock()).to.equal(blockNumber);
  });

  it('keeps blocks and balances when it is started again', async () => {
    const before = [await evm.balanceOf(payee), await provider.getBlockNumber()];
    await evm.stop();
    await evm.start();
    expect([await evm.balanceOf(payee), await provider.getBlockNumber()]).to.deep.equal(before);
  });

  async function signed(value: bigint) {
    const validBefore = BigInt(Math.floor(Date.now() / 1_000) + 3_600);
    const nonce = hexlify(randomBytes(32));
    const values = [payer.address, payee, value, 0n, validBefore, nonce] as const;
    const [from, to] = values;
    const signature = await payer.signTypedData(
      { name: 'USD Coin', version: '2', chainId: 8453n, verifyingContract: USDC },
      {
        TransferWithAuthorization: [
          { name: 'from', type: 'address' },
          { name: 'to', type: 'address' },
          { name: 'value', type: 'uint256' },
          { name: 'validAfter', type: 'uint256' },
          { name: 'validBefore', type: 'uint256' },
          { name: 'nonce', type: 'bytes32' },
        ],
      },
      { from, to, value, validAfter: 0n, validBefore, nonce },
    );
    return { values, signature };
  }
});

const faultOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'it was accepted',
    (error: Error) => error.message,
  );
