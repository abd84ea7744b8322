import { escape, escapeId } from 'mysql2';

import type { DatasetGateway } from '../../../shared/domains/datasets/gateway.ts';
import type { MysqlDelivery, MysqlUser } from '../../../shared/domains/datasets/mysql_delivery.ts';
import type { Egress } from '../../../shared/platform/egress/egress.ts';
import { inSession, type Session } from './mysql_session.ts';

/** Maximum sessions of a dropped user that are ended in one go. */
const SESSIONS_MAX = 100;
/** Limits of one buyer's user. */
const LIMITS = 'with max_queries_per_hour 3600 max_user_connections 5';

/** Users of sellers' MySQL and MariaDB servers, reached through the egress guard. */
export function openMysql(
  egress: Egress,
): Pick<DatasetGateway, 'checkMysql' | 'createUser' | 'dropUser'> {
  return {
    checkMysql: (server, trial) =>
      inSession(egress, server, async (session) => {
        try {
          await create(session, server, { user: trial, mayHaveMore: false });
        } finally {
          await drop(session, trial);
        }
      }),
    createUser: (server, wanted) =>
      inSession(egress, server, (session) => create(session, server, wanted)),
    dropUser: (server, user) => inSession(egress, server, (session) => drop(session, user)),
  };
}

/**
 * Creates the user. Each step may have been done, or half done, by an earlier attempt, and another
 * may end while this one dies: nothing is taken away, unless tables of before have to go.
 */
async function create(
  session: Session,
  server: MysqlDelivery,
  { user, mayHaveMore }: { user: MysqlUser; mayHaveMore: boolean },
) {
  const { database, tables, tls } = server;
  const name = accountOf(user);
  const required = tls === 'preferred' ? 'none' : 'ssl';
  const identified = `identified by ${escape(user.password)} require ${required} ${LIMITS}`;
  await session(`create user if not exists ${name} ${identified}`);
  await session(`alter user ${name} ${identified}`);
  if (mayHaveMore) await session(`revoke all privileges, grant option from ${name}`);
  for (const table of tables) {
    // The database is named in full, not by a pattern: in a grant on a table, _ stands for itself.
    await session(`grant select on ${escapeId(database)}.${escapeId(table)} to ${name}`);
  }
}

/** Drops the user. Its open sessions outlive it, so they are ended as well. */
async function drop(session: Session, user: Pick<MysqlUser, 'username'>) {
  await session(`drop user if exists ${accountOf(user)}`);
  const open = (await session(
    `select id from information_schema.processlist where user = ${escape(user.username)}
      limit ${SESSIONS_MAX}`,
  )) as { id: number }[];
  for (const { id } of open) await session(`kill connection ${Number(id)}`);
}

const accountOf = ({ username }: Pick<MysqlUser, 'username'>) => `${escape(username)}@'%'`;
