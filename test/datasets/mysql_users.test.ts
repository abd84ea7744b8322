import { expect } from 'chai';

import { runMariaDbClient } from '../../local/mariadb/client.ts';
import { audit } from '../../shared/composition/audit.ts';
import { eventually } from '../harness.ts';
import { buy, runTimer } from '../orders/trade.ts';
import { login, loginIsRefused, openMysqlScene, refusal } from './mysql_scene.ts';
import type { MysqlScene } from './mysql_scene.ts';
import { access } from './offer.ts';

describe('datasets of a MySQL server', function () {
  this.timeout(120_000);

  let scene: MysqlScene;
  before(async () => {
    scene = await openMysqlScene();
  });
  after(async () => {
    expect(await audit(scene.platform.context.database)).to.deep.equal([]);
    await scene.close();
  });

  it('give each buyer a user of its own, who may read the tables that are named and no more', async () => {
    const { platform, buyer, server, offerTables, opened } = scene;
    const { dataset_id: id, product_id, status } = await offerTables();
    expect(status).to.equal('active');
    const order = await buy(platform, buyer, { id: product_id });
    const first = await access(platform, buyer, id);
    expect(first.body).to.include({ status: 'granted' }).and.not.have.property('password');
    const delivered = await opened(buyer, id);
    expect(delivered).to.include({
      type: 'mysql',
      status: 'active',
      host: '127.0.0.1',
      port: server.port,
      database: 'data',
    });
    expect(delivered.username).to.match(/^vnx_\d+_[0-9a-f]{8}$/);
    expect((await access(platform, buyer, id)).body).to.deep.equal(delivered);

    const session = await login(delivered.connection_string);
    const [found] = await session.query('select name from cities order by name');
    expect(found).to.deep.equal([{ name: 'Bergen' }, { name: 'Oslo' }]);
    for (const [sql, code] of [
      ['select * from secrets', 'ER_TABLEACCESS_DENIED_ERROR'],
      ['select * from datax.cities', 'ER_TABLEACCESS_DENIED_ERROR'],
      [`insert into cities values ('Tromsø')`, 'ER_TABLEACCESS_DENIED_ERROR'],
      ['drop table cities', 'ER_TABLEACCESS_DENIED_ERROR'],
      [`create user 'another'@'%'`, 'ER_SPECIFIC_ACCESS_DENIED_ERROR'],
      ['select * from mysql.user', 'ER_TABLEACCESS_DENIED_ERROR'],
    ] as const) {
      expect(await refusal(session.query(sql)), sql).to.equal(code);
    }
    const more = await Promise.all([1, 2, 3, 4].map(() => login(delivered.connection_string)));
    expect(await refusal(login(delivered.connection_string))).to.equal('ER_USER_LIMIT_REACHED');
    await Promise.all([session, ...more].map((one) => one.end()));

    const other = await platform.agent({ usd: 5 });
    await buy(platform, other, { id: product_id });
    expect((await opened(other, id)).username).not.to.equal(delivered.username);
    const text = JSON.stringify(await platform.query('select * from dataset_grant'));
    expect(text).not.to.include(delivered.password);
    expect(order).to.be.a('number');
  });

  it('are read by the client of MariaDB with the connection string', async () => {
    const { platform, seller, buyer, offerTables, opened } = scene;
    const { dataset_id: id, product_id } = await offerTables();
    const order = await buy(platform, buyer, { id: product_id });
    const { connection_string } = await opened(buyer, id);
    const read = () => runMariaDbClient(connection_string, 'select name from cities order by name');
    expect((await read()).all).to.equal('name\nBergen\nOslo\n');
    const { all } = await runMariaDbClient(connection_string, 'select * from secrets');
    expect(all).to.include('ERROR 1142 (42000)');
    await platform.request(`POST /api/v1/orders/${order}/refund`, { key: seller.key });
    await runTimer(platform, 'drop_dataset_users');
    expect((await read()).all).to.include('ERROR 1045 (28000): Access denied');
  });

  it('drop the user of an order that is refunded, and end its sessions', async () => {
    const { platform, seller, buyer, admin, offerTables, opened, usersOf } = scene;
    const { dataset_id: id, product_id } = await offerTables();
    const order = await buy(platform, buyer, { id: product_id });
    const { connection_string, username } = await opened(buyer, id);
    const session = await login(connection_string);
    session.on('error', () => undefined);
    await platform.request(`POST /api/v1/orders/${order}/refund`, { key: seller.key });
    expect((await access(platform, buyer, id)).status).to.equal(403);
    await runTimer(platform, 'drop_dataset_users');
    await loginIsRefused(connection_string);
    expect(await refusal(session.query('select 1'))).not.to.equal('nothing refused it');

    // One that was made by whoever had begun before is dropped by the last drop.
    await admin.query(`create user '${username}'@'%' identified by 'x'`);
    await platform.query(
      `update dataset_grant set ends_at = now() - interval '2 minutes',
              next_at = now() where username = $1`,
      [username],
    );
    await runTimer(platform, 'drop_dataset_users');
    expect(await usersOf(username)).to.equal(0);
    const [left] = await platform.query(
      'select password, dropped_at from dataset_grant where username = $1',
      [username],
    );
    expect(left.password).to.equal(null);
    expect(left.dropped_at).to.be.a('date');
    expect(await runTimer(platform, 'drop_dataset_users')).to.have.length(1);
  });

  it('drop the user when the days of access are over, and refuse access', async () => {
    const { platform, buyer, offerTables, opened } = scene;
    const { dataset_id: id, product_id } = await offerTables({ access_days: 30 });
    const order = await buy(platform, buyer, { id: product_id });
    const { connection_string } = await opened(buyer, id);
    await platform.query(
      `update orders set created_at = created_at - interval '31 days' where id = $1`,
      [order],
    );
    await platform.query(
      `update dataset_grant set ends_at = ends_at - interval '31 days' where order_id = $1`,
      [order],
    );
    expect((await access(platform, buyer, id)).status).to.equal(403);
    await runTimer(platform, 'drop_dataset_users');
    await loginIsRefused(connection_string);
  });

  it('drop the users of those who got it for free, once it is sold', async () => {
    const { platform, seller, buyer, offerTables, opened } = scene;
    const { dataset_id: id } = await offerTables({ price: 0 });
    const { connection_string } = await opened(buyer, id);
    const own = await opened(seller, id);
    const listing = { title: 'Cities', description: 'By name.', stock_kind: 'unlimited', price: 1 };
    const body = { ...listing, category: 'dataset', dataset_id: id };
    const sold = await platform.request('POST /api/v1/products', { key: seller.key, body });
    expect(sold.status, sold.text).to.equal(200);
    await runTimer(platform, 'drop_dataset_users');
    await loginIsRefused(connection_string);
    await (await login(own.connection_string)).end();
  });

  it('attempt again to drop a user whose server did not answer', async () => {
    const { platform, seller, buyer, admin, server, offerTables, opened, usersOf } = scene;
    const { dataset_id: id, product_id } = await offerTables();
    const order = await buy(platform, buyer, { id: product_id });
    const { username } = await opened(buyer, id);
    await platform.request(`POST /api/v1/orders/${order}/refund`, { key: seller.key });
    await admin.query(`alter user 'seller'@'%' identified by 'changed'`);
    await runTimer(platform, 'drop_dataset_users');
    const state = async () =>
      (
        await platform.query(
          'select fault, next_at > now() as waits from dataset_grant where username = $1',
          [username],
        )
      )[0];
    expect((await state()).fault).to.match(/ER_ACCESS_DENIED_ERROR/);
    expect((await state()).waits).to.equal(true);
    const { password } = new URL(server.url);
    await admin.query(`alter user 'seller'@'%' identified by '${password}'`);
    await platform.query('update dataset_grant set next_at = now() where username = $1', [
      username,
    ]);
    await runTimer(platform, 'drop_dataset_users');
    expect(await usersOf(username)).to.equal(0);

    // The last drop finds none, and makes none: it could die before it dropped that.
    const made = async () => {
      const [found] = await admin.query(`show global status like 'Com_create_user'`);
      return (found as { Value: string }[])[0]!.Value;
    };
    const before = await made();
    await platform.query(
      `update dataset_grant set ends_at = now() - interval '2 minutes', next_at = now()
        where username = $1`,
      [username],
    );
    await runTimer(platform, 'drop_dataset_users');
    expect(await state()).to.deep.equal({ fault: null, waits: false });
    expect(await made()).to.equal(before);
  });

  it('fail their check where no such user can be made, and leave none behind', async () => {
    const { admin, connectionOf, offerTables } = scene;
    for (const [fields, fault] of [
      [{ password: 'wrong' }, 'ER_ACCESS_DENIED_ERROR'],
      [{ tables: ['nowhere'] }, 'ER_NO_SUCH_TABLE'],
      [{ host: '10.0.0.1' }, 'does not lead to a public address'],
      [{ port: 1 }, 'ECONNREFUSED'],
    ] as const) {
      const { newest } = await offerTables({ mysql: connectionOf(fields) });
      expect(newest.status).to.equal('failed');
      expect(newest.fault).to.include(fault);
    }
    const [left] = await admin.query(`select user from mysql.user where user like 'vnx_trial_%'`);
    expect(left).to.deep.equal([]);
  });

  it('take nothing from a user that reads, when a repeated attempt comes to no end', async () => {
    const { platform, buyer, admin, connectionOf, offerTables, opened } = scene;
    await admin.query('create table rivers (name varchar(50))');
    const mysql = connectionOf({ tables: ['rivers', 'cities'] });
    const { dataset_id: id, product_id } = await offerTables({ mysql });
    await buy(platform, buyer, { id: product_id });
    const { connection_string, username } = await opened(buyer, id);
    await admin.query('drop table rivers');
    await platform.query(
      `update dataset_grant set version = 0, ready_at = null, asked_at = '-infinity'
        where username = $1`,
      [username],
    );
    expect((await access(platform, buyer, id)).body.status).to.equal('granted');
    await eventually(
      () => platform.query('select fault from dataset_grant where username = $1', [username]),
      ([grant]) => String(grant.fault).includes('ER_NO_SUCH_TABLE'),
    );
    const session = await login(connection_string);
    const [found] = await session.query('select name from cities order by name');
    expect(found).to.have.length(2);
    await session.end();
  });
});
