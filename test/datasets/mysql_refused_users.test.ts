import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { eventually } from '../harness.ts';
import { walletsOf } from '../orders/deal.ts';
import { buy, eventsOf, fallDue, runTimer } from '../orders/trade.ts';
import { login, openMysqlScene, type MysqlScene } from './mysql_scene.ts';
import { access } from './offer.ts';

describe('a buyer whose user a MySQL server refuses', function () {
  this.timeout(120_000);

  let scene: MysqlScene;
  before(async () => {
    scene = await openMysqlScene();
  });
  after(async () => {
    expect(await audit(scene.platform.context.database)).to.deep.equal([]);
    await scene.close();
  });

  const setPassword = (password: string) =>
    scene.admin.query(`alter user 'seller'@'%' identified by '${password}'`);
  /** A dataset, bought, whose seller's own login fails since; asked for once. */
  async function refused() {
    const { platform, buyer, offerTables } = scene;
    const { dataset_id: id, product_id } = await offerTables();
    const order = await buy(platform, buyer, { id: product_id });
    await setPassword('changed');
    const first = await access(platform, buyer, id);
    expect(first.body).to.include({ status: 'granted' }).and.not.have.property('fault');
    const { body } = await eventually(
      () => access(platform, buyer, id),
      ({ body: answer }) => answer.fault !== undefined,
    );
    expect(body).to.include({ status: 'granted' });
    expect(body.fault).to.include({ untrusted: true });
    expect(body.fault.content).to.contain('refuses the login of its seller');
    return { id, order };
  }
  afterEach(() => setPassword(new URL(scene.server.url).password));

  it('is told why, as its seller is, and the seller is not paid meanwhile', async () => {
    const { platform, seller, buyer } = scene;
    const { id, order } = await refused();
    for (const party of [seller, buyer]) {
      const told = (await eventsOf(platform, party)).filter(
        (type) => type === 'dataset.access_failed',
      );
      expect(told).to.have.length(1);
    }
    const before = await walletsOf(platform, seller, buyer);
    // The time of the order comes while the buyer tries again.
    await fallDue(platform, order);
    await platform.query(`update dataset_grant set asked_at = '-infinity'`);
    expect((await access(platform, buyer, id)).body.status).to.equal('granted');
    const state = async () =>
      (
        await platform.query(
          `select status, release_at > now() + interval '47 hours' as is_deferred
             from orders where id = $1`,
          [order],
        )
      )[0];
    await eventually(state, ({ is_deferred: isDeferred }) => isDeferred === true);
    await runTimer(platform, 'release_due_orders');
    expect(await state()).to.include({ status: 'escrow' });
    expect(await walletsOf(platform, seller, buyer)).to.deep.equal(before);
    const returned = await platform.request(`POST /api/v1/orders/${order}/refund`, {
      key: buyer.key,
    });
    expect(returned.status, returned.text).to.equal(200);
  });

  it('has another password, of all kinds of characters, when it is let in after all', async () => {
    const { platform, buyer, opened, server } = scene;
    const { id, order } = await refused();
    const passwordOf = async () =>
      (
        await platform.query('select password from dataset_grant where order_id = $1', [order])
      )[0].password.toString('hex');
    const before = await passwordOf();
    await setPassword(new URL(server.url).password);
    await platform.query(`update dataset_grant set asked_at = '-infinity'`);
    const { connection_string, password } = await opened(buyer, id);
    expect(await passwordOf()).not.to.equal(before);
    for (const kind of [/[a-z]/, /[A-Z]/, /[0-9]/, /[^\w]/]) expect(password).to.match(kind);
    await (await login(connection_string)).end();
    // Once it was opened, its time is not put off any more.
    await fallDue(platform, order);
    await runTimer(platform, 'release_due_orders');
    const [{ status }] = await platform.query('select status from orders where id = $1', [order]);
    expect(status).to.equal('completed');
  });
});
