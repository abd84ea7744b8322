import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * `GET /healthz` of a process that serves nothing else: it is alive if it answers. It does not ask
 * the database or Redis, because a process that waits for them is not mended by a restart.
 */
export async function openHealthServer(
  { host, port }: { readonly host: string; readonly port: number },
  facts: object,
) {
  const server = createServer(
    (req, res) =>
      void answer(req.url ?? '').then((body) => {
        res.writeHead(body ? 200 : 404, { 'Content-Type': 'application/json; charset=utf-8' });
        res.end(JSON.stringify(body ?? { error: 'not_found' }));
      }),
  );

  async function answer(url: string): Promise<object | undefined> {
    if (url !== '/healthz') return undefined;
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
