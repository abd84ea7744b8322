import assert from 'node:assert';
import type { Socket } from 'node:net';
import type { DataSource } from 'typeorm';

import { wakingTime } from './waking_time.ts';

const LOOK_EVERY_MS = 250;

/** The part of a pool of pg that this file uses. */
interface Pool {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
  readonly _clients: readonly PoolClient[];
}

/** The part of its connections that this file uses. */
interface PoolClient {
  /** False while a statement is being answered. */
  readonly readyForQuery: boolean;
  readonly connection: { readonly stream: Socket };
}

/** The error of a connection that was closed here. `isConnectionLost` knows its code. */
class SilentConnection extends Error {
  readonly code = 'ETIMEDOUT';

  constructor(ms: number) {
    super(`PostgreSQL sent no byte for ${ms} ms while it owed an answer`);
  }
}

/** State of a connection; times are those of the look that noticed a change. */
interface Heard {
  bytesRead: number;
  /** Time of the last byte. */
  at: number;
  /** Time since when PostgreSQL owes an answer without having sent a byte of it. */
  owedSince: number | undefined;
}

/**
 * Closes connections of these pools on which PostgreSQL owes an answer and sent no byte for
 * `silentMs`, and with them all others without a byte since then, which most likely lead to the
 * same host. A host that vanishes sends no RST, and the kernel repeats unacknowledged data for 15
 * minutes; keep-alive helps only if nothing is unacknowledged, and Node cannot set
 * TCP_USER_TIMEOUT. `silentMs` must be longer than a statement may take (`statement_timeout` of the
 * role), within which a live PostgreSQL answers. Bytes are counted, so it works over TLS too. Ends
 * with the pools.
 */
export function closeSilentConnections(pools: readonly DataSource[], silentMs: number): void {
  const heard = new WeakMap<PoolClient, Heard>();
  const awake = wakingTime(LOOK_EVERY_MS);

  const timer = setInterval(() => {
    if (!pools.every(({ isInitialized }) => isInitialized)) return clearInterval(timer);
    const now = awake();
    const clients = pools.flatMap((database) => poolOf(database)._clients);
    for (const client of clients) heard.set(client, heardOf(client, heard.get(client), now));
    const silentSince = clients
      .map((client) => heard.get(client)!.owedSince)
      .find((owedSince) => owedSince !== undefined && now - owedSince > silentMs);
    if (silentSince === undefined) return;
    for (const client of clients) {
      if (heard.get(client)!.at > silentSince + LOOK_EVERY_MS) continue;
      client.connection.stream.destroy(new SilentConnection(silentMs));
    }
  }, LOOK_EVERY_MS);
  timer.unref();
}

function heardOf(client: PoolClient, before: Heard | undefined, now: number): Heard {
  const { bytesRead } = client.connection.stream;
  const isNews = bytesRead !== before?.bytesRead;
  const owedSince = client.readyForQuery ? undefined : isNews ? now : (before.owedSince ?? now);
  return { bytesRead, at: isNews ? now : before.at, owedSince };
}

/**
 * Ends the idle sessions. They would stay with a server that has vanished or is no longer the
 * primary; new connections go to the server that the name resolves to now.
 */
export function endIdleSessions(database: DataSource): void {
  for (const { readyForQuery, connection } of poolOf(database)._clients) {
    if (readyForQuery)
      connection.stream.destroy(new Error('The server of this session is not used any more'));
  }
}

export function poolOf(database: DataSource): Pool {
  const { master } = database.driver as unknown as { master: Pool };
  assert(Array.isArray(master._clients), 'the pool of pg keeps its clients in _clients');
  return master;
}
