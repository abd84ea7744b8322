import assert from 'node:assert';
import type { Socket } from 'node:net';
import type { DataSource } from 'typeorm';

import { wakingTime } from './waking_time.ts';

const LOOK_EVERY_MS = 250;

/** A pool of pg, as far as this file needs to know it. */
interface Pool {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
  readonly _clients: readonly PoolClient[];
}

/** A connection of it, as far as this file needs to know it. */
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

/** What is known about a connection: the times are those of the look that noticed it. */
interface Heard {
  bytesRead: number;
  /** When the last byte came. */
  at: number;
  /** Since when PostgreSQL owes an answer, of which no byte has come. */
  owedSince: number | undefined;
}

/**
 * Closes connections of these pools over which no byte of an answer came for `silentMs`, although
 * PostgreSQL owes one, and with them all others that were not heard since: most likely they lead to
 * the same host. A host that vanishes sends no RST, and the kernel goes on repeating unacknowledged
 * data for 15 minutes; keep-alive helps only where nothing is unacknowledged, and Node cannot set
 * TCP_USER_TIMEOUT. `silentMs` must be longer than a statement may take (`statement_timeout` of the
 * role): then a PostgreSQL that is there has answered. Bytes are counted, so it holds over TLS too.
 * Ends with the pools.
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
 * Ends the sessions that no statement uses. They would go on with a server that has vanished, or
 * that was the primary and is no longer: the next connections are made to where the name leads now.
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
