// test:all: the whole of npm start is launched.
import { expect } from 'chai';

import type { Service } from '../../local/launcher/supervisor.ts';
import { pay } from '../../local/pay/pay.ts';
import { priceSandbox } from '../../sandbox/prices/launch.ts';
import { startPrices, type PriceServer } from '../../sandbox/prices/prices.ts';
import { tronSandbox } from '../../sandbox/tron/launch.ts';
import { TestPlatform } from '../harness.ts';
import { launchOf } from './launch_argument.ts';

describe('the Tron of npm start', () => {
  const { DATA_DIR } = process.env;
  let service: Service;
  let prices: PriceServer;
  let platform: TestPlatform;

  before(async () => {
    const launch = launchOf();
    process.env.DATA_DIR = launch.settings.dataDir;
    const env = (await tronSandbox.env!(launch)) as Record<string, string>;
    expect(await tronSandbox.env!(launch)).to.deep.equal(env);
    [service] = (await tronSandbox.onReady!(launch)) as [Service];
    await service.start();
    prices = await startPrices();
    platform = await TestPlatform.open({
      env: { ...env, PRICE_SOURCES: prices.sources, EGRESS_ALLOW: new URL(prices.url).host },
    });
  });
  after(async () => {
    if (DATA_DIR === undefined) delete process.env.DATA_DIR;
    else process.env.DATA_DIR = DATA_DIR;
    await platform.close();
    await prices.close();
    await service.stop();
  });

  it('is for those who set nothing of Tron, with prices while no real network is set', () => {
    const runs = (env: Record<string, string> = {}, production = false) =>
      [tronSandbox, priceSandbox].map(({ when }) => when(launchOf(env, { production }).settings));
    expect(runs()).to.deep.equal([true, true]);
    expect(runs({}, true)).to.deep.equal([false, false]);
    expect(runs({ SANDBOX: 'false' })).to.deep.equal([false, true]);
    expect(runs({ TRON_RPC_URLS: 'https://tron.example.com' })).to.deep.equal([false, false]);
    expect(runs({ TRON_DEPOSIT_XPUB: 'xpub' })).to.deep.equal([false, true]);
    expect(runs({ BASE_RPC_URLS: 'https://base.example.com' })).to.deep.equal([true, false]);
    expect(runs({ PRICE_SOURCES: 'kraken' })).to.deep.equal([true, false]);
  });

  it('is paid on by npm run pay, which ends when the money is in the wallet', async () => {
    const { key, username, id } = await platform.agent();
    const lines: string[] = [];
    const args = ['usdt-tron', '12.5', '--key', key, '--url', platform.url];
    await pay(args, (line) => lines.push(line));
    expect(lines).to.deep.equal([
      `agent      ${username} (${id})`,
      lines[1],
      lines[2],
      'paid       waiting until it is in the wallet …',
      'credited   $12.5, the wallet has $13',
    ]);
    expect(lines[1]).to.match(/^address {4}T\w{33}$/);
    expect(lines[2]).to.match(/^transfer {3}[\da-f]{64}$/);
  });
});
