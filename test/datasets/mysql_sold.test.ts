import { expect } from 'chai';

import { startMariaDb } from '../../local/mariadb/mariadb.ts';
import { audit } from '../../shared/composition/audit.ts';
import { eventually } from '../harness.ts';
import { OPERATOR_TOKEN } from '../orders/deal.ts';
import { buy, runTimer } from '../orders/trade.ts';
import { login, loginIsRefused, openMysqlScene, refusal } from './mysql_scene.ts';
import type { MysqlScene } from './mysql_scene.ts';
import { access, checked, rotate } from './offer.ts';

describe('users of a MySQL dataset', function () {
  this.timeout(120_000);

  let scene: MysqlScene;
  before(async () => {
    scene = await openMysqlScene();
  });
  after(async () => {
    expect(await audit(scene.platform.context.database)).to.deep.equal([]);
    await scene.close();
  });

  it('that are renewed make the users again, with what they may read now', async () => {
    const { platform, seller, buyer, connectionOf, offerTables, opened } = scene;
    const { dataset_id: id, product_id } = await offerTables();
    const order = await buy(platform, buyer, { id: product_id });
    await opened(buyer, id);
    await rotate(platform, seller, id, { mysql: connectionOf({ tables: ['secrets'] }) });
    await checked(platform, seller, id);
    const sold = await opened(buyer, id);
    expect(sold).to.include({ version: 1, current_version: 2 });
    const before = await login(sold.connection_string);
    await before.query('select * from cities');
    await before.end();

    // Once the deal is final, or where it asks for them.
    await platform.query(`update dataset_grant set asked_at = '-infinity'`);
    await platform.request(`POST /api/v1/orders/${order}/confirm`, { key: buyer.key });
    const { connection_string, version } = await opened(buyer, id);
    expect(version).to.equal(2);
    const session = await login(connection_string);
    expect(await refusal(session.query('select * from cities'))).to.include('DENIED');
    await session.query('select * from secrets');
    await session.end();
  });

  it('that are renewed give the user of a buyer that asks for it what is current', async () => {
    const { platform, seller, buyer, connectionOf, offerTables, opened } = scene;
    const { dataset_id: id, product_id } = await offerTables();
    const order = await buy(platform, buyer, { id: product_id });
    await rotate(platform, seller, id, { mysql: connectionOf({ tables: ['secrets'] }) });
    await checked(platform, seller, id);
    const { connection_string } = await eventually(
      async () => (await access(platform, buyer, id, 2)).body,
      ({ status }) => status === 'active',
    );
    const session = await login(connection_string);
    expect(await refusal(session.query('select * from cities'))).to.include('DENIED');
    await session.end();
    expect(await opened(buyer, id)).to.include({ version: 2 });
    await platform.request(`POST /api/v1/orders/${order}/dispute`, {
      key: buyer.key,
      body: { reason: 'It is another table.' },
    });
    const kept = await platform.request(`GET /api/v1/admin/disputes/order/${order}/dataset`, {
      key: OPERATOR_TOKEN,
    });
    expect(kept.body).to.deep.include({ version: 1, database: 'data', tables: ['cities'] });
    expect(kept.body).to.not.have.any.keys('username', 'password');
  });

  it('that are renewed take from a user that goes back to what was sold what was new', async () => {
    const { platform, seller, buyer, connectionOf, offerTables, opened } = scene;
    const { dataset_id: id, product_id } = await offerTables();
    await buy(platform, buyer, { id: product_id });
    await rotate(platform, seller, id, { mysql: connectionOf({ tables: ['secrets'] }) });
    await checked(platform, seller, id);
    const at = async (version: number) => {
      await platform.query(`update dataset_grant set asked_at = '-infinity'`);
      const { body } = await eventually(
        () => access(platform, buyer, id, version),
        ({ body: answer }) => answer.status === 'active',
      );
      return body.connection_string as string;
    };
    await at(2);
    const session = await login(await at(1));
    await session.query('select * from cities');
    expect(await refusal(session.query('select * from secrets'))).to.include('DENIED');
    await session.end();
    expect(await opened(buyer, id)).to.include({ version: 1 });
  });

  it('that are renewed make the user where the server of what was sold refuses it', async () => {
    const { platform, seller, buyer, admin, server, connectionOf, offerTables, opened } = scene;
    const { dataset_id: id, product_id } = await offerTables();
    const order = await buy(platform, buyer, { id: product_id });
    await admin.query(`alter user 'seller'@'%' identified by 'changed'`);
    await rotate(platform, seller, id, { mysql: connectionOf({ password: 'changed' }) });
    await checked(platform, seller, id);
    const { connection_string, version } = await opened(buyer, id);
    expect(version).to.equal(2);
    await (await login(connection_string)).end();
    await platform.request(`POST /api/v1/orders/${order}/refund`, { key: seller.key });
    await runTimer(platform, 'drop_dataset_users');
    await loginIsRefused(connection_string);
    const { password } = new URL(server.url);
    await admin.query(`alter user 'seller'@'%' identified by '${password}'`);
  });

  it('that are renewed lose every server that had one, also when it is not current', async () => {
    const { platform, seller, buyer, connectionOf, offerTables, opened, usersOf } = scene;
    const { dataset_id: id, product_id } = await offerTables();
    const order = await buy(platform, buyer, { id: product_id });
    const { connection_string: before } = await opened(buyer, id);
    const username = new URL(before).username;
    const other = await startMariaDb();
    try {
      const { port, password } = new URL(other.url);
      const admin = await login(other.url);
      await admin.query('create table cities (name varchar(50))');
      await rotate(platform, seller, id, { mysql: connectionOf({ port: Number(port), password }) });
      await checked(platform, seller, id);
      await platform.query(`update dataset_grant set asked_at = '-infinity'`);
      const { body } = await eventually(
        () => access(platform, buyer, id, 2),
        ({ body: answer }) => answer.status === 'active',
      );
      await (await login(body.connection_string)).end();

      await platform.request(`POST /api/v1/orders/${order}/refund`, { key: seller.key });
      await platform.query(
        `update dataset_version set superseded_at = superseded_at - interval '2 hours'`,
      );
      await runTimer(platform, 'forget_old_versions');
      await runTimer(platform, 'drop_dataset_users');
      await eventually(
        () => usersOf(username),
        (users) => users === 0,
      );
      await loginIsRefused(before);
      await loginIsRefused(body.connection_string);
      await admin.end();
    } finally {
      await other.stop();
    }
  });
});
