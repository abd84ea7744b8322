import { expect } from 'chai';
import { createConnection } from 'mysql2/promise';

import { audit } from '../../shared/composition/audit.ts';
import { exceptionOf } from '../../shared/platform/egress/addresses.ts';
import { openEgress } from '../../shared/platform/egress/egress.ts';
import { openMysql } from '../../workers/gateways/datasets/mysql.ts';
import { buy, runTimer } from '../orders/trade.ts';
import { login, loginIsRefused, openMysqlScene, refusal, type MysqlScene } from './mysql_scene.ts';
import { create } from './offer.ts';

describe('names of MySQL databases and tables', function () {
  this.timeout(120_000);

  let scene: MysqlScene;
  before(async () => {
    scene = await openMysqlScene();
  });
  after(async () => {
    expect(await audit(scene.platform.context.database)).to.deep.equal([]);
    await scene.close();
  });

  it('may have hyphens and spaces, and are quoted', async () => {
    const { platform, seller, buyer, admin, connectionOf, offerTables, opened, usersOf } = scene;
    await admin.query(
      `create database \`my-data 2026\`;
       create table \`my-data 2026\`.\`big cities-eu\` (name varchar(50));
       insert into \`my-data 2026\`.\`big cities-eu\` values ('Oslo');
       create table \`my-data 2026\`.secrets (word varchar(50));
       create database \`my_data 2026\`;
       create table \`my_data 2026\`.\`big cities-eu\` (name varchar(50))`,
    );
    const mysql = connectionOf({ database: 'my-data 2026', tables: ['big cities-eu'] });
    const { dataset_id: id, product_id, newest } = await offerTables({ mysql });
    expect(newest).to.include({ status: 'active', warning: null });
    const order = await buy(platform, buyer, { id: product_id });
    const delivered = await opened(buyer, id);
    expect(delivered.database).to.equal('my-data 2026');
    expect(delivered.connection_string).to.match(/\/my-data%202026$/);
    const session = await login(delivered.connection_string);
    const [found] = await session.query('select * from `big cities-eu`');
    expect(found).to.deep.equal([{ name: 'Oslo' }]);
    for (const sql of ['select * from secrets', 'select * from `my_data 2026`.`big cities-eu`']) {
      expect(await refusal(session.query(sql))).to.equal('ER_TABLEACCESS_DENIED_ERROR');
    }
    await session.end();
    await platform.request(`POST /api/v1/orders/${order}/refund`, { key: seller.key });
    await runTimer(platform, 'drop_dataset_users');
    await loginIsRefused(delivered.connection_string);
    expect(await usersOf(delivered.username)).to.equal(0);
  });

  it('are refused with what could end a name', async () => {
    const { platform, seller, connectionOf } = scene;
    for (const name of [
      "cities` to 'x'@'%'; drop table secrets; -- ",
      '`',
      "cities'",
      'cities"',
      'data.cities',
      'cities;',
      'a/b',
      'a\\b',
      'cities\n',
      'cities\u0000',
      ' cities',
      'cities ',
      '*',
      '%',
      '',
      'x'.repeat(65),
    ]) {
      for (const fields of [{ tables: [name] }, { database: name }]) {
        const mysql = connectionOf(fields);
        const { status, body } = await create(platform, seller, { type: 'mysql', mysql });
        expect([status, body.error], JSON.stringify(fields)).to.deep.equal([
          422,
          'validation_error',
        ]);
      }
    }
  });

  it('cannot end their quotation, whoever let them through', async () => {
    const { admin, connectionOf, usersOf } = scene;
    const evil = "x` to 'vnx_evil'@'%' identified by 'y'; -- ";
    const dotted = 'secrets.cities';
    await admin.query(`create table \`${evil.replaceAll('`', '``').trim()}\` (a int)`);
    const gateway = openMysql(
      openEgress({ egressAllow: [exceptionOf('127.0.0.0/8')], dnsServers: [] }),
    );
    const server = { ...connectionOf(), port: scene.server.port, tls: 'preferred' as const };
    for (const table of [evil.trim(), dotted]) {
      const user = { username: 'vnx_names', password: 'Names-pw-1-Aa' };
      const fault = await gateway.createUser({ ...server, tables: [table] } as never, {
        user,
        mayHaveMore: false,
      });
      if (table === dotted) expect(fault?.cause).to.equal('tables');
      else expect(fault).to.equal(null);
    }
    expect(await usersOf('vnx_evil')).to.equal(0);
    const own = await createConnection({
      uri: `mysql://vnx_names:Names-pw-1-Aa@127.0.0.1:${scene.server.port}/data`,
    });
    expect(await refusal(own.query('select * from secrets'))).to.equal(
      'ER_TABLEACCESS_DENIED_ERROR',
    );
    await own.end();
  });
});
