import { createConnection, type Connection } from 'mysql2/promise';

import type { CheckFault } from '../../../shared/domains/datasets/gateway.ts';
import type { MysqlDelivery } from '../../../shared/domains/datasets/mysql_delivery.ts';
import type { AccessCause } from '../../../shared/domains/products/dataset/access.ts';
import type { Egress } from '../../../shared/platform/egress/egress.ts';
import { faultOf } from './reason.ts';

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
): Promise<CheckFault | null> {
  try {
    await perform(egress, server, { work, ended, secure: true }).catch((error: unknown) => {
      // The server has no TLS. Nothing but the wish for TLS was sent yet.
      const isPlain = (error as { code?: string }).code === 'HANDSHAKE_NO_SSL_SUPPORT';
      if (!isPlain || server.tls !== 'preferred') throw error;
      return perform(egress, server, { work, ended, secure: false });
    });
    return null;
  } catch (error) {
    return refusalOf(error);
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
    opened.on('error', () => undefined); // A statement that finds it closed says so.
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
function refusalOf(error: unknown): CheckFault {
  const { sqlMessage, code, message } = error as NodeJS.ErrnoException & { sqlMessage?: string };
  if (sqlMessage !== undefined) {
    const fault = `The server refused (${code}): ${sqlMessage.slice(0, 200)}.`;
    return { fault, cause: CAUSES[code ?? ''] ?? 'refused' };
  }
  if (code === 'HANDSHAKE_NO_SSL_SUPPORT') {
    return { fault: 'The server offers no TLS.', cause: 'tls' };
  }
  if (code === 'HANDSHAKE_SSL_ERROR') {
    return { fault: `There is no TLS with it: ${message.slice(0, 200)}.`, cause: 'tls' };
  }
  return faultOf(error);
}

/** The kinds of refusals. */
const CAUSES: Readonly<Record<string, AccessCause>> = {
  ER_ACCESS_DENIED_ERROR: 'login',
  ER_ACCESS_DENIED_NO_PASSWORD_ERROR: 'login',
  ER_ACCOUNT_HAS_BEEN_LOCKED: 'login',
  ER_MUST_CHANGE_PASSWORD: 'login',
  ER_MUST_CHANGE_PASSWORD_LOGIN: 'login',
  ER_HOST_NOT_PRIVILEGED: 'login',
  ER_DBACCESS_DENIED_ERROR: 'rights',
  ER_TABLEACCESS_DENIED_ERROR: 'rights',
  ER_SPECIFIC_ACCESS_DENIED_ERROR: 'rights',
  ER_CANT_CREATE_USER_WITH_GRANT: 'rights',
  ER_CANNOT_USER: 'rights',
  ER_NO_SUCH_TABLE: 'tables',
  ER_BAD_DB_ERROR: 'tables',
  ER_NOT_VALID_PASSWORD: 'password',
};
