// test:all: the whole of npm start is launched.
import { expect } from 'chai';

import { pay } from '../../local/pay/pay.ts';
import { evmSandbox } from '../../sandbox/evm/launch.ts';
import { evmDepositsSandbox } from '../../sandbox/evm/launch_deposits.ts';
import { startPrices } from '../../sandbox/prices/prices.ts';
import { TestPlatform } from '../harness.ts';
import { printedWithout } from './absent_packages.ts';
import { launchOf } from './launch_argument.ts';

describe('the chains of npm start that money comes in on', () => {
  it('are for those who have set no network and no address', () => {
    const runs = (env: Record<string, string> = {}) =>
      evmDepositsSandbox.when(launchOf(env).settings);
    expect(runs()).to.equal(true);
    for (const name of ['BASE_RPC_URLS', 'ETHEREUM_RPC_URLS', 'EVM_DEPOSIT_ADDRESS']) {
      expect(runs({ [name]: 'something' }), name).to.equal(false);
    }
  });

  it('are left out where npm left packages out, and says which', async () => {
    const launch = launchOf();
    let env: object | undefined;
    let services: readonly unknown[] | void = [];
    const printed = await printedWithout(['@foundry-rs/'], async () => {
      env = await evmDepositsSandbox.env!(launch);
      services = await evmDepositsSandbox.onReady!(launch);
    });
    expect([env, services]).to.deep.equal([{}, []]);
    expect(printed).to.match(
      /Base, Arbitrum and Ethereum are off.*@foundry-rs\/anvil.*EVM_DEPOSIT/,
    );
  });

  it('are paid by npm run pay, each with its assets, and keep their addresses', async () => {
    const launch = launchOf();
    const env = { ...launch.env } as Record<string, string>;
    const prices = await startPrices();
    Object.assign(env, {
      PRICE_SOURCES: prices.sources,
      EGRESS_ALLOW: new URL(prices.url).host,
    });
    const entries = [evmSandbox, evmDepositsSandbox];
    for (const entry of entries) Object.assign(env, await entry.env!({ ...launch, env }));
    const again = await evmDepositsSandbox.env!({ ...launch, env });
    expect(again.EVM_DEPOSIT_ADDRESS).to.equal(env.EVM_DEPOSIT_ADDRESS);
    expect(env.SANDBOX).to.equal('base,arbitrum,ethereum');
    const services = [];
    for (const entry of entries) services.push(...(await entry.onReady!({ ...launch, env }))!);
    await Promise.all(services.map((service) => service.start()));
    const platform = await TestPlatform.open({ env });
    try {
      const { key, username, id } = await platform.agent();
      const cashOf = async () =>
        (await platform.request('GET /api/v1/wallet', { key })).body.cash as number;
      const payOn = async (rail: string, amount: string, network: string) => {
        const lines: string[] = [];
        const rpc = env[`${network.toUpperCase()}_RPC_URLS`]!;
        const options = ['--key', key, '--url', platform.url, '--rpc', rpc];
        await pay([rail, amount, ...options], (line) => lines.push(line));
        return lines;
      };
      const lines = await payOn('usdc-base', '2', 'base');
      expect(lines[0]).to.equal(`agent      ${username} (${id})`);
      expect(lines.at(-1)).to.equal('credited   $2, the wallet has $2.5');
      await Promise.all([
        payOn('eth-arbitrum', '0.001', 'arbitrum'),
        payOn('usdc-eth', '4', 'ethereum'),
      ]);
      expect(await cashOf()).to.equal(9);
    } finally {
      await platform.close();
      for (const service of services) await service.stop();
      await prices.close();
    }
  }).timeout(60_000);
});
