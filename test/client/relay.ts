import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Treat = (answer: () => Promise<Response>, res: ServerResponse) => Promise<void>;

/** The server did it, and its answer is lost on the way. */
export const dropAfterAnswer: Treat = async (answer, res) => {
  await (await answer()).text();
  res.destroy();
};

/** Nothing comes. */
export const hold: Treat = () => new Promise(() => undefined);

export const refuseFor =
  (seconds: number): Treat =>
  async (_answer, res) => {
    res.writeHead(503, { 'retry-after': String(seconds), 'content-type': 'application/json' });
    res.end('{"success":false,"error":"service_unavailable","message":"later"}');
  };

export const answerWith =
  (status: number, headers: Record<string, string> = {}, body = ''): Treat =>
  async (_answer, res) => {
    res.writeHead(status, headers);
    res.end(body);
  };

/** Passes requests on, and treats the first of them as it is told. */
export async function openRelay(target: string, treats: readonly Treat[]) {
  let requests = 0;
  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const treat = treats[requests];
    requests += 1;
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const answer = () =>
      fetch(target + req.url, {
        method: req.method!,
        headers: Object.entries(req.headers).flatMap(([name, value]) =>
          /^(host|connection|content-length)$/.test(name) ? [] : [[name, String(value)]],
        ) as [string, string][],
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      });
    if (treat) return treat(answer, res);
    const passed = await answer();
    res.writeHead(passed.status, { 'content-type': 'application/json' });
    res.end(await passed.text());
  }
  const server = await new Promise<Server>((resolve) => {
    const opened: Server = createServer((req, res) => {
      handle(req, res).catch(() => res.destroy());
    }).listen(0, '127.0.0.1', () => resolve(opened));
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get requests() {
      return requests;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(resolve);
      }),
  };
}
