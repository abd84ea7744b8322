import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';

import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { buy, runTimer } from '../orders/trade.ts';
import { login, openMysqlScene, type MysqlScene } from './mysql_scene.ts';

/** The bytes, of which a statement that ends a session does nothing, as long as before. */
const withoutKill = (bytes: Buffer): Buffer =>
  Buffer.from(bytes.toString('latin1').replace('kill connection', 'select 1 or 1 +'), 'latin1');

const CAPABILITY_TLS = 0x08;

/** The bytes; in a greeting of the server, TLS is not offered. */
function withoutTls(bytes: Buffer): Buffer {
  const isGreeting = bytes.readUInt8(3) === 0 && bytes.readUInt8(4) === 10;
  if (!isGreeting) return bytes;
  const capabilities = bytes.indexOf(0, 5) + 1 + 4 + 8 + 1;
  bytes.writeUInt8(bytes.readUInt8(capabilities + 1) & ~CAPABILITY_TLS, capabilities + 1);
  return bytes;
}

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
    expect(dataset.newest).to.include({ fault: null, warning: null });
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

  it('is warned by the check if such sessions go on', async () => {
    const { server, admin, connectionOf, offerTables } = scene;
    // A proxy in between, at which another connection would be ended: none is.
    const proxy = createServer((client) => {
      const behind = connect(server.port, '127.0.0.1');
      client.on('data', (bytes) => behind.write(withoutKill(bytes)));
      behind.on('data', (bytes) => client.write(withoutTls(bytes)));
      for (const [one, other] of [
        [client, behind],
        [behind, client],
      ] as const) {
        one.on('error', () => undefined).on('close', () => other.destroy());
      }
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const { port } = proxy.address() as AddressInfo;
    const mysql = connectionOf({ username: 'plain', password: 'Plain-pw-1', port });
    const { status, newest } = await offerTables({ mysql });
    expect([status, newest.fault]).to.deep.equal(['active', null]);
    expect(newest.warning).to.contain('may go on reading');
    const [left] = await admin.query(`select user from mysql.user where user like 'vnx_trial_%'`);
    expect(left).to.deep.equal([]);
    await new Promise((resolve) => proxy.close(resolve));
  });
});
