import { expect } from 'chai';

import { PriceUnavailable } from '../../../shared/domains/deposits/chain/price_gateway.ts';
import { priceSettings } from '../../../shared/domains/deposits/prices/settings.ts';
import { readEnvironment } from '../../../shared/platform/config/environment.ts';
import { exceptionOf } from '../../../shared/platform/egress/addresses.ts';
import { openEgress } from '../../../shared/platform/egress/egress.ts';
import { openPrices } from '../../../workers/gateways/prices/prices.ts';
import { openSources, type SourceName, type Sources } from './sources_in_front.ts';
import { patience } from '../../platform/pace.ts';

const settingsOf = (text: string) => readEnvironment(priceSettings, { PRICE_SOURCES: text });

describe('prices', () => {
  let sources: Sources;

  before(async () => (sources = await openSources()));
  beforeEach(() => sources.reset());
  after(() => sources.close());

  /** A gateway that has asked nobody yet. */
  function gateway(only = /./, allow = sources.host) {
    const text = sources.text.split(' ').filter((word) => only.test(word));
    const egress = openEgress({ egressAllow: [exceptionOf(allow)], dnsServers: [] });
    return openPrices(settingsOf(text.join(' ')), egress);
  }
  async function refusal(sign: string, from = gateway()): Promise<string> {
    const error = await from.priceOf(sign).then(
      ({ price }) => new Error(`${sign} is at ${price}`),
      (thrown: Error) => thrown,
    );
    expect(error, error.message).to.be.instanceOf(PriceUnavailable);
    return error.message;
  }
  const ago = (seconds: number) => Date.now() / 1_000 - seconds;
  const trade = (price: unknown, at: unknown = ago(1)) =>
    JSON.stringify({ error: [], result: { XETHZUSD: [[price, '1', at, 'b', 'm', '', 1]] } });
  const ticker = (price: unknown, at: unknown = new Date()) =>
    JSON.stringify({ price, time: at, trade_id: 1 });
  const coins = (usd: unknown, last_updated_at: unknown = Math.floor(ago(1))) => {
    const coin = { usd, last_updated_at };
    return JSON.stringify({ ethereum: coin, algorand: coin, tether: coin });
  };

  it('are read from all three sources, for every asset that is taken', async () => {
    const prices = gateway();
    const found = async (sign: string) => {
      const { price, source, at } = await prices.priceOf(sign);
      expect(Date.now() - at.getTime(), sign).to.be.within(0, patience(10_000));
      return `${price} by ${source}`;
    };
    const all = 'coinbase kraken coingecko';
    expect(await found('ETH')).to.equal(`3000 by ${all}`);
    expect(await found('SOL')).to.equal(`150 by ${all}`);
    expect(await found('ALGO')).to.equal(`0.2 by ${all}`);
    expect(await found('USDT')).to.equal(`1 by ${all}`);
    expect(await found('USDC')).to.equal(`1 by ${all}`);
    expect(await refusal('DOGE', prices)).to.match(/DOGE: no source has it/);
  });

  it('are the median, with all their decimals', async () => {
    sources.says('coinbase', ticker('3000.000000000000000001'));
    sources.says('kraken', trade('3001.25'));
    sources.says('coingecko', coins(2999.123456789012));
    const { price } = await gateway().priceOf('ETH');
    expect(price).to.equal('3000.000000000000000001');
    // The mean of two.
    const { price: mean, source } = await gateway(/^(coinbase|kraken)/).priceOf('ETH');
    expect(mean).to.equal('3000.625');
    expect(source).to.equal('coinbase kraken');
  });

  it('need two sources that agree, and a third that lies changes nothing', async () => {
    for (const lie of ['2900', '1', '999999999999', '0.000001']) {
      sources.says('kraken', trade(lie));
      const { price, source } = await gateway().priceOf('ETH');
      expect(`${price} by ${source}`).to.equal('3000 by coinbase coingecko');
    }
    // Not the median of all three either.
    sources.says('coingecko', coins(3_010));
    expect((await gateway().priceOf('ETH')).price).to.equal('3005');
    const two = gateway(/^(coinbase|kraken)/);
    sources.says('kraken', trade('3060'));
    // 3060 is 2 % above 3000, and 3061 is more.
    expect((await two.priceOf('ETH')).price).to.equal('3030');
    sources.says('kraken', trade('3061'));
    expect(await refusal('ETH', gateway(/^(coinbase|kraken)/))).to.equal(
      'no two sources agree on the price of ETH: coinbase: $3000; kraken: $3061',
    );
    expect(await refusal('ETH', gateway(/^coinbase/))).to.match(/coinbase: \$3000$/);
    sources.says('coingecko', coins(2_000));
    expect(await refusal('ETH')).to.match(/coinbase: \$3000; kraken: \$3061; coingecko: \$2000/);
  });

  it('are no older than a minute, and those of ALGO than two', async () => {
    const only = /^(kraken|coingecko)/;
    for (const [sign, limit] of [
      ['ETH', 60],
      ['ALGO', 120],
      ['USDT', 600],
    ] as const) {
      sources.says('kraken', trade('1', ago(limit - 3)));
      sources.says('coingecko', coins(1));
      expect((await gateway(only).priceOf(sign)).price).to.equal('1');
      sources.says('kraken', trade('1', ago(limit + 2)));
      expect(await refusal(sign, gateway(only))).to.match(/kraken: is \d+ s old, which is more/);
    }
    sources.says('kraken', trade('1', ago(-60)));
    expect(await refusal('ETH', gateway(only))).to.match(/kraken: is of a time that has not come/);
  });

  it('are not taken from garbage', async () => {
    const now = new Date();
    const answers: Record<SourceName, readonly string[]> = {
      coinbase: [
        ...['0', '-3000', 'NaN', '3e3', 'Infinity', '', null, {}].map((price) => ticker(price)),
        ...[undefined, 'yesterday', {}, 1e300].map((at) => ticker('3000', at ?? null)),
        '',
        '{',
        'null',
        '[]',
        '"3000"',
        '{"price":{"toString":1}}',
        '<html>',
        JSON.stringify({ price: '3000' }),
        JSON.stringify({ time: now }),
      ],
      kraken: [
        JSON.stringify({ error: ['EService:Unavailable'] }),
        '{"error":[],"result":{}}',
        '{"error":[],"result":{"XETHZUSD":[]}}',
        'null',
        '{"result":{"XETHZUSD":[[]]}}',
        '{"result":[[["3000"]]]}',
        '{"error":{}}',
        ...['0', '-1', 'NaN', '0x10', '1e3', null].map((price) => trade(price)),
        ...[null, 'now', 1e300, -1].map((at) => trade('3000', at)),
      ],
      coingecko: [
        '{}',
        '{"ethereum":null}',
        '{"ethereum":{"usd":3000}}',
        '{"ethereum":{"usd":1e400}}',
        ...[0, -3000, null, 1e21, 1e-9].map((usd) => coins(usd)),
        ...[null, 'now', 1e300].map((at) => coins(3_000, at)),
      ],
    };
    for (const [name, texts] of Object.entries(answers) as [SourceName, string[]][]) {
      for (const text of texts) {
        sources.says(name, text);
        const { price, source } = await gateway().priceOf('ETH');
        expect(`${price} ${source}`, text).to.equal(
          `3000 ${['coinbase', 'kraken', 'coingecko'].filter((one) => one !== name).join(' ')}`,
        );
      }
      sources.reset();
    }
    sources.on('coinbase', (response) => response.writeHead(500).end(ticker('3000')));
    sources.on('kraken', (response) =>
      response.writeHead(302, { location: `http://${sources.host}/coinbase` }).end(),
    );
    const why = await refusal('ETH');
    expect(why)
      .to.match(/coinbase: answers 500/)
      .and.match(/kraken: answers 302/);
  });

  it('wait for no source that hangs, and read no more of one than a price is long', async () => {
    let sent = 0;
    sources.on('coinbase', () => undefined);
    sources.on('kraken', (response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) sent += 65_536;
      };
      response.on('drain', more);
      more();
    });
    const prices = gateway();
    const why = await refusal('ETH', prices);
    expect(why)
      .to.match(/coinbase: does not answer in time/)
      .and.match(/kraken: the answer is longer than/);
    expect(sent).to.be.below(50e6);
    // A price that failed is not asked for again by everybody.
    await refusal('ETH', prices);
    expect(sources.asked('coinbase')).to.equal(1);
  });

  it('are asked once a source by all who wait, and not again for some seconds', async () => {
    const prices = gateway();
    await Promise.all(Array.from({ length: 50 }, () => prices.priceOf('ETH')));
    await prices.priceOf('ETH');
    expect((['coinbase', 'kraken', 'coingecko'] as const).map(sources.asked)).to.deep.equal([
      1, 1, 1,
    ]);
    await prices.priceOf('SOL');
    // CoinGecko says all of them at once.
    expect((['coinbase', 'kraken', 'coingecko'] as const).map(sources.asked)).to.deep.equal([
      2, 2, 1,
    ]);
  });

  it('come through the guard of outgoing connections', async () => {
    expect(await refusal('ETH', gateway(/./, '10.0.0.0/8'))).to.match(/does not lead to a public/);
    expect(sources.asked('coinbase')).to.equal(0);
    const closed = settingsOf('coinbase=http://127.0.0.1:1 kraken=http://127.0.0.1:1');
    const egress = openEgress({ egressAllow: [exceptionOf('127.0.0.1:1')], dnsServers: [] });
    expect(await refusal('ETH', openPrices(closed, egress))).to.equal(
      'no two sources agree on the price of ETH: coinbase: cannot be reached (ECONNREFUSED); ' +
        'kraken: cannot be reached (ECONNREFUSED)',
    );
  });

  it('of the sandbox are steady, and changed by whoever runs it', async () => {
    const change = (body: string) => fetch(sources.prices.url, { method: 'PUT', body });
    expect((await change('{"ETH":"2500.5"}')).status).to.equal(200);
    expect((await gateway().priceOf('ETH')).price).to.equal('2500.5');
    expect((await change('{"DOGE":"1"}')).status).to.equal(400);
    sources.prices.set('ETH', '3000');
  });

  it('are set by a list of sources, each with a server of its own if need be', () => {
    expect(settingsOf('').sources.map(({ name }) => name)).to.deep.equal([
      'coinbase',
      'kraken',
      'coingecko',
    ]);
    expect(settingsOf('kraken=https://k.example.com/').sources).to.deep.equal([
      { name: 'kraken', url: 'https://k.example.com' },
    ]);
    for (const odd of ['binance', 'kraken kraken', 'kraken=ftp://k', 'kraken=', '=http://k']) {
      expect(() => settingsOf(odd), odd).to.throw(/PRICE_SOURCES/);
    }
  });
});
