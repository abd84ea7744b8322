import assert from 'node:assert';
import type { Socket } from 'node:net';
import type { DataSource } from 'typeorm';

const LOOK_EVERY_MS = 500;

/** A pool of pg, as far as this file needs to know it. */
interface Pool {
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

/**
 * Closes connections over which no byte of an answer came for `silentMs`, although PostgreSQL owes
 * one. A host that vanishes sends no RST, and the kernel goes on repeating unacknowledged data for
 * 15 minutes; keep-alive helps only where nothing is unacknowledged, and Node cannot set
 * TCP_USER_TIMEOUT. `silentMs` must be longer than a statement may take (`statement_timeout` of the
 * role): then a PostgreSQL that is there has answered. Bytes are counted, so it holds over TLS too.
 * Ends with the pool.
 */
export function closeSilentConnections(database: DataSource, silentMs: number): void {
  const pool = poolOf(database);
  const answers = new WeakMap<PoolClient, { bytesRead: number; at: number }>();

  const timer = setInterval(() => {
    if (!database.isInitialized) return clearInterval(timer);
    const now = performance.now();
    for (const client of pool._clients) {
      const { stream } = client.connection;
      const last = answers.get(client);
      if (client.readyForQuery || stream.bytesRead !== last?.bytesRead) {
        answers.set(client, { bytesRead: stream.bytesRead, at: now });
      } else if (now - last.at > silentMs) {
        stream.destroy(new SilentConnection(silentMs));
        // Most likely idle ones lead to the same host: each would cost its next user as long.
        endIdleSessions(database);
      }
    }
  }, LOOK_EVERY_MS);
  timer.unref();
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

function poolOf(database: DataSource): Pool {
  const { master } = database.driver as unknown as { master: Pool };
  assert(Array.isArray(master._clients), 'the pool of pg keeps its clients in _clients');
  return master;
}
