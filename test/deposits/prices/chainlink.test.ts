import { expect } from 'chai';
import { Interface } from 'ethers';

import { PriceUnavailable } from '../../../shared/domains/deposits/chain/price_gateway.ts';
import { priceSettings } from '../../../shared/domains/deposits/prices/settings.ts';
import { readEnvironment } from '../../../shared/platform/config/environment.ts';
import { exceptionOf } from '../../../shared/platform/egress/addresses.ts';
import { openEgress } from '../../../shared/platform/egress/egress.ts';
import { openChainlink } from '../../../workers/gateways/prices/chainlink.ts';
import { openPrices } from '../../../workers/gateways/prices/prices.ts';
import { compiled } from '../../local/solidity.ts';
import { openFaultyRpc, type FaultyRpc } from '../../withdrawals/faulty_rpc.ts';
import { openPaying, type Paying } from '../evm/payer.ts';
import { openSources, type Sources } from './sources_in_front.ts';

const HEARTBEAT = 3_600;

describe('prices of Chainlink, by a contract on a node', function () {
  this.timeout(60_000);

  let paying: Paying;
  let provider: FaultyRpc;
  let sources: Sources;
  let feed: string;
  let calls: Interface;

  before(async () => {
    paying = await openPaying(1);
    provider = await openFaultyRpc(paying.evm.url);
    sources = await openSources();
    const { abi, bytecode } = compiled('test/deposits/prices/feed.sol', 'Feed');
    calls = new Interface(abi);
    feed = await paying.deploy(bytecode);
  });
  beforeEach(async () => {
    provider.honest();
    sources.reset();
    await says({});
  });
  after(async () => {
    provider.close();
    await sources.close();
    await paying.close();
  });

  const ago = (seconds: number) => Math.floor(Date.now() / 1_000) - seconds;
  const says = ({ decimals = 8, round = 7n, price = 2_998_00000000n, at = ago(HEARTBEAT - 60) }) =>
    paying.call(feed, calls.encodeFunctionData('set', [decimals, round, price, at]));
  /** One that has asked nobody yet: of the feed, and of these sources. */
  function gateway(only = /^coinbase/, address = feed) {
    const settings = readEnvironment(priceSettings, {
      PRICE_SOURCES: sources.text
        .split(' ')
        .filter((word) => only.test(word))
        .join(' '),
      CHAINLINK_RPC_URL: provider.url,
      CHAINLINK_FEEDS: `ETH=${address}/${HEARTBEAT}`,
    });
    const egress = openEgress({ egressAllow: [exceptionOf(sources.host)], dnsServers: [] });
    return openPrices(settings, egress, [openChainlink(settings.chainlink!)]);
  }
  async function refusal(sign = 'ETH', from = gateway()): Promise<string> {
    const error = await from.priceOf(sign).then(
      ({ price }) => new Error(`${sign} is at ${price}`),
      (thrown: Error) => thrown,
    );
    expect(error, error.message).to.be.instanceOf(PriceUnavailable);
    return error.message;
  }

  it('count beside those of others, with the decimals of the feed', async () => {
    const { price, source, at } = await gateway().priceOf('ETH');
    expect([price, source]).to.deep.equal(['2999', 'coinbase chainlink']);
    expect(at.getTime()).to.be.below(Date.now() - (HEARTBEAT - 120) * 1_000);
    await says({ decimals: 18, price: 3_001n * 10n ** 18n + 1n });
    const all = await gateway(/./).priceOf('ETH');
    expect([all.price, all.source]).to.deep.equal(['3000', 'coinbase kraken coingecko chainlink']);
  });

  it('count no longer than its heartbeat, and the blocks that a round is late', async () => {
    await says({ at: ago(HEARTBEAT + 200) });
    expect(await refusal()).to.match(/chainlink: is \d+ s old, which is more than 3720/);
    await says({ at: ago(-60) });
    expect(await refusal()).to.contain('chainlink: is of a time that has not come');
  });

  it('do not count without a complete round and a positive price', async () => {
    for (const [said, reason] of [
      [{ price: 0n }, 'has no positive price'],
      [{ price: -2_998_00000000n }, 'has no positive price'],
      [{ round: 0n }, 'has no complete round'],
      [{ at: 0 }, 'has no complete round'],
      [{ decimals: 200 }, 'has 200 decimals'],
      [{ price: 2n ** 200n }, 'names no price'],
    ] as const) {
      await says(said);
      expect(await refusal()).to.contain(`chainlink: ${reason}`);
    }
  });

  it('are read of no other chain, no node that stands still, and nothing that is no feed', async () => {
    provider.on('eth_chainId', async () => '0x2105');
    expect(await refusal()).to.contain('chainlink: its provider is not of Ethereum');
    provider.honest();
    provider.on('eth_getBlockByNumber', async () => ({ timestamp: `0x${ago(400).toString(16)}` }));
    expect(await refusal()).to.contain('chainlink: its provider stands still');
    provider.on('eth_getBlockByNumber', async () => null);
    expect(await refusal()).to.contain('chainlink: its provider stands still');
    provider.honest();
    expect(await refusal('ETH', gateway(/^coinbase/, paying.payer))).to.contain('is no feed');
    provider.on('eth_call', () => 'break');
    expect(await refusal()).to.contain('does not answer');
  });

  it('are asked for what has a feed, and once for all who wait', async () => {
    const prices = gateway();
    const before = provider.requests();
    await Promise.all(Array.from({ length: 20 }, () => prices.priceOf('ETH')));
    expect(provider.requests() - before).to.equal(1);
    expect(await refusal('SOL', prices)).to.not.contain('chainlink');
  });

  it('are set by feeds that are written as they have to be', () => {
    const settings = (CHAINLINK_FEEDS: string) =>
      readEnvironment(priceSettings, { CHAINLINK_FEEDS, CHAINLINK_RPC_URL: provider.url });
    expect(settings('').chainlink!.feeds.size).to.equal(0);
    for (const odd of ['ETH', `ETH=${feed}`, `ETH=${feed}/0`, 'ETH=0x12/60', `eth=${feed}/60`]) {
      expect(() => settings(odd), odd).to.throw(/CHAINLINK_FEEDS has .*, which is not as ETH=0x/);
    }
    expect(() => settings(`ETH=${feed}/60 ETH=${feed}/61`)).to.throw(/names an asset twice/);
  });
});
