import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { buy, runTimer } from '../orders/trade.ts';
import { login, openMysqlScene, type MysqlScene } from './mysql_scene.ts';

describe('a MySQL seller whose own user may not see the sessions of others', function () {
  this.timeout(120_000);

  let scene: MysqlScene;
  before(async () => {
    scene = await openMysqlScene();
    await scene.admin.query(
      `create user 'plain'@'%' identified by 'Plain-pw-1';
       grant create user on *.* to 'plain'@'%';
       grant select on data.cities to 'plain'@'%' with grant option`,
    );
  });
  after(async () => {
    expect(await audit(scene.platform.context.database)).to.deep.equal([]);
    await scene.close();
  });

  it('has the running queries of a buyer ended whose order is refunded', async () => {
    const { platform, seller, buyer, connectionOf, offerTables, opened, usersOf } = scene;
    const mysql = connectionOf({ username: 'plain', password: 'Plain-pw-1' });
    const dataset = await offerTables({ mysql });
    expect(dataset.status).to.equal('active');
    const order = await buy(platform, buyer, { id: dataset.product_id });
    const { connection_string, username } = await opened(buyer, dataset.dataset_id);
    const sessions = await Promise.all([1, 2, 3, 4, 5].map(() => login(connection_string)));
    const queries = sessions.map((session) => {
      session.on('error', () => undefined);
      return session.query('select count(*), sleep(600) from cities').then(
        () => 'nothing ended it',
        () => 'ended',
      );
    });
    await platform.request(`POST /api/v1/orders/${order}/refund`, { key: seller.key });
    await runTimer(platform, 'drop_dataset_users');
    expect(new Set(await Promise.all(queries))).to.deep.equal(new Set(['ended']));
    expect(await usersOf(username)).to.equal(0);
  });
});
