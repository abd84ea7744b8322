import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// oxlint-disable-next-line typescript/no-explicit-any -- what a test changes in an answer
type Json = any;

/** An indexer that tells the truth until a test says otherwise. */
export interface FaultyIndexer {
  readonly url: string;
  /** From now on its answers to such paths are changed; undefined: that it knows nothing. */
  on(path: RegExp, change: (answer: Json) => Json): void;
  /** From now on it answers nothing at all. */
  hang(): void;
  /** The paths that it was asked. */
  asked(): readonly string[];
  /** It tells the truth again, and has been asked nothing. */
  honest(): void;
  close(): void;
}

export async function openFaultyIndexer(indexerUrl: string): Promise<FaultyIndexer> {
  const changes: [RegExp, (answer: Json) => Json][] = [];
  const asked: string[] = [];
  let hangs = false;
  const server = createServer((request, response) => {
    const path = request.url!;
    asked.push(path);
    if (hangs) return;
    void answer();
    async function answer() {
      const found = await fetch(indexerUrl + path);
      const change = changes.find(([pattern]) => pattern.test(path))?.[1];
      const truth = found.ok ? await found.json() : undefined;
      const body = change ? change(truth) : truth;
      response.writeHead(body ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body ?? { message: 'no transaction found' }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    on: (path, change) => void changes.unshift([path, change]),
    hang: () => void (hangs = true),
    asked: () => asked,
    honest() {
      hangs = false;
      changes.length = 0;
      asked.length = 0;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
