// test:all: the whole of npm start is launched.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';
import { Wallet } from 'ethers';

import { chainOf } from '../../sandbox/evm/chains.ts';
import { evmSandbox } from '../../sandbox/evm/launch.ts';
import { x402Sandbox } from '../../sandbox/x402/launch.ts';
import { TestPlatform } from '../harness.ts';
import { payerWith, settlementOf } from '../x402/scene.ts';
import { printedWithout } from './absent_packages.ts';
import { launchOf } from './launch_argument.ts';

describe('the facilitator of npm start', () => {
  it('is for those who set none, where there is a chain, and not for production', () => {
    const runs = (production: boolean, env: Record<string, string> = {}) =>
      x402Sandbox.when(launchOf(env, { production }).settings);
    expect(runs(false)).to.equal(true);
    expect(runs(true)).to.equal(false);
    expect(runs(false, { SANDBOX: 'false' })).to.equal(false);
    expect(runs(false, { SANDBOX: 'base,x402' })).to.equal(true);
    for (const SANDBOX of ['base', 'x402']) expect(runs(false, { SANDBOX })).to.equal(false);
    expect(runs(false, { X402_PAY_TO: `0x${'1'.repeat(40)}` })).to.equal(false);
  });

  it('is left out where npm left packages out, and says which', async () => {
    const launch = launchOf({ BASE_RPC_URLS: 'http://127.0.0.1:1' });
    let env: object | undefined;
    let services: readonly unknown[] | void = [];
    const printed = await printedWithout(['viem'], async () => {
      env = await x402Sandbox.env!(launch);
      services = await x402Sandbox.onReady!(launch);
    });
    expect([env, services]).to.deep.equal([{}, []]);
    expect(printed).to.match(/x402 are off.*no viem for this machine.*X402_FACILITATOR_URL/);
  });

  it('settles what a client without an account pays for, from a wallet with play money', async () => {
    const launch = launchOf({ EGRESS_ALLOW: '10.1.0.0/16' });
    const { dataDir } = launch.settings;
    const env = { ...launch.env } as Record<string, string>;
    for (const entry of [evmSandbox, x402Sandbox]) {
      Object.assign(env, await entry.env!({ ...launch, env }));
    }
    expect(env).to.include({ X402_RPC_URL: env.BASE_RPC_URLS, SANDBOX: 'base,x402' });
    expect(env.EGRESS_ALLOW).to.match(/^10\.1\.0\.0\/16,127\.0\.0\.1:\d+$/);

    const services = [];
    for (const entry of [x402Sandbox, evmSandbox])
      services.push(...(await entry.onReady!(launch))!);
    await Promise.all(services.map((service) => service.start()));
    const platform = await TestPlatform.open({ env });
    try {
      const wallet = new Wallet(readFileSync(join(dataDir, 'x402_payer_key'), 'utf8').trim());
      const product = await platform.product(await platform.agent(), { price: 0.5 });
      const route = 'POST /x402/api/v1/orders';
      const bought = await payerWith(wallet, platform).request(route, {
        body: { product_id: product.id },
      });
      expect([bought.status, bought.body.status]).to.deep.equal([200, 'escrow']);
      expect(settlementOf(bought).success).to.equal(true);
      const chain = await chainOf(dataDir, 'base');
      expect(await chain.balanceOf(env.X402_PAY_TO!)).to.equal(550_000n);
      expect(await chain.balanceOf(wallet.address)).to.equal(999_450_000n);
    } finally {
      await platform.close();
      for (const service of services) await service.stop();
    }
  });
});
