import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { eventually } from '../harness.ts';
import { inQueue } from '../in_queue.ts';
import { inboxOf } from '../inbox/waiting.ts';
import { act, orderAs, walletsOf, type Agent } from '../orders/deal.ts';
import { buy, fallDue, runSweep, runTimer, startTimer } from '../orders/trade.ts';
import { openMysqlScene, type MysqlScene } from './mysql_scene.ts';
import { access } from './offer.ts';

const LOGIN = 'The seller’s server refuses the login of its seller.';

describe('the access that an order of a dataset gives', function () {
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
  const repair = () => setPassword(new URL(scene.server.url).password);
  afterEach(repair);

  const stateFor = async (who: Agent, order: number) =>
    (await orderAs(scene.platform, who, order)).dataset.access;
  async function sold(fields: object = {}) {
    const { dataset_id: id, product_id } = await scene.offerTables(fields);
    const buyer = await scene.platform.agent({ usd: 5 });
    return { id, buyer, order: await buy(scene.platform, buyer, { id: product_id }) };
  }
  /** An order whose buyer asked for its user, which its server refused to make. */
  async function refused(fields: object = {}) {
    const deal = await sold(fields);
    await setPassword('changed');
    expect((await access(scene.platform, deal.buyer, deal.id)).body.status).to.equal('granted');
    await eventually(
      () => stateFor(deal.buyer, deal.order),
      ({ status }) => status === 'failed',
    );
    return deal;
  }
  const statusOf = async (order: number) =>
    (await scene.platform.query('select status from orders where id = $1', [order]))[0].status;
  const kindsOf = async (who: Agent, order: number) =>
    (await inboxOf(scene.platform, who)).inbox
      .filter(({ id }) => id === order)
      .map(({ kind, deadline, calls }) => [kind, deadline, ...calls.map(({ tool }) => tool)]);

  it('is told both sides, with a reason of ours', async () => {
    const { platform, seller } = scene;
    const deal = await sold({ access_days: 30 });
    const unasked = await stateFor(deal.buyer, deal.order);
    expect(unasked).to.include({ status: 'not_asked', due_at: null });
    const { created_at } = await orderAs(platform, seller, deal.order);
    const days = (Date.parse(unasked.ends_at) - Date.parse(created_at)) / 86_400_000;
    expect(days).to.be.closeTo(30, 0.001);

    const { id, buyer, order } = await refused({ access_days: 30 });
    const state = await stateFor(buyer, order);
    expect(state).to.include({ status: 'failed', reason: LOGIN });
    const left = Date.parse(state.due_at) - Date.now();
    expect(left / 86_400_000).to.be.closeTo(7, 0.1);
    expect(await stateFor(seller, order)).to.deep.equal(state);
    const listed = await platform.request('GET /api/v1/orders?role=seller&limit=1', {
      key: seller.key,
    });
    expect(listed.body.orders[0].dataset.access).to.deep.equal(state);
    const { text, body } = await access(platform, buyer, id);
    expect(body.due_at).to.equal(state.due_at);
    expect(body.fault).to.deep.equal({ untrusted: true, content: LOGIN });
    for (const word of ['ER_ACCESS', 'Access denied', 'seller@']) expect(text).not.to.contain(word);

    expect(await kindsOf(seller, order)).to.deep.equal([
      ['access_to_repair', state.due_at, 'get_order', 'refund_order'],
    ]);
    expect(await kindsOf(buyer, order)).to.deep.equal([
      ['access_to_await', state.due_at, 'access_dataset', 'refund_order', 'dispute_order'],
    ]);
  });

  it('is tried again until the server is repaired', async () => {
    const { platform, seller } = scene;
    const { buyer, order } = await refused();
    const tried = await runSweep(platform, 'retry_dataset_users');
    expect(tried.retried, 'it was asked less than five minutes ago').to.equal(0);
    await repair();
    await platform.query(
      `update dataset_grant set asked_at = asked_at - interval '6 minutes' where order_id = $1`,
      [order],
    );
    await fallDue(platform, order);
    await runTimer(platform, 'retry_dataset_users');
    expect(await stateFor(buyer, order)).to.include({
      status: 'ready',
      reason: null,
      due_at: null,
    });
    const { release_at } = await orderAs(platform, buyer, order);
    expect(Date.parse(release_at) - Date.now()).to.be.greaterThan(47 * 3_600_000);
    expect(await kindsOf(seller, order)).to.deep.equal([]);
    expect((await kindsOf(buyer, order)).map(([kind]) => kind)).to.deep.equal(['order_to_confirm']);
  });

  it('holds the payment while there is none', async () => {
    const { platform, seller } = scene;
    const { buyer, order } = await refused();
    // The vault says where the data are, and gives none of them.
    await act(platform, 'get_vault_item', { orderId: order, key: buyer.key });
    await fallDue(platform, order);
    const before = await walletsOf(platform, seller, buyer);
    expect(await runSweep(platform, 'release_due_orders')).to.include({ failed: 0 });
    expect(await statusOf(order)).to.equal('escrow');
    expect(await walletsOf(platform, seller, buyer)).to.deep.equal(before);
    const { available_actions: actions } = await orderAs(platform, buyer, order);
    expect(actions).to.include.members(['dispute_order', 'refund_order']);
    const disputed = await act(platform, 'dispute_order', { orderId: order, key: buyer.key });
    expect(disputed.status, disputed.text).to.equal(200);
    const returned = await act(platform, 'refund_order', { orderId: order, key: buyer.key });
    expect(returned.status, returned.text).to.equal(200);
    expect(await stateFor(buyer, order)).to.include({ status: 'ended', due_at: null });
  });

  it('does not hold the payment of who never asked', async () => {
    const { platform } = scene;
    const { order } = await sold();
    await fallDue(platform, order);
    await runTimer(platform, 'release_due_orders');
    expect(await statusOf(order)).to.equal('completed');
  });

  it('is put off no more once it was given', async () => {
    const { platform, seller, buyer: rich, opened, connectionOf, admin } = scene;
    const { dataset_id: id, product_id } = await scene.offerTables();
    const order = await buy(platform, rich, { id: product_id });
    await opened(rich, id);
    await admin.query('create table if not exists lakes (name text)');
    const mysql = connectionOf({ tables: ['lakes'] });
    await platform.request(`POST /api/v1/datasets/${id}/rotate`, {
      key: seller.key,
      body: { mysql },
    });
    await eventually(
      () => access(platform, rich, id, 2),
      ({ status }) => status === 200,
    );
    await admin.query('drop table lakes');
    await platform.query(
      `update dataset_grant set asked_at = '-infinity', version = 1 where order_id = $1`,
      [order],
    );
    await fallDue(platform, order);
    await access(platform, rich, id, 2);
    await eventually(
      () => platform.query('select cause from dataset_grant where order_id = $1', [order]),
      ([grant]) => grant.cause === 'tables',
    );
    await runTimer(platform, 'release_due_orders');
    expect(await statusOf(order)).to.equal('completed');
  });

  it('gives the money back after seven days without', async () => {
    const { platform, seller } = scene;
    const { buyer, order } = await refused();
    expect(await runSweep(platform, 'refund_unserved_orders')).to.include({ refunded: 0 });
    expect(await statusOf(order)).to.equal('escrow');
    await platform.query(`update order_access set access_by = now() where order_id = $1`, [order]);
    const [seen] = await walletsOf(platform, seller);
    expect(await runSweep(platform, 'refund_unserved_orders')).to.include({ refunded: 1 });
    expect(await statusOf(order)).to.equal('refunded');
    const [sellers, buyers] = await walletsOf(platform, seller, buyer);
    expect(sellers).to.deep.equal(seen);
    expect(buyers!.in_escrow).to.equal(0);
    expect(await kindsOf(seller, order)).to.deep.equal([]);
  });

  it('holds the payment that is due at the moment of asking', async () => {
    const { platform } = scene;
    const [first, second] = [await sold(), await sold()];
    await setPassword('changed');
    const atOnce = (order: number, calls: (() => Promise<unknown>)[]) =>
      inQueue(platform, `select from orders where id = ${order} for update`, calls);
    const ask = ({ buyer, id }: typeof first) => access(platform, buyer, id);
    const release = () => startTimer(platform, 'release_due_orders');

    await fallDue(platform, first.order);
    await atOnce(first.order, [() => ask(first), release]);
    await runTimer(platform, 'release_due_orders');
    expect(await statusOf(first.order)).to.equal('escrow');
    expect(await audit(platform.context.database)).to.deep.equal([]);

    await fallDue(platform, second.order);
    await atOnce(second.order, [release, () => ask(second)]);
    expect(await statusOf(second.order)).to.equal('completed');
    await eventually(
      () => platform.query('select cause from dataset_grant where order_id = $1', [second.order]),
      ([grant]) => grant?.cause === 'login',
    );
    const state = await stateFor(second.buyer, second.order);
    expect(state).to.include({ status: 'failed', due_at: null });
    expect(await audit(platform.context.database)).to.deep.equal([]);
  });
});
