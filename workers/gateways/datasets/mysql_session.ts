import { createConnection, type Connection } from 'mysql2/promise';

import type { MysqlDelivery } from '../../../shared/domains/datasets/mysql_delivery.ts';
import type { Egress } from '../../../shared/platform/egress/egress.ts';
import { reasonOf } from './reason.ts';

/** Time for the connections and all statements. */
const SESSION_MS_MAX = 20_000;
/** A server that sends more than this does not answer the statement. */
const ANSWER_BYTES_MAX = 1024 * 1024;
const LOOK_EVERY_MS = 20;

/** Runs statements one after the other, as the seller's own user. */
export type Session = (sql: string) => Promise<unknown>;

/** The time that sessions have together, from now. */
export const sessionTime = (): AbortSignal => AbortSignal.timeout(SESSION_MS_MAX);

/** Runs `work` in a session. Returns the fault that ended it; null: everything is done. */
export async function inSession(
  egress: Egress,
  server: MysqlDelivery,
  work: (session: Session) => Promise<void>,
  ended = sessionTime(),
): Promise<{ fault: string } | null> {
  try {
    await perform(egress, server, { work, ended, secure: true }).catch((error: unknown) => {
      // The server has no TLS. Nothing but the wish for TLS was sent yet.
      const isPlain = (error as { code?: string }).code === 'HANDSHAKE_NO_SSL_SUPPORT';
      if (!isPlain || server.tls !== 'preferred') throw error;
      return perform(egress, server, { work, ended, secure: false });
    });
    return null;
  } catch (error) {
    return { fault: refusalOf(error) };
  }
}

async function perform(
  egress: Egress,
  { host, port, username: user, password, tls }: MysqlDelivery,
  {
    work,
    ended,
    secure,
  }: { work: (_: Session) => Promise<void>; ended: AbortSignal; secure: boolean },
): Promise<void> {
  const limits = { timeoutMs: SESSION_MS_MAX, signal: ended };
  const socket = await egress.connect({ host, port }, limits);
  let fault: Error | undefined;
  const end = (error: Error) => {
    fault ??= error;
    socket.destroy(error);
  };
  const late = () => end(new DOMException('too late', 'TimeoutError'));
  ended.addEventListener('abort', late);
  // Polled, because the events of a connection that becomes TLS belong to the library.
  const looks = setInterval(() => {
    if (socket.bytesRead > ANSWER_BYTES_MAX) end(new Error('it sends too much'));
  }, LOOK_EVERY_MS);
  let connection: Connection | undefined;
  try {
    // No LOCAL INFILE: a server could ask for files of this machine.
    const options = { stream: socket, host, user, password, flags: ['-LOCAL_FILES'] };
    const isVerified = tls === 'verified';
    const ssl = { rejectUnauthorized: isVerified, verifyIdentity: isVerified };
    connection = await createConnection({ ...options, ...(secure && { ssl }) });
    const opened = connection;
    await work(async (sql) => (await opened.query(sql))[0]);
  } catch (error) {
    throw fault ?? error;
  } finally {
    ended.removeEventListener('abort', late);
    clearInterval(looks);
    connection?.destroy();
    socket.destroy();
  }
}

/** Answers of a server may name its users and tables, which are the seller's own. */
function refusalOf(error: unknown): string {
  const { sqlMessage, code, message } = error as NodeJS.ErrnoException & { sqlMessage?: string };
  if (sqlMessage !== undefined) {
    return `The server refused (${code}): ${sqlMessage.slice(0, 200)}.`;
  }
  if (code === 'HANDSHAKE_NO_SSL_SUPPORT') return 'The server offers no TLS.';
  if (code === 'HANDSHAKE_SSL_ERROR') return `There is no TLS with it: ${message.slice(0, 200)}.`;
  return reasonOf(error);
}
