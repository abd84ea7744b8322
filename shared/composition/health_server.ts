import { once } from 'node:events';
import { createServer, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { authenticate, scraperTokenOf } from '../agents/authenticate.ts';
import type { Context } from '../kernel/context.ts';
import { refusalOf } from '../kernel/refusal.ts';
import { METRICS_TYPE } from '../platform/metrics.ts';
import type { Scrape } from './metrics.ts';

interface HealthAnswer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string;
}

/**
 * `GET /healthz` of a process that serves nothing else by HTTP: it is alive if it answers. It does
 * not ask the database or Redis, because a process that waits for them is not mended by a restart.
 * And `GET /metrics` for operators.
 */
export async function openHealthServer(
  context: Context,
  { host, port }: { readonly host: string; readonly port: number },
  { scrape, facts }: { readonly scrape: Scrape; readonly facts: object },
) {
  const server = createServer(
    (req, res) =>
      void answer(req)
        .catch((error: unknown) => {
          const refusal = refusalOf(error);
          if (refusal !== error) context.log.error({ err: error }, 'a scrape failed');
          return json(refusal.status, { error: refusal.code });
        })
        .then(({ status, headers, body }) => res.writeHead(status, headers).end(body)),
  );

  async function answer(req: IncomingMessage): Promise<HealthAnswer> {
    if (req.url === '/healthz') return json(200, await health());
    if (req.url !== '/metrics') return json(404, { error: 'not_found' });
    const sender = { address: req.socket.remoteAddress };
    await authenticate(context, scraperTokenOf(req), { access: 'operator' }, sender);
    return { status: 200, headers: { 'Content-Type': METRICS_TYPE }, body: await scrape() };
  }

  async function health(): Promise<object> {
    const startedAt = performance.now();
    await sleep(0);
    const lagMs = Math.round(performance.now() - startedAt);
    return { status: 'ok', event_loop_lag_ms: lagMs, ...facts };
  }

  server.listen(port, host).unref();
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}

const json = (status: number, body: object): HealthAnswer => ({
  status,
  headers: { 'Content-Type': 'application/json; charset=utf-8' },
  body: JSON.stringify(body),
});
