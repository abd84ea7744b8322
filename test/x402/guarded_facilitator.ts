import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that a facilitator let in. */
export interface Request {
  readonly method: string;
  /** Host and path, as a token names them. */
  readonly at: string;
  readonly authorization: string | undefined;
}

/** Stands in front of a facilitator as a service with accounts: it asks who calls. */
export interface GuardedFacilitator {
  readonly url: string;
  readonly host: string;
  /** Paths at which it was asked, in their order. */
  readonly asked: string[];
  readonly requests: Request[];
  /** Answers this path itself, or closes the connection; undefined: it passes it on again. */
  answer(path: string, answer: Answer | undefined): void;
  close(): Promise<void>;
}

type Answer = { readonly status: number; readonly body: string } | 'closed' | 'closed after';

/** The path of the largest one. */
const PATH = '/platform/v2/x402';

export async function guardedFacilitator(
  target: string,
  letsIn: (request: Request) => boolean = () => true,
): Promise<GuardedFacilitator> {
  const answers = new Map<string, Answer>();
  const asked: string[] = [];
  const requests: Request[] = [];

  async function reply(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = req;
    const path = url.replace(PATH, '');
    let body = '';
    for await (const chunk of req.setEncoding('utf8')) body += chunk;
    const request = { method, at: `${headers.host}${url}`, authorization: headers.authorization };
    asked.push(path);
    if (!url.startsWith(PATH) || !letsIn(request)) {
      res.writeHead(401).end(`{"error":"unauthorized: ${headers.authorization}"}`);
      return;
    }
    requests.push(request);
    const answer = answers.get(path);
    if (answer === 'closed') return void res.destroy();
    if (typeof answer === 'object') return void res.writeHead(answer.status).end(answer.body);
    const passed = await fetch(target + path, { method, ...(body && { body }) });
    const said = await passed.text();
    if (answer === 'closed after') return void res.destroy();
    res.writeHead(passed.status).end(said);
  }

  const server = createServer((req, res) => void reply(req, res));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: `http://${host}${PATH}`,
    asked,
    requests,
    answer: (path, answer) => (answer ? answers.set(path, answer) : answers.delete(path)),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
