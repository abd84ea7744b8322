import { expect } from 'chai';

import { DEMO } from '../../local/demo/catalogue.ts';
import { TestPlatform } from '../harness.ts';

/** Sold beside what the demo sells. */
const MORE: readonly (readonly [title: string, description: string, category: string])[] = [
  ['Premium VPN subscription', 'Twelve months on five devices, as a code.', 'serial_key'],
  ['Windows 11 Pro activation', 'An OEM key that activates one machine.', 'serial_key'],
  ['Game voucher, 20 euros', 'A gift card for the online store.', 'serial_key'],
  ['Translation API', 'Translates texts between 40 languages, billed monthly.', 'api_service'],
  ['Speech-to-text transcription', 'Turns audio into text. Realtime.', 'api_service'],
  ['Image recognition', 'Labels what is in pictures; organised by topic.', 'api_service'],
  ['Currency exchange rates', 'Forex quotes as JSON, updated each minute.', 'api_service'],
  ['E-mail verification credits', 'Checks whether an address exists.', 'api_service'],
  ['Residential proxies, rotating', 'SOCKS5 and HTTP exits in 50 countries.', 'proxy_service'],
  ['Mobile 4G proxies', 'Exits of German phone networks.', 'proxy_service'],
  ['MCP server: GitHub issues', 'Reads and writes issues and reviews.', 'mcp_server'],
  ['MCP server: web browser', 'Opens pages, clicks, takes screenshots.', 'mcp_server'],
  ['MCP server: PostgreSQL', 'Runs read-only SQL queries.', 'mcp_server'],
  ['NFT mint contract', 'Solidity, ERC-721, with royalties and an allow list.', 'smart_contract'],
  ['Multisig wallet contract', 'Audited; several owners sign each payment.', 'smart_contract'],
  ['Labelled street photos', '50 000 pictures for training vision models.', 'dataset'],
  ['Historic stock prices', 'Daily prices of 8 000 shares since 1990.', 'dataset'],
  ['Product reviews with sentiment', 'A million reviews, scored.', 'dataset'],
  ['Company addresses in Europe', 'Names, phone numbers and postcodes.', 'dataset'],
];

/** What people and agents type, and the title that must come first. */
const QUERIES: Readonly<Record<string, string>> = {
  'weather api key': 'Weather API, 1 000 calls',
  weather: 'Weather API, 1 000 calls',
  'weather forecast': 'Weather API, 1 000 calls',
  'hourly forecasting by coordinates': 'Weather API, 1 000 calls',
  'wether api': 'Weather API, 1 000 calls',
  'a cheap weather api for my agent please': 'Weather API, 1 000 calls',
  'license key for build farm': 'Build farm licence key, one year',
  'licence prompt': 'Prompt linter licence key',
  'prompt linter license': 'Prompt linter licence key',
  'linter licences that never expire': 'Prompt linter licence key',
  'promt linter': 'Prompt linter licence key',
  erc20: 'ERC-20 vesting contract',
  'erc-20': 'ERC-20 vesting contract',
  'ERC 20': 'ERC-20 vesting contract',
  'erc20 token contract': 'ERC-20 vesting contract',
  'smart contract vesting': 'ERC-20 vesting contract',
  'vesting solidty': 'ERC-20 vesting contract',
  geocoding: 'Geocoding API seat',
  'geocode api': 'Geocoding API seat',
  'datacenter proxies': 'Datacentre proxy list',
  'data center proxy': 'Datacentre proxy list',
  'proxy list daily': 'Datacentre proxy list',
  'calendar mcp': 'MCP server: calendar',
  'mcp server for calendars': 'MCP server: calendar',
  calender: 'MCP server: calendar',
  'product titles csv': 'Product titles, 10 000 rows',
  'dataset of product titles': 'Product titles, 10 000 rows',
  vpn: 'Premium VPN subscription',
  'vpn key': 'Premium VPN subscription',
  'windows license': 'Windows 11 Pro activation',
  'windows 11': 'Windows 11 Pro activation',
  'gift card': 'Game voucher, 20 euros',
  'vouchers for games': 'Game voucher, 20 euros',
  'translate text': 'Translation API',
  'translation service': 'Translation API',
  translator: 'Translation API',
  'speech to text': 'Speech-to-text transcription',
  'real-time transcription': 'Speech-to-text transcription',
  transcripton: 'Speech-to-text transcription',
  'organized image labels': 'Image recognition',
  'image recogniton api': 'Image recognition',
  'exchange rate': 'Currency exchange rates',
  'forex json': 'Currency exchange rates',
  'email verification': 'E-mail verification credits',
  'verify e-mail addresses': 'E-mail verification credits',
  'socks5 proxy': 'Residential proxies, rotating',
  'socks proxies': 'Residential proxies, rotating',
  'rotating residential proxy': 'Residential proxies, rotating',
  'german mobile proxy': 'Mobile 4G proxies',
  github: 'MCP server: GitHub issues',
  'browser mcp server': 'MCP server: web browser',
  'screenshot tool': 'MCP server: web browser',
  postgres: 'MCP server: PostgreSQL',
  sql: 'MCP server: PostgreSQL',
  erc721: 'NFT mint contract',
  nft: 'NFT mint contract',
  'multi-sig wallet': 'Multisig wallet contract',
  'audited contract': 'Multisig wallet contract',
  'labeled training photos': 'Labelled street photos',
  'stock price history': 'Historic stock prices',
  'historical stock prices': 'Historic stock prices',
  '"stock prices"': 'Historic stock prices',
  'sentiment reviews': 'Product reviews with sentiment',
  'european company data': 'Company addresses in Europe',
};

describe('search_assets finds what is meant', () => {
  let platform: TestPlatform;
  let reader: { key: string };
  let seller: { key: string; username: string };
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
    [reader, seller] = [await platform.agent(), await platform.agent()];
    for (const product of DEMO) await platform.product(seller, { ...product });
    for (const [title, description, category] of MORE) {
      const stock = { stock_kind: 'unlimited', content: 'x' };
      await platform.product(seller, { title, description, category, ...stock });
    }
  });
  after(() => platform.close());

  const search = async (query: string) => {
    const path = `/api/v1/products/search?query=${encodeURIComponent(query)}`;
    return (await platform.request(`GET ${path}`, { key: reader.key })).body;
  };

  for (const [query, title] of Object.entries(QUERIES)) {
    it(query, async () => {
      const { products } = await search(query);
      expect(products[0]?.title).to.equal(title);
    });
  }
});
