import type { SettingReader } from '../../platform/config/environment.ts';
import { url, words } from '../../platform/config/setting_values.ts';

const SOURCES = {
  coinbase: 'https://api.exchange.coinbase.com',
  coingecko: 'https://api.coingecko.com',
  kraken: 'https://api.kraken.com',
};

export type SourceName = keyof typeof SOURCES;

export interface SourceSettings {
  readonly name: SourceName;
  readonly url: string;
}

/** What says how many dollars an asset is worth. */
export function priceSettings({ read }: SettingReader) {
  return Object.freeze({
    sources: read('PRICE_SOURCES', 'coinbase kraken coingecko', sourcesIn),
  });
}

/** Names, of which each may have a URL of its own: `coinbase kraken=https://prices.example.com`. */
function sourcesIn(text: string): readonly SourceSettings[] {
  const sources = words(text).map((word) => {
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
