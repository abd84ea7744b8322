import { expect } from 'chai';

import { priceSettings } from '../../../shared/domains/deposits/prices/settings.ts';
import { readEnvironment } from '../../../shared/platform/config/environment.ts';
import { exceptionOf } from '../../../shared/platform/egress/addresses.ts';
import { openEgress } from '../../../shared/platform/egress/egress.ts';
import { openPrices } from '../../../workers/gateways/prices/prices.ts';
import { openSources, type Sources } from './sources_in_front.ts';

describe('prices of three sources', () => {
  let sources: Sources;
  before(async () => (sources = await openSources()));
  beforeEach(() => sources.reset());
  after(() => sources.close());

  /** A gateway that has asked nobody yet. */
  function gateway(only = /./, env: Record<string, string> = {}) {
    const text = sources.text.split(' ').filter((word) => only.test(word));
    const egress = openEgress({ egressAllow: [exceptionOf(sources.host)], dnsServers: [] });
    const all = { PRICE_SOURCES: text.join(' '), ...env };
    return openPrices(readEnvironment(priceSettings, all), egress);
  }
  const ago = (seconds: number) => Date.now() / 1_000 - seconds;
  const trade = (price: string) =>
    JSON.stringify({ error: [], result: { XETHZUSD: [[price, '1', ago(1), 'b', 'm', '', 1]] } });
  const ticker = (price: string, at = new Date()) =>
    JSON.stringify({ price, time: at, trade_id: 1 });
  const coins = (usd: number) =>
    JSON.stringify({ ethereum: { usd, last_updated_at: Math.floor(ago(1)) } });

  it('count if each two of them are near, the nearest of as many', async () => {
    // 2950 and 3000 are 1.7 % apart, 3000 and 3055 are 1.8 %, and 2950 and 3055 are 3.6 %.
    sources.says('coinbase', ticker('2950'));
    sources.says('kraken', trade('3055'));
    sources.says('coingecko', coins(3_000));
    const { price, source } = await gateway().priceOf('ETH');
    expect(`${price} by ${source}`).to.equal('2975 by coinbase coingecko');
  });

  it('of any asset are delayed by no source that is away, and wait for none that hangs', async () => {
    const names = ['coinbase', 'kraken', 'coingecko'] as const;
    for (const sign of ['ETH', 'SOL', 'ALGO', 'USDC', 'USDT']) {
      for (const away of names) {
        sources.reset();
        const others = names.filter((name) => name !== away).join(' ');
        sources.on(away, (response) => response.destroy());
        expect((await gateway().priceOf(sign)).source, sign).to.equal(others);
        if (sign !== 'USDC') continue;
        let isGivenUp = false;
        sources.on(away, (response) => response.on('close', () => (isGivenUp = true)));
        expect((await gateway().priceOf(sign)).source, sign).to.equal(others);
        // Whatever was given up before is closed by now.
        await fetch(`${sources.prices.url}/${away}`);
        expect(isGivenUp, `${sign} waited for ${away}`).to.equal(false);
      }
    }
  });

  it('of USDC are what USDT costs in dollars and in USDC at Coinbase, as old as the older', async () => {
    const at = new Date(ago(300) * 1_000);
    sources.on('coinbase', (response) => {
      const isOfUsdc = response.req.url!.includes('USDT-USDC');
      response.end(isOfUsdc ? ticker('1.0200', at) : ticker('1.0098'));
    });
    sources.says('kraken', trade('0.99'));
    const found = await gateway(/^(coinbase|kraken)/).priceOf('USDC');
    expect(found).to.include({ price: '0.99', source: 'coinbase kraken' });
    expect(found.at.getTime()).to.equal(at.getTime());
  });

  it('of CoinGecko are asked with its key, which no reason repeats', async () => {
    const key = 'CG-aB3dE5fG7hJ9kL1mN3pQ5rS7';
    const heard: unknown[] = [];
    sources.on('coingecko', (response) => {
      heard.push(response.req.headers['x-cg-demo-api-key']);
      response.writeHead(401).end(JSON.stringify({ error: `wrong key ${key}` }));
    });
    const keyed = gateway(/^coingecko/, { COINGECKO_API_KEY: key });
    const why = await keyed.priceOf('ETH').then(String, String);
    expect(heard).to.deep.equal([key]);
    expect(why).to.contain('coingecko: answers 401').and.not.contain(key);
  });
});
