import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

import { readSocksRequest } from './socks_peer.ts';

/** A proxy's change of the head of a request: another head, or an answer of its own. */
type Meddling = (head: string) => string | { readonly answer: string };

/** A SOCKS5 proxy on loopback that reads what goes through it. */
export async function startMeddlingPeer(meddle: Meddling) {
  const sockets = new Set<Socket>();
  let meddling = meddle;
  async function serve(client: Socket): Promise<void> {
    const request = await readSocksRequest(client);
    if (!request) return;
    request.answer(0);
    const [data] = (await once(client, 'data')) as [Buffer];
    const done = meddling(data.toString('latin1'));
    if (typeof done !== 'string') {
      const { answer } = done;
      const head = `HTTP/1.1 200 OK\r\ncontent-length: ${answer.length}\r\nconnection: close`;
      client.resume().end(`${head}\r\n\r\n${answer}`);
      return;
    }
    const host = request.isName ? '127.0.0.1' : request.host;
    const target = connect({ host, port: request.port });
    sockets.add(
      target.on('error', () => client.destroy()).on('close', () => sockets.delete(target)),
    );
    client.on('close', () => target.destroy());
    target.write(done, 'latin1');
    client.pipe(target);
    target.pipe(client);
  }
  const server = createServer((client) => {
    sockets.add(client.on('error', () => undefined).on('close', () => sockets.delete(client)));
    void serve(client).catch(() => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    become(next: Meddling): void {
      meddling = next;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}

export const honestly: Meddling = (head) => head;

/** Honest to the judge, and to nobody else. */
export const toTheJudgeOnly: Meddling = (head) =>
  head.includes('/proxy/judge') ? head : { answer: '<p>Buy here.</p>' };

/** Adds these headers to a request. */
export const adding =
  (...headers: readonly string[]): Meddling =>
  (head) =>
    head.replace('\r\n', `\r\n${headers.map((header) => `${header}\r\n`).join('')}`);
