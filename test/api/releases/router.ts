import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const CHECK_EVERY_MS = 1_000;
const LOOK_EVERY_MS = 20;

/** A process behind the router. */
interface Upstream {
  readonly url: string;
  readonly agent: Agent;
  isReady: boolean;
}

/**
 * A router as deployments have one: it keeps connections to its upstreams, asks each of them every
 * second whether it is ready, takes the ready ones in turn, and repeats nothing.
 */
export async function openRouter() {
  const upstreams = new Set<Upstream>();
  const closing = new AbortController();
  let turn = 0;

  // It closes no connection of its clients: calls that fail are those that an upstream failed.
  const server = createServer(
    { keepAliveTimeout: 0, requestTimeout: 0 },
    (req, res) => void next().then((upstream) => pass(upstream, req, res)),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  /** On a slow machine a process may not be ready for a moment: the call waits for one. */
  async function next(): Promise<Upstream> {
    for (;;) {
      const ready = [...upstreams].filter(({ isReady }) => isReady);
      const upstream = ready[(turn += 1) % ready.length];
      if (upstream) return upstream;
      await sleep(LOOK_EVERY_MS);
    }
  }

  async function check(upstream: Upstream): Promise<void> {
    while (upstreams.has(upstream)) {
      const answer = await fetch(`${upstream.url}/readyz`).catch(() => undefined);
      await answer?.arrayBuffer();
      upstream.isReady = answer?.status === 200;
      await sleep(CHECK_EVERY_MS, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Returns what says whether it gets calls, and what takes it out. */
    add(url: string) {
      const upstream = { url, agent: new Agent({ keepAlive: true }), isReady: false };
      upstreams.add(upstream);
      void check(upstream);
      return {
        isReady: () => upstream.isReady,
        remove() {
          upstreams.delete(upstream);
          upstream.agent.destroy();
        },
      };
    },
    close() {
      closing.abort();
      upstreams.forEach(({ agent }) => agent.destroy());
      upstreams.clear();
      server.closeAllConnections();
      server.close();
    },
  };
}

function pass({ url, agent }: Upstream, req: IncomingMessage, res: ServerResponse): void {
  const { method, headers } = req;
  // A client asks its own connection to be kept or closed, and not the one to the upstream.
  const { connection: _, ...passed } = headers;
  const onward = request(url + req.url, { method: method!, headers: passed, agent }, (answer) => {
    const { connection: __, 'keep-alive': ___, ...answered } = answer.headers;
    res.writeHead(answer.statusCode!, answered);
    answer.pipe(res);
  });
  onward.once('error', () => (res.headersSent ? res.destroy() : res.writeHead(502).end('failed')));
  req.pipe(onward);
}
