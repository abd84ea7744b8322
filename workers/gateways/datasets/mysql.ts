import { escape, escapeId } from 'mysql2';

import type { DatasetGateway } from '../../../shared/datasets/gateway.ts';
import type { MysqlDelivery, MysqlUser } from '../../../shared/datasets/mysql_delivery.ts';
import type { Egress } from '../../../shared/platform/egress/egress.ts';
import { inSession, type Session } from './mysql_session.ts';

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

/** Each of these may be found done, or half done, by an attempt before. */
async function create(session: Session, server: MysqlDelivery, user: MysqlUser) {
  const { database, tables, tls } = server;
  const name = accountOf(user);
  const required = tls === 'preferred' ? 'none' : 'ssl';
  const identified = `identified by ${escape(user.password)} require ${required} ${LIMITS}`;
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
