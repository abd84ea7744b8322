import { createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import type { SocksSettings } from '../../shared/domains/proxies/settings.ts';
import { openEgress } from '../../shared/platform/egress/egress.ts';
import { newJobId } from '../../shared/jobs/jobs.ts';
import { listen } from '../listen.ts';
import { throttled } from '../../shared/platform/log.ts';
import { openPace } from '../../shared/platform/shares/pace.ts';
import { openTurns } from '../../shared/platform/shares/turns.ts';
import { openRechecks } from '../../shared/domains/proxies/checks/rechecks.ts';
import { openRefusalNotes } from '../../shared/domains/proxies/access/refusal_notes.ts';
import type { Context } from '../../shared/composition/context.ts';
import { connectClient } from './connect.ts';
import type { ConnectionLog } from './records/connection_log.ts';
import { openConnectionRegistry } from './admission/connections.ts';
import { addressOf, openUnauthenticatedClients } from './admission/unauthenticated.ts';
import { Denial, denialOf } from './denial.ts';
import { LIMITS } from './limits.ts';
import { linger } from './linger.ts';
import { ProtocolError, REPLY } from './messages.ts';
import { httpProxy } from './http/http_proxy.ts';
import { firstByteOf, type ClientProtocol } from './protocols/protocol.ts';
import { socks5 } from './protocols/socks5.ts';
import { countConnection } from './records/metrics.ts';
import type { ServerContext } from './server_context.ts';

/** Maximum look-ups in the database at a time, for clients that may be refused. */
const LOOKUPS_MAX = 8;

export interface SocksServer {
  readonly port: number;
  /** Connections of clients that have logged in. */
  countOpen(): number;
  /** Stops accepting clients; open connections may last for `drainMs`. */
  close(): Promise<void>;
}

/** The rotating SOCKS5 server: each connection leaves by a proxy of the pool, $0.001 each. */
export async function openSocksServer(
  context: Context,
  settings: SocksSettings,
  limits = LIMITS,
): Promise<SocksServer> {
  const unauthenticated = openUnauthenticatedClients(limits);
  const { refusalsPerSecond: perSecond, refusalMs: waitMsMax } = limits;
  const refusals = openPace({ perSecond, waitMsMax });
  const lookups = openTurns({
    max: LOOKUPS_MAX,
    perFree: 1,
    refuse: () => new Denial(REPLY.failure, 'overloaded'),
  });
  const connections = openConnectionRegistry(context, settings, limits);
  const rechecks = openRechecks(context);
  const refusalNotes = openRefusalNotes(context);
  const egress = openEgress(context.config);
  const serverContext: ServerContext = {
    context,
    settings,
    limits,
    unauthenticated,
    connections,
    refusals,
    lookups,
    rechecks,
    egress,
  };
  const running = new Set<Promise<void>>();
  const warn = throttled(context.log);

  const server = createServer({ allowHalfOpen: true, noDelay: true, keepAlive: true }, (client) => {
    if (!unauthenticated.admit(client)) return refuse(client);
    client.once('close', () => unauthenticated.release(client));
    const served = serve(client).finally(() => running.delete(served));
    running.add(served);
  });
  server.maxConnections = settings.connections + 2 * limits.unauthenticatedMax;

  let refused = 0;
  /** Delays the disconnect of a refused client: otherwise it would be here again at once. */
  function refuse(client: Socket): void {
    client.on('error', () => undefined); // It closes anyway.
    if (refused >= limits.unauthenticatedMax) return void client.destroy();
    refused += 1;
    client.once('close', () => (refused -= 1));
    void refusals.wait(addressOf(client)).then(() => client.destroy());
  }

  /** Serves one client, from its first byte to its last. Never rejects. */
  async function serve(client: Socket): Promise<void> {
    const startedAt = performance.now();
    const address = addressOf(client);
    const log: ConnectionLog = { connection: newJobId(context.clock.now()) };
    let protocol: ClientProtocol | undefined;
    client.on('error', () => undefined); // It closes anyway.
    const tooSlow = setTimeout(() => {
      log.outcome = 'slow_handshake';
      if (protocol) protocol.expire();
      else client.destroy();
    }, limits.handshakeMs);
    try {
      protocol = protocolOf(await firstByteOf(client))(serverContext, client, log);
      const request = await protocol.readRequest();
      clearTimeout(tooSlow);
      await connectClient(serverContext, client, { protocol, request }, log);
    } catch (error) {
      const denial = denialOf(error) ?? new Denial(REPLY.failure, 'fault', { cause: error });
      // The client still counts for its address while it waits.
      if (error instanceof ProtocolError) await refusals.wait(address);
      if (denial.cause) warn('a SOCKS5 connection failed', denial.cause);
      log.outcome ??= denial.message;
      if (log.agent !== undefined && denial.message !== 'disconnected') {
        refusalNotes.add(log.agent, denial);
      }
      if (!client.destroyed) {
        protocol?.deny(denial);
        linger(client);
      }
    } finally {
      clearTimeout(tooSlow);
    }
    const ms = Math.round(performance.now() - startedAt);
    // Otherwise unauthenticated clients could fill the log.
    const level = log.agent === undefined ? 'debug' : 'info';
    countConnection(log);
    context.log[level]({ ...log, ms }, 'a SOCKS5 connection ended');
  }

  const listening = await listen(server, { host: context.config.api.host, port: settings.port });
  return {
    port: (server.address() as AddressInfo).port,
    countOpen: () => connections.countOpen(),
    async close() {
      for (const one of listening) one.close();
      unauthenticated.closeAll();
      refusals.close();
      const drained = new AbortController();
      const allEnded = Promise.all(running).finally(() => drained.abort());
      await sleep(limits.drainMs, undefined, { signal: drained.signal }).catch(() => undefined);
      connections.endAll('drained');
      await allEnded;
      connections.stop();
      rechecks.stop();
      await refusalNotes.stop();
    },
  };
}

/** SOCKS5 begins with its version, and a method of HTTP with a letter. */
const protocolOf = (firstByte: number) =>
  /[a-z]/i.test(String.fromCharCode(firstByte)) ? httpProxy : socks5;
