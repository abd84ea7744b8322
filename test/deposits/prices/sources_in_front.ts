import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { sourcesAt, startPrices, type PriceServer } from '../../../sandbox/prices/prices.ts';

export type SourceName = 'coinbase' | 'kraken' | 'coingecko';

/** The three sources of the sandbox, each of which a test can make say something else. */
export interface Sources {
  readonly text: string;
  readonly host: string;
  readonly prices: PriceServer;
  /** The questions that a source got since `reset`. */
  readonly asked: (name: SourceName) => number;
  on(name: SourceName, answer: (response: ServerResponse) => void): void;
  /** It says this text, with status 200. */
  says(name: SourceName, text: string): void;
  reset(): void;
  close(): Promise<void>;
}

export async function openSources(): Promise<Sources> {
  const prices = await startPrices();
  const answers = new Map<string, (response: ServerResponse) => void>();
  const asked = new Map<string, number>();
  const server = createServer((request, response) => {
    const name = request.url!.split('/')[1]!;
    asked.set(name, (asked.get(name) ?? 0) + 1);
    const answer = answers.get(name);
    if (answer) return answer(response);
    return void fetch(prices.url + request.url!).then(async (honest) =>
      response.writeHead(honest.status).end(await honest.text()),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const on: Sources['on'] = (name, answer) => void answers.set(name, answer);
  return {
    text: sourcesAt(`http://${host}`),
    host,
    prices,
    asked: (name) => asked.get(name) ?? 0,
    on,
    says: (name, text) => on(name, (response) => response.end(text)),
    reset() {
      answers.clear();
      asked.clear();
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await Promise.all([once(server, 'close'), prices.close()]);
    },
  };
}
