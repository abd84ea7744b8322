import { expect } from 'chai';

import { createConnection, type Connection } from 'mysql2/promise';

import { startMariaDb } from '../../local/mariadb/mariadb.ts';
import { openPlatform } from '../faults/children.ts';
import { eventually } from '../harness.ts';
import { access, checked, offer } from './offer.ts';

/** For a server on this machine. */
export const EGRESS = { EGRESS_ALLOW: '127.0.0.0/8' };

/** A MariaDB with two tables, a seller that offers one of them, and a buyer with money. */
export async function openMysqlScene() {
  const [server, platform] = await Promise.all([startMariaDb(), openPlatform({ env: EGRESS })]);
  const [seller, buyer] = await Promise.all([platform.agent(), platform.agent({ usd: 20 })]);
  const admin: Connection = await createConnection({ uri: server.url, multipleStatements: true });
  await admin.query(
    `create table cities (name varchar(50)); insert into cities values ('Oslo'), ('Bergen');
     create table secrets (word varchar(50)); create database datax;
     create table datax.cities (name varchar(50))`,
  );

  const connectionOf = (fields: object = {}) => {
    const { password } = new URL(server.url);
    const from = { host: '127.0.0.1', port: server.port, database: 'data', username: 'seller' };
    return { ...from, password, tables: ['cities'], ...fields };
  };

  return {
    server,
    platform,
    seller,
    buyer,
    admin,
    connectionOf,

    /** A dataset that was checked. */
    offerTables: async (fields: object = {}) => {
      const tables = { type: 'mysql', price: 0.5, mysql: connectionOf(), ...fields };
      const { dataset_id: id } = await offer(platform, seller, tables);
      return checked(platform, seller, id);
    },

    /** Gives access, once the user is there. */
    opened: async (who: { key: string }, id: number) => {
      const reply = await eventually(
        () => access(platform, who, id),
        ({ body }) => body.status !== 'granted',
      );
      return reply.body;
    },

    usersOf: async (username: string): Promise<number> => {
      const [found] = await admin.query('select user from mysql.user where user = ?', [username]);
      return (found as unknown[]).length;
    },

    async close() {
      await admin.end();
      await Promise.all([platform.close(), server.stop()]);
    },
  };
}
export type MysqlScene = Awaited<ReturnType<typeof openMysqlScene>>;

export const login = (uri: string) => createConnection({ uri });

/** The code of the server's refusal. */
export const refusal = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'nothing refused it',
    (error: { code: string }) => error.code,
  );

export const loginIsRefused = async (uri: string): Promise<void> => {
  expect(await refusal(login(uri))).to.equal('ER_ACCESS_DENIED_ERROR');
};
