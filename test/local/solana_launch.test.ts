// test:all: the whole of npm start is launched.
import { expect } from 'chai';

import type { Service } from '../../local/launcher/supervisor.ts';
import { pay } from '../../local/pay/pay.ts';
import { solanaSandbox } from '../../sandbox/solana/launch.ts';
import { startPrices } from '../../sandbox/prices/prices.ts';
import { TestPlatform } from '../harness.ts';
import { printedWithout } from './absent_packages.ts';
import { launchOf } from './launch_argument.ts';

describe('the Solana of npm start', () => {
  it('is for those who set none, and not for production', () => {
    const runs = (production: boolean, env: Record<string, string> = {}) =>
      solanaSandbox.when(launchOf(env, { production }).settings);
    expect(runs(false)).to.equal(true);
    expect(runs(true)).to.equal(false);
    expect(runs(false, { SANDBOX: 'base,solana' })).to.equal(true);
    for (const SANDBOX of ['base', 'none', 'false'])
      expect(runs(false, { SANDBOX })).to.equal(false);
    expect(runs(false, { SOLANA_RPC_URLS: 'https://solana.example.com' })).to.equal(false);
  });

  it('is left out where npm left its package out, and says so', async () => {
    const launch = launchOf();
    let env: object | undefined;
    let services: readonly unknown[] | void = [];
    const printed = await printedWithout(['litesvm'], async () => {
      env = await solanaSandbox.env!(launch);
      services = await solanaSandbox.onReady!(launch);
    });
    expect([env, services]).to.deep.equal([{}, []]);
    expect(printed).to.match(/Solana are off.*no litesvm for this machine.*SOLANA_RPC_URLS/);
  });

  it('takes what npm run pay pays, in SOL and in USDC', async () => {
    const launch = launchOf();
    const env = await solanaSandbox.env!(launch);
    let services: readonly Service[] | void = [];
    const printed = await printedWithout([], async () => {
      services = await solanaSandbox.onReady!(launch);
    });
    expect(printed).to.match(/Solana in play money/);
    const [service] = services;
    await service!.start();
    const prices = await startPrices();
    const platform = await TestPlatform.open({
      env: {
        ...(env as Record<string, string>),
        PRICE_SOURCES: prices.sources,
        EGRESS_ALLOW: new URL(prices.url).host,
      },
    });
    try {
      const { key } = await platform.agent();
      const lines: string[] = [];
      const options = ['--key', key, '--url', platform.url, '--rpc', env.SOLANA_RPC_URLS!];
      await Promise.all([
        pay(['sol', '0.1', ...options], (line) => lines.push(line)),
        pay(['usdc-spl', '10', ...options], (line) => lines.push(line)),
      ]);
      expect(lines.filter((line) => line.startsWith('payment'))).to.have.length(2);
      expect(await platform.balance({ key })).to.equal(25.5);
    } finally {
      await platform.close();
      await prices.close();
      await service!.stop();
    }
  });
});
