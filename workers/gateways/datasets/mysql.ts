import { createConnection, type Connection } from 'mysql2/promise';
import { escape, escapeId } from 'mysql2';

import type { DatasetGateway, MysqlUser } from '../../../shared/datasets/gateway.ts';
import type { MysqlDelivery } from '../../../shared/datasets/mysql_delivery.ts';
import type { Egress } from '../../../shared/platform/egress/egress.ts';
import { reasonOf } from './reason.ts';

/** For the connection and all statements. */
const SESSION_MS_MAX = 20_000;
/** A server that sends more than this has not answered what it was asked. */
const ANSWER_BYTES_MAX = 1024 * 1024;
/** Of a user that is dropped, so many are ended in one go. */
const SESSIONS_MAX = 100;
/** Of one buyer's user. */
const LIMITS = 'with max_queries_per_hour 3600 max_user_connections 5';

/** Users of sellers' MySQL and MariaDB servers, which are reached through the egress guard. */
export function openMysql(
  egress: Egress,
): Pick<DatasetGateway, 'checkMysql' | 'createUser' | 'dropUser'> {
  return {
    checkMysql: (server, trial) =>
      inSession(egress, server, async (session) => {
        try {
          await create(session, server, trial);
        } finally {
          await drop(session, trial);
        }
      }),
    createUser: (server, user) =>
      inSession(egress, server, (session) => create(session, server, user)),
    dropUser: (server, user) => inSession(egress, server, (session) => drop(session, user)),
  };
}

/** Statements one after the other, as the seller's own user. */
type Session = (sql: string) => Promise<unknown>;

/** Each of these may be found done, or half done, by an attempt before. */
async function create(session: Session, { database, tables }: MysqlDelivery, user: MysqlUser) {
  const name = accountOf(user);
  const identified = `identified by ${escape(user.password)} ${LIMITS}`;
  await session(`create user if not exists ${name} ${identified}`);
  await session(`alter user ${name} ${identified}`);
  await session(`revoke all privileges, grant option from ${name}`);
  for (const table of tables) {
    // The database named in full, not by a pattern: _ stands for itself in a grant on a table.
    await session(`grant select on ${escapeId(database)}.${escapeId(table)} to ${name}`);
  }
}

/** A session that is open outlives its user, so it is ended as well. */
async function drop(session: Session, user: Pick<MysqlUser, 'username'>) {
  await session(`drop user if exists ${accountOf(user)}`);
  const open = (await session(
    `select id from information_schema.processlist where user = ${escape(user.username)}
      limit ${SESSIONS_MAX}`,
  )) as { id: number }[];
  for (const { id } of open) await session(`kill connection ${Number(id)}`);
}

const accountOf = ({ username }: Pick<MysqlUser, 'username'>) => `${escape(username)}@'%'`;

async function inSession(
  egress: Egress,
  server: MysqlDelivery,
  work: (session: Session) => Promise<void>,
): Promise<{ fault: string } | null> {
  let connection: Connection | undefined;
  const { host, port, username: user, password } = server;
  const socket = await egress.connect({ host, port }, { timeoutMs: SESSION_MS_MAX }).catch(asError);
  if (socket instanceof Error) return { fault: reasonOf(socket) };
  const late = setTimeout(
    () => socket.destroy(new DOMException('too late', 'TimeoutError')),
    SESSION_MS_MAX,
  );
  try {
    // No LOCAL INFILE: a server would ask for files of this machine.
    const flags = ['-LOCAL_FILES'];
    const opening = createConnection({ stream: socket, user, password, flags });
    socket.on('data', () => {
      if (socket.bytesRead > ANSWER_BYTES_MAX) socket.destroy(new Error('it sends too much'));
    });
    connection = await opening;
    const opened = connection;
    await work(async (sql) => (await opened.query(sql))[0]);
    return null;
  } catch (error) {
    return { fault: refusalOf(error) };
  } finally {
    clearTimeout(late);
    connection?.destroy();
    socket.destroy();
  }
}

const asError = (error: unknown): Error => error as Error;

/** What a server answers may name its users and tables, which are the seller's own. */
function refusalOf(error: unknown): string {
  const { sqlMessage, code } = error as { sqlMessage?: string; code?: string };
  if (sqlMessage === undefined) return reasonOf(error);
  return `The server refused (${code}): ${sqlMessage.slice(0, 200)}.`;
}
