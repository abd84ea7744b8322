import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Prices of assets here, in dollars. They are fixed, so that examples and tests hold. */
const STEADY = { ALGO: '0.2', ETH: '3000', SOL: '150', USDC: '1', USDT: '1' };

type Sign = keyof typeof STEADY;

/** Answers as Coinbase, Kraken and CoinGecko do, at `/coinbase`, `/kraken` and `/coingecko`. */
export interface PriceServer {
  readonly url: string;
  /** Value for PRICE_SOURCES. */
  readonly sources: string;
  /** Sets the price of an asset at all three. */
  set(sign: string, price: string): void;
  close(): Promise<void>;
}

/** `port` 0 takes any free one. `PUT /` with `{"ETH": "2500"}` changes prices too. */
export async function startPrices(port = 0): Promise<PriceServer> {
  const prices: Record<Sign, string> = { ...STEADY };
  function set(sign: string, price: string) {
    if (!Object.hasOwn(STEADY, sign)) throw new Error(`${sign} is not sold here`);
    prices[sign as Sign] = price;
  }
  const server = createServer((request, response) => {
    const reply = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    if (request.method === 'PUT') {
      void textOf(request).then((text) => {
        try {
          const changes = JSON.parse(text) as Record<string, string>;
          for (const [sign, price] of Object.entries(changes)) set(sign, String(price));
          reply(200, prices);
        } catch (error) {
          reply(400, { message: (error as Error).message });
        }
      });
      return;
    }
    const body = answerTo(new URL(request.url!, 'http://prices'), prices, Date.now());
    reply(body ? 200 : 404, body ?? { message: 'NotFound' });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    sources: sourcesAt(url),
    set,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export const sourcesAt = (url: string) =>
  ['coinbase', 'kraken', 'coingecko'].map((name) => `${name}=${url}/${name}`).join(' ');

async function textOf(request: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function answerTo(
  { pathname, searchParams }: URL,
  prices: Record<Sign, string>,
  now: number,
): object | undefined {
  const [, product] = /^\/coinbase\/products\/(\w+)-USD\/ticker$/.exec(pathname) ?? [];
  if (product !== undefined && product in prices) {
    const price = prices[product as Sign];
    const time = new Date(now).toISOString();
    return { trade_id: 1, price, size: '1', time, bid: price, ask: price, volume: '1' };
  }
  if (pathname === '/coinbase/products/USDT-USDC/ticker') {
    const price = String(Number(prices.USDT) / Number(prices.USDC));
    return { trade_id: 1, price, size: '1', time: new Date(now).toISOString() };
  }
  if (pathname === '/kraken/0/public/Trades') {
    const sign = searchParams.get('pair')?.replace(/USD$/, '') ?? '';
    if (!(sign in prices)) return { error: ['EQuery:Unknown asset pair'] };
    const trade = [prices[sign as Sign], '1', now / 1_000, 'b', 'm', '', 1];
    return { error: [], result: { [PAIRS[sign] ?? `${sign}USD`]: [trade], last: `${now}000000` } };
  }
  if (pathname === '/coingecko/api/v3/simple/price') {
    const last_updated_at = Math.floor(now / 1_000);
    const coins = (searchParams.get('ids') ?? '').split(',').filter((id) => id in COINS);
    return Object.fromEntries(
      coins.map((id) => [id, { usd: Number(prices[COINS[id]!]), last_updated_at }]),
    );
  }
  return undefined;
}

/** Pairs for which Kraken answers with another name than it was asked. */
const PAIRS: Record<string, string> = { ETH: 'XETHZUSD', USDT: 'USDTZUSD' };

const COINS: Record<string, Sign> = {
  algorand: 'ALGO',
  ethereum: 'ETH',
  solana: 'SOL',
  tether: 'USDT',
  'usd-coin': 'USDC',
};
