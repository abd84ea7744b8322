// test:all: the whole of npm start is launched.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import type { Launch } from '../../../local/launcher/launch_entry.ts';
import { pay } from '../../../local/pay/pay.ts';
import { algorandSandbox } from '../../../sandbox/algorand/launch.ts';
import { startPrices } from '../../../sandbox/prices/prices.ts';
import { TestPlatform } from '../../harness.ts';

/** The argument that `npm start` passes to it, as far as it reads that. */
function launchOf(production: boolean, env: Record<string, string> = {}) {
  const settings = { production, dataDir: mkdtempSync(join(tmpdir(), 'algorand-')), env };
  const stopping = new AbortController();
  return { stop: () => stopping.abort(), launch: launchWith(settings, stopping.signal) };
}

const launchWith = (settings: object, stopping: AbortSignal) =>
  ({ settings, env: {}, built: '', stopping }) as unknown as Launch;

describe('the Algorand of npm start', () => {
  it('is for those who set none, and not for production', () => {
    const runs = (production: boolean, env?: Record<string, string>) =>
      algorandSandbox.when(launchOf(production, env).launch.settings);
    expect(runs(false)).to.equal(true);
    expect(runs(true)).to.equal(false);
    expect(runs(false, { SANDBOX: 'false' })).to.equal(false);
    expect(runs(false, { ALGO_INDEXER_URLS: 'https://indexer.example.com' })).to.equal(false);
  });

  it('is paid on by npm run pay, and what is paid is in the wallet', async () => {
    const { launch, stop } = launchOf(false);
    const env = (await algorandSandbox.env!(launch)) as Record<string, string>;
    const prices = await startPrices();
    const priced = { PRICE_SOURCES: prices.sources, EGRESS_ALLOW: new URL(prices.url).host };
    const platform = await TestPlatform.open({ env: { ...env, ...priced } });
    await algorandSandbox.onReady!(launch);
    try {
      const { key } = await platform.agent({ usd: 0 });
      const lines: string[] = [];
      const at = ['--key', key, '--url', platform.url, '--rpc', env.ALGO_NODE_URL!];
      await pay(['algo', '12.5', ...at], (line) => lines.push(line));
      expect(lines.at(-1)).to.match(/^credited {3}\$2\.5, the wallet has \$3$/);
      expect(lines.join('\n')).to.match(/\nnote {7}agt_\d+:[0-9a-f]{32}\n/);
    } finally {
      stop();
      await platform.close();
      await prices.close();
    }
  });
});
