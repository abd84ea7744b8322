// test:all: the whole of npm start is launched.
import { readFileSync } from 'node:fs';

import { expect } from 'chai';
import { Contract, JsonRpcProvider, Wallet } from 'ethers';

import { usdcContract } from '../../sandbox/evm/anvil.ts';
import { evmSandbox } from '../../sandbox/evm/launch.ts';
import { eventually } from '../harness.ts';
import { printedWithout } from './absent_packages.ts';
import { launchOf } from './launch_argument.ts';

describe('the chain of npm start', () => {
  it('is for those who set no chain, and not for production', () => {
    const runs = (production: boolean, env: Record<string, string> = {}) =>
      evmSandbox.when(launchOf(env, { production }).settings);
    expect(runs(false)).to.equal(true);
    expect(runs(true)).to.equal(false);
    expect(runs(false, { SANDBOX: 'false' })).to.equal(false);
    expect(runs(false, { BASE_RPC_URLS: 'https://base.example.com' })).to.equal(false);
  });

  it('is left out where npm has no node for the machine, and says what to set', async () => {
    const launch = launchOf();
    let env: object | undefined;
    let services: readonly unknown[] | void = [];
    const printed = await printedWithout(['@foundry-rs/'], async () => {
      env = await evmSandbox.env!(launch);
      services = await evmSandbox.onReady!(launch);
    });
    expect([env, services]).to.deep.equal([{}, []]);
    expect(printed).to.match(/withdrawals are off.*@foundry-rs\/anvil.*BASE_RPC_URLS/);
  });

  it('has a wallet with money, makes payments final, and keeps both when it starts again', async () => {
    const launch = launchOf();
    const env = (await evmSandbox.env!(launch)) as Record<string, string>;
    const [service] = (await evmSandbox.onReady!(launch))!;
    await service!.start();
    const provider = new JsonRpcProvider(env.BASE_RPC_URLS!, undefined, { cacheTimeout: -1 });
    const wallet = new Wallet(readFileSync(env.BASE_KEY_FILE!, 'utf8').trim(), provider);
    const usdc = new Contract(
      '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      usdcContract().abi as never,
      wallet,
    );
    const payee = Wallet.createRandom().address;
    try {
      expect(env).to.include({ SANDBOX: 'base', WITHDRAWAL_HOLD_HOURS: '0' });
      expect(env).to.include({ WITHDRAWAL_CARD_DAYS: '0' });
      expect(await usdc.balanceOf!(wallet.address)).to.equal(1_000_000n * 1_000_000n);
      const { blockNumber } = await (await usdc.transfer!(payee, 5n)).wait();
      const finalBlock = async () => (await provider.getBlock('finalized'))!.number;
      await eventually(finalBlock, (final) => final >= blockNumber);

      await service!.stop();
      await service!.start();
      expect(await usdc.balanceOf!(payee)).to.equal(5n);
      expect(await provider.getTransactionCount(wallet.address)).to.equal(1);
    } finally {
      provider.destroy();
      await service!.stop();
    }
  });
});
