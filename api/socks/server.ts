import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import type { SocksSettings } from '../../shared/proxies/settings.ts';
import { openEgress } from '../../shared/platform/egress.ts';
import { newJobId } from '../../shared/jobs/jobs.ts';
import { throttled } from '../../shared/platform/log.ts';
import { openRechecks } from '../../shared/proxies/checks/rechecks.ts';
import type { Context } from '../../shared/kernel/context.ts';
import { openCrowd } from './connections.ts';
import { LIMITS } from './limits.ts';
import { answerRequest, REPLY } from './messages.ts';
import { Denied, denialOf, type Line } from './outcome.ts';
import type { Parts } from './parts.ts';
import { guide, receive } from './session.ts';

/** Clients that have not proved who they are. Beyond them the oldest has to go. */
const STRANGERS_MAX = 512;
/** For a last answer to arrive. */
const PARTING_MS = 1_000;

export interface SocksServer {
  readonly port: number;
  /** Takes nobody more; who is inside may stay for `drainMs`. */
  close(): Promise<void>;
}

/** The rotating SOCKS5 door: each connection leaves by a proxy of the pool, $0.001 each. */
export async function openSocksServer(
  context: Context,
  settings: SocksSettings,
  limits = LIMITS,
): Promise<SocksServer> {
  const crowd = openCrowd(context, settings, limits);
  const rechecks = openRechecks(context);
  const parts: Parts = {
    context,
    settings,
    limits,
    crowd,
    rechecks,
    egress: openEgress(context.config),
  };
  const strangers = new Set<Socket>();
  const visits = new Set<Promise<void>>();
  const warn = throttled(context.log);

  const server = createServer({ allowHalfOpen: true, noDelay: true, keepAlive: true }, (client) => {
    strangers.add(client);
    const [oldest] = strangers;
    if (strangers.size > STRANGERS_MAX) oldest!.destroy();
    const visit = serve(client).finally(() => visits.delete(visit));
    visits.add(visit);
  });
  server.maxConnections = settings.connections + 2 * STRANGERS_MAX;

  /** One client, from its first byte to its last. Never rejects. */
  async function serve(client: Socket): Promise<void> {
    const startedAt = performance.now();
    const line: Line = { connection: newJobId(context.clock.now()) };
    client.on('error', () => undefined); // It closes.
    const tooSlow = setTimeout(() => {
      line.outcome = 'slow_handshake';
      client.destroy();
    }, limits.handshakeMs);
    try {
      const visitor = await receive(parts, client, line).finally(() => {
        clearTimeout(tooSlow);
        strangers.delete(client);
      });
      await guide(parts, client, visitor, line);
    } catch (error) {
      const denied = denialOf(error) ?? new Denied(REPLY.failure, 'fault', { cause: error });
      if (denied.cause) warn('a SOCKS5 connection failed', denied.cause);
      line.outcome ??= denied.message;
      part(client, line, denied);
    }
    const ms = Math.round(performance.now() - startedAt);
    // Strangers could fill the log at will.
    const level = line.agent === undefined ? 'debug' : 'info';
    context.log[level]({ ...line, ms }, 'a SOCKS5 connection ended');
  }

  server.listen(settings.port, context.config.api.host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close();
      for (const stranger of strangers) stranger.destroy();
      const drained = new AbortController();
      const left = Promise.all(visits).finally(() => drained.abort());
      await sleep(limits.drainMs, undefined, { signal: drained.signal }).catch(() => undefined);
      crowd.endAll('drained');
      await left;
      crowd.stop();
      rechecks.stop();
    },
  };
}

/** A last answer. What the client still sends is dropped, or its end would overtake the answer. */
function part(client: Socket, line: Line, { reply }: Denied): void {
  if (client.destroyed) return;
  if (reply !== undefined && line.told === undefined) answerRequest(client, (line.told = reply));
  client.end();
  client.resume();
  const gone = setTimeout(() => client.destroy(), PARTING_MS);
  client.once('close', () => clearTimeout(gone));
}
