import { randomUUID } from 'node:crypto';
import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { childOf } from '../agents/child.ts';
import { eventually } from '../harness.ts';
import { inQueue } from '../in_queue.ts';
import type { Peer } from './peers.ts';
import { stock } from './stock.ts';
import { ProxyRig } from './proxy_rig.ts';

describe('report_proxy', function () {
  this.timeout(60_000);

  let rig: ProxyRig;
  let agent: { id: number; key: string };
  before(async () => {
    rig = await ProxyRig.open();
  });
  beforeEach(async () => {
    agent = await rig.platform.agent();
  });
  after(async () => {
    expect(await audit(rig.platform.context.database)).to.deep.equal([]);
    await rig.close();
  });

  const buy = (id: string, key = agent.key) =>
    rig.platform.request(`GET /api/v1/proxy/${id}`, { key });
  const report = (id: string | number, key = agent.key, headers = {}) =>
    rig.platform.request(`POST /api/v1/proxy/${id}/report?wait=25`, { key, headers });
  const balance = () => rig.platform.balance(agent);

  /** A proxy on sale. */
  async function onSale(): Promise<{ peer: Peer; id: string }> {
    const peer = await rig.peer('working');
    rig.list([peer.address]);
    await rig.refresh();
    await rig.checked(peer);
    return { peer, id: String((await rig.row(peer.address)).id) };
  }

  it('refunds a proxy that we find dead too, and takes it off the market', async () => {
    const { peer, id } = await onSale();
    await buy(id);
    expect(await balance()).to.equal(0.499);
    peer.become('dead');
    const { status, body } = await report(id);
    expect(status).to.equal(200);
    expect(body).to.deep.equal({ proxy_id: id, status: 'dead', credited: 0.001 });
    expect(await balance()).to.equal(0.5);
    expect(await rig.states(peer)).to.deep.equal(['degraded']);
    expect((await buy(id)).status).to.equal(404);
    const wallet = await rig.platform.request('GET /api/v1/wallet', agent);
    expect(wallet.body).to.include({ daily_spend: 0, credit: 0.5 });
    const statement = await rig.platform.request('GET /api/v1/wallet/statement', agent);
    expect(statement.body.entries[0]).to.include({ amount: 0.001, balance_after: 0.5 });
  });

  it('refunds nothing for a proxy that works', async () => {
    const { peer, id } = await onSale();
    await buy(id);
    const { body } = await report(id);
    expect(body).to.deep.equal({ proxy_id: id, status: 'works', credited: 0 });
    expect(await balance()).to.equal(0.499);
    expect(await rig.states(peer)).to.deep.equal(['hot']);
  });

  it('brings no proxy back that is dead by now', async () => {
    const { peer, id } = await onSale();
    await buy(id);
    const die = `update proxy set state = 'dead', next_check_at = 'infinity' where id = $1`;
    await rig.platform.query(die, [id]);
    expect((await report(id)).body).to.include({ status: 'works', credited: 0 });
    expect(await rig.states(peer)).to.deep.equal(['dead']);
  });

  it('is accepted once a purchase, however many come at the same moment', async () => {
    const { peer, id } = await onSale();
    await buy(id);
    await buy(id);
    expect(await balance()).to.equal(0.498);
    peer.become('silent');
    const { connections } = peer;
    const reports = Array.from({ length: 6 }, () => report(id));
    await eventually(
      async () => peer.connections,
      (count) => count >= connections + 6,
    );
    peer.become('dead');
    const replies = await Promise.all(reports);
    const credited = replies.filter(({ status }) => status === 200);
    expect(credited.map(({ body }) => body.credited)).to.deep.equal([0.001, 0.001]);
    for (const { status, body } of replies.filter((reply) => reply.status !== 200)) {
      expect([status, body.error]).to.deep.equal([409, 'invalid_transition']);
    }
    expect(await balance()).to.equal(0.5);
  });

  it('with one key is one report', async () => {
    const { peer, id } = await onSale();
    await buy(id);
    peer.become('dead');
    const headers = { 'idempotency-key': randomUUID() };
    const first = await report(id, agent.key, headers);
    const again = await report(id, agent.key, headers);
    expect(again.text).to.equal(first.text);
    expect(await balance()).to.equal(0.5);
  });

  it('is refused for what this agent did not buy in the last hour', async () => {
    const { peer, id } = await onSale();
    peer.become('dead');
    const refused = async (key = agent.key) => {
      const { status, body } = await report(id, key);
      expect([status, body.error]).to.deep.equal([404, 'not_found']);
    };
    await refused();
    const other = await rig.platform.agent();
    peer.become('working');
    await buy(id, other.key);
    await buy(id);
    peer.become('dead');
    await refused((await childOf(rig.platform, agent)).key);
    await rig.platform.query(
      `update proxy_sale set sold_at = sold_at - interval '61 minutes' where agent_id = $1`,
      [agent.id],
    );
    await refused();
    expect((await report('2147483647')).status).to.equal(404);
    expect((await report('2147483648')).status).to.equal(422);
    expect((await report('x')).status).to.equal(422);
    expect(await balance()).to.equal(0.499);
    expect((await report(id, other.key)).body.credited).to.equal(0.001);
  });

  it('is accepted a hundred times a day from a tree of agents', async () => {
    const child = await childOf(rig.platform, agent);
    const { peer, id } = await onSale();
    await buy(id, child.key);
    peer.become('dead');
    const spread = (day: string) =>
      rig.platform.query(
        `insert into proxy_report (charge_id, proxy_id, root_id, works, credited, reported_at)
         select (select charge_id from proxy_sale where agent_id = $1), -n, $2, true, 0,
                ${day}
           from generate_series(1, 100) as n`,
        [child.id, agent.id],
      );
    await spread('now()');
    const { status, body } = await report(id, child.key);
    expect([status, body.error]).to.deep.equal([429, 'rate_limited']);
    expect(body.details).to.include({ limit: 100, used: 100 });
    expect(Date.parse(body.details.resets_at) % 86_400_000).to.equal(0);
    expect(await balance()).to.equal(0.499);
    await rig.platform.query(
      `update proxy_report set reported_at = reported_at - interval '1 day' where proxy_id < 0`,
    );
    expect((await report(id, child.key)).body.credited).to.equal(0.001);
    expect(await balance()).to.equal(0.5);
  });

  it('counts those of a tree that come at the same moment one after the other', async () => {
    const ids = await stock(rig.platform, { count: 2, country: 'BO' });
    const route = 'GET /api/v1/proxy/list?country=BO';
    await eventually(
      () => rig.platform.request(route, { key: agent.key }),
      (reply) => reply.body.count === 2,
    );
    await rig.platform.query(
      `insert into proxy_report (charge_id, proxy_id, root_id, works, credited)
       select charge_id, -n, $1, true, 0 from generate_series(1, 99) as n,
              (select max(charge_id) as charge_id from proxy_sale where agent_id = $1) sale`,
      [agent.id],
    );
    const lock = `select from ledger.treasury where id = ${agent.id} for update`;
    const reports = ids.map((id) => () => report(id));
    const replies = await inQueue(rig.platform, lock, reports);
    expect(replies.map(({ status }) => status)).to.deep.equal([200, 429]);
  });

  it('is refused while no judge answers, and may be made again', async () => {
    const { peer, id } = await onSale();
    await buy(id);
    peer.become('dead');
    const headers = { 'idempotency-key': randomUUID() };
    rig.router.to = undefined;
    const { status, body } = await report(id, agent.key, headers);
    expect([status, body.error, body.retryable]).to.deep.equal([503, 'service_unavailable', true]);
    expect(await balance()).to.equal(0.499);
    rig.router.to = rig.platform.url;
    expect((await report(id, agent.key, headers)).body.credited).to.equal(0.001);
  });

  it('refunds the proxies of a list one by one, and no more than was paid', async () => {
    const ids = await stock(rig.platform, { count: 3, country: 'PE' });
    const route = 'GET /api/v1/proxy/list?country=PE';
    // The process that sells may not have read these yet.
    const { body } = await eventually(
      () => rig.platform.request(route, { key: agent.key }),
      (reply) => reply.body.count === 3,
    );
    expect(body.proxies.map((proxy: { id: string }) => Number(proxy.id))).to.have.members(ids);
    const paid = await balance();
    for (const id of ids) expect((await report(id)).body.credited).to.equal(0.001);
    expect(await balance()).to.be.closeTo(paid + 0.003, 1e-9);
  });
});
