import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Stands in front of a facilitator, and answers in its place when it is told to. */
export interface FacilitatorInFront {
  readonly url: string;
  /** How often it was asked. */
  readonly asked: () => number;
  passTo(url: string): void;
  answerInstead(body: object): void;
  /** Changes the next answer when the other has settled. */
  answerSettle(change: () => object): void;
  hang(): void;
  close(): Promise<void>;
}

export async function standInFront(): Promise<FacilitatorInFront> {
  type Answer = (path: string, body: string) => Promise<object> | undefined;
  let answer: Answer = () => undefined;
  let asked = 0;
  const server: Server = createServer((req, res) => {
    void (async () => {
      let body = '';
      for await (const chunk of req.setEncoding('utf8')) body += chunk;
      asked += 1;
      const found = await answer(req.url!, body);
      if (found) res.end(JSON.stringify(found));
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const pass =
    (url: string): Answer =>
    async (path, body) => {
      const headers = { 'content-type': 'application/json' };
      return (await fetch(url + path, { method: 'POST', headers, body })).json() as Promise<object>;
    };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => asked,
    passTo: (url) => (answer = pass(url)),
    answerInstead: (body) => (answer = async () => body),
    answerSettle(change) {
      const before = answer;
      answer = async (path, body) => {
        const said = await before(path, body)!;
        if (path !== '/settle') return said;
        answer = before;
        return change();
      };
    },
    hang: () => (answer = () => undefined),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
