import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Webhook } from 'standardwebhooks';

/** A message as a receiver got it. */
export interface Received {
  readonly headers: Record<string, string>;
  readonly body: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read any event
  readonly event: any;
}

type Behaviour = (res: ServerResponse, req: IncomingMessage) => void;
export const answer =
  (status: number, headers: Record<string, string> = {}): Behaviour =>
  (res) =>
    res.writeHead(status, headers).end();
export const hang: Behaviour = () => undefined;
export const reset: Behaviour = (_res, req) => req.socket.resetAndDestroy();
export const sendWithoutEnd: Behaviour = (res) => {
  res.writeHead(200);
  const chunk = Buffer.alloc(64 * 1024, 'x');
  const write = (): void => {
    while (!res.destroyed && res.write(chunk));
    if (!res.destroyed) res.once('drain', write);
  };
  write();
};

/** A small real server, as an owner would run it. */
export async function startReceiver() {
  const received: Received[] = [];
  let behave: Behaviour = answer(204);
  const server = createServer((req, res) => {
    let body = '';
    req.on('data', (chunk: Buffer) => (body += chunk.toString()));
    req.on('error', () => undefined);
    req.on('end', () => {
      const headers = req.headers as Record<string, string>;
      received.push({ headers, body, event: JSON.parse(body) });
      behave(res, req);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    behave: (next: Behaviour) => (behave = next),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** Throws unless the published library finds that this secret signed it. */
export const verify = (secret: string, { body, headers }: Received): unknown =>
  new Webhook(secret).verify(body, headers);
