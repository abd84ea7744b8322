import { headerValue } from '../../../platform/config/chain_values.ts';
import type { SettingReader } from '../../../platform/config/environment.ts';
import { list, url } from '../../../platform/config/setting_values.ts';

const SOURCES = {
  coinbase: 'https://api.exchange.coinbase.com',
  coingecko: 'https://api.coingecko.com',
  kraken: 'https://api.kraken.com',
};

export type SourceName = keyof typeof SOURCES;

interface SourceSettings {
  readonly name: SourceName;
  readonly url: string;
}

/** Settings of Chainlink: an Ethereum node, and its price contracts by the symbols of assets. */
export interface ChainlinkSettings {
  readonly rpcUrl: string;
  readonly feeds: ReadonlyMap<string, Feed>;
}

interface Feed {
  readonly address: string;
  /** Maximum age of its newest round. */
  readonly ageMaxMs: number;
}

/** Settings of the price sources. */
export function priceSettings({ read, optional }: SettingReader) {
  const rpcUrl = optional('CHAINLINK_RPC_URL', url('https', 'http'));
  const feeds = read('CHAINLINK_FEEDS', '', feedsIn);
  return Object.freeze({
    /** Key of CoinGecko, whose servers without one take few requests. */
    coingeckoKey: optional('COINGECKO_API_KEY', headerValue),
    sources: read('PRICE_SOURCES', 'coinbase,kraken,coingecko', sourcesIn),
    /** Undefined: Chainlink is not used. */
    chainlink: rpcUrl === undefined ? undefined : Object.freeze({ rpcUrl, feeds }),
  });
}

/** Allowed delay of a round: it takes some blocks. */
const LATE_SECONDS = 120;

/** Parses symbols with addresses and heartbeats in seconds: `ETH=0x5f4e…/3600`. */
function feedsIn(text: string): ReadonlyMap<string, Feed> {
  const feeds = list(text).map((word): [string, Feed] => {
    const [, sign, address, seconds] =
      /^([A-Z]{2,10})=(0x[\da-fA-F]{40})\/([1-9]\d{0,5})$/.exec(word) ?? [];
    if (!sign) throw new Error(`has ${word}, which is not as ETH=0x… of 40 digits, /, seconds`);
    const ageMaxMs = (Number(seconds) + LATE_SECONDS) * 1_000;
    return [sign, { address: address!, ageMaxMs }];
  });
  const found = new Map(feeds);
  if (found.size !== feeds.length) throw new Error('names an asset twice');
  return found;
}

/** Parses names with optional URLs: `coinbase,kraken=https://prices.example.com`. */
function sourcesIn(text: string): readonly SourceSettings[] {
  const sources = list(text).map((word) => {
    const [, name = '', address] = /^([^=]*)(?:=(.*))?$/.exec(word) ?? [];
    if (!Object.hasOwn(SOURCES, name)) {
      throw new Error(`names ${name}, which is none of ${Object.keys(SOURCES).join(', ')}`);
    }
    const known = name as SourceName;
    return { name: known, url: url('https', 'http')(address ?? SOURCES[known]) };
  });
  const names = new Set(sources.map(({ name }) => name));
  if (names.size !== sources.length) throw new Error('names a source twice');
  return sources;
}

export type PriceSettings = ReturnType<typeof priceSettings>;
