import { once } from 'node:events';
import { createServer, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { authenticate, scraperTokenOf } from '../domains/agents/authenticate.ts';
import type { Context } from './context.ts';
import { servesSchema, type DatabaseWatch } from './database_state.ts';
import { refusalOf } from '../kernel/refusal.ts';
import { METRICS_TYPE } from '../platform/metrics.ts';
import type { Scrape } from './metrics.ts';

interface HealthAnswer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string;
}

/**
 * Serves `GET /healthz`, `GET /readyz`, and `GET /metrics` for operators, in a process without
 * other HTTP. An answer of the first means that the process is alive. It does not wait for the
 * database or Redis, because a restart does not help a process that waits for them. The second says
 * whether the process can work: the database answers, and its schema fits.
 */
export async function openHealthServer(
  context: Context,
  { host, port }: { readonly host: string; readonly port: number },
  {
    scrape,
    facts,
    database: watch,
  }: { readonly scrape: Scrape; readonly facts: object; readonly database: DatabaseWatch },
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
    if (req.url === '/readyz') return readiness();
    if (req.url !== '/metrics') return json(404, { error: 'not_found' });
    const sender = { address: req.socket.remoteAddress };
    await authenticate(context, scraperTokenOf(req), { access: 'operator' }, sender);
    return { status: 200, headers: { 'Content-Type': METRICS_TYPE }, body: await scrape.text() };
  }

  async function health(): Promise<object> {
    const startedAt = performance.now();
    await sleep(0);
    const lagMs = Math.round(performance.now() - startedAt);
    void watch.look(); // For the next answer.
    return { status: 'ok', event_loop_lag_ms: lagMs, schema: watch.schema(), ...facts };
  }

  async function readiness(): Promise<HealthAnswer> {
    const { database, schema, checks } = await watch.look();
    const isSafe = checks.every(({ status }) => status !== 'failed');
    const isReady = database === 'ok' && servesSchema(schema) && isSafe;
    const status = isReady ? 'ready' : 'not_ready';
    return json(isReady ? 200 : 503, { status, database, schema });
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
