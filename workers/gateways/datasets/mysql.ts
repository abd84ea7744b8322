import { escape, escapeId, type ResultSetHeader } from 'mysql2';

import type { CheckFault, DatasetGateway } from '../../../shared/domains/datasets/gateway.ts';
import type { MysqlDelivery, MysqlUser } from '../../../shared/domains/datasets/mysql_delivery.ts';
import type { Egress } from '../../../shared/platform/egress/egress.ts';
import { inSession, sessionTime, type Session } from './mysql_session.ts';

/** Maximum sessions of a dropped user that are ended in one go. */
const SESSIONS_MAX = 100;
/** Limits of one buyer's user. */
const LIMITS = 'with max_queries_per_hour 3600 max_user_connections 5';
const NO_LIMITS = 'with max_queries_per_hour 0 max_user_connections 0';

const SESSIONS_GO_ON =
  'Your server does not let the open sessions of a dropped user be ended: a buyer whose access ' +
  'ends may go on reading until it disconnects. Is there a proxy in front of it?';

/** Users of sellers' MySQL and MariaDB servers, reached through the egress guard. */
export function openMysql(
  egress: Egress,
): Pick<DatasetGateway, 'checkMysql' | 'createUser' | 'dropUser'> {
  /**
   * Drops the user. Its open sessions outlive it, so they are ended before, by itself: that needs
   * no privilege, and the seller's own user may not see the sessions of others. A user whose
   * sessions go on is kept, so that they can be ended later, unless `isTrial`. None is made for
   * that: an attempt beside another that has dropped it would leave one, if it died then.
   */
  async function drop(
    server: MysqlDelivery,
    user: MysqlUser,
    { ended = sessionTime(), isTrial = false } = {},
  ) {
    const asUser = { ...server, ...user };
    let isCertain = false;
    const lock = async (session: Session) =>
      void (isCertain = await lockOut(session, server, user));
    const locked = await inSession(egress, server, lock, ended);
    if (locked) return locked;
    const left = await inSession(egress, asUser, (session) => endOthers(session, user), ended);
    const isGone = !isCertain && left?.cause === 'login';
    if (left && !isGone && !isTrial) return left;
    return inSession(
      egress,
      server,
      async (session) => void (await session(`drop user if exists ${accountOf(user)}`)),
      ended,
    );
  }

  /** Drops the trial user while it has a session. Says so if that session goes on. */
  async function tryDrop(server: MysqlDelivery, trial: MysqlUser, ended: AbortSignal) {
    let dropped: CheckFault | null | undefined;
    let goesOn = false;
    const asTrial = { ...server, ...trial };
    const login = await inSession(
      egress,
      asTrial,
      async (session) => {
        await session('select 1');
        dropped = await drop(server, trial, { ended, isTrial: true });
        const asked = session('select sleep(0.2)');
        goesOn = await asked.then(
          () => true,
          () => false,
        );
      },
      ended,
    );
    dropped ??= await drop(server, trial, { ended, isTrial: true });
    return login ?? dropped ?? (goesOn ? { warning: SESSIONS_GO_ON } : {});
  }

  return {
    async checkMysql(server, trial) {
      const ended = sessionTime();
      const wanted = { user: trial, mayHaveMore: false };
      const made = await inSession(
        egress,
        server,
        (session) => create(session, server, wanted),
        ended,
      );
      if (!made) return tryDrop(server, trial, ended);
      await drop(server, trial, { ended, isTrial: true });
      return made;
    },
    createUser: (server, wanted) =>
      inSession(egress, server, (session) => create(session, server, wanted)),
    dropUser: (server, user) => drop(server, user),
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
  const { database, tables } = server;
  const name = accountOf(user);
  const identified = identity(server, user, LIMITS);
  await session(`create user if not exists ${name} ${identified}`);
  await session(`alter user ${name} ${identified}`);
  if (mayHaveMore) await session(`revoke all privileges, grant option from ${name}`);
  for (const table of tables) {
    // The database is named in full, not by a pattern: in a grant on a table, _ stands for itself.
    await session(`grant select on ${quoted(database)}.${quoted(table)} to ${name}`);
  }
}

/** The password and the limits of a user. */
const identity = ({ tls }: MysqlDelivery, { password }: MysqlUser, limits: string): string =>
  `identified by ${escape(password)} require ${tls === 'preferred' ? 'none' : 'ssl'} ${limits}`;

/**
 * Gives the user a password that its buyer does not know, and no limit of its sessions. True: there
 * is one. False: the server warned, which it does where there is none.
 */
async function lockOut(session: Session, server: MysqlDelivery, user: MysqlUser): Promise<boolean> {
  const identified = identity(server, user, NO_LIMITS);
  const altered = await session(`alter user if exists ${accountOf(user)} ${identified}`);
  return (altered as ResultSetHeader).warningStatus === 0;
}

/** Ends the other sessions of the user, in one of its own. */
async function endOthers(session: Session, { username }: MysqlUser) {
  const open = (await session(
    `select id from information_schema.processlist
      where user = ${escape(username)} and id <> connection_id() limit ${SESSIONS_MAX}`,
  )) as { id: number }[];
  for (const { id } of open) await session(`kill connection ${Number(id)}`);
}

/** One name, in which a dot is a part of it. */
const quoted = (name: string) => escapeId(name, true);

const accountOf = ({ username }: Pick<MysqlUser, 'username'>) => `${escape(username)}@'%'`;
