import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import {
  chargeConnection,
  refundConnection,
} from '../../shared/domains/proxies/sale/connections.ts';
import { startZone } from '../email/zone.ts';
import { openDeal, orderAs } from '../orders/deal.ts';
import { TestPlatform } from '../harness.ts';
import type { NameServer } from '../name_server.ts';
import { openCommitRelay, type CommitRelay } from './commit_relay.ts';

describe('a transaction whose COMMIT was done and not answered', () => {
  let names: NameServer;
  let relay: CommitRelay;
  let platform: TestPlatform;
  let seller: { id: number; key: string };
  before(async () => {
    relay = await openCommitRelay(new URL(process.env.TEST_POSTGRES_URL!));
    names = await startZone({ 'mail.example': { MX: ['mx.mail.example'] } });
    const env = { DNS_SERVERS: names.address };
    platform = await TestPlatform.open({ env, relayPort: relay.port });
    seller = await platform.agent();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
    relay.close();
    await names.close();
  });

  const list = (title: string, headers = {}) =>
    platform.request('POST /api/v1/products', {
      key: seller.key,
      headers,
      body: {
        title,
        description: 'It opens what it is for.',
        category: 'serial_key',
        price: 1,
        stock_kind: 'unlimited',
        content: 'open',
      },
    });
  const listed = async (title: string) =>
    (await platform.query('select from product where title = $1', [title])).length;

  it('of a write is not repeated: its caller is told that it may have happened', async () => {
    relay.loseCommitOf('insert into product (');
    const { status, body } = await list('Once');
    expect([status, body.error]).to.deep.equal([503, 'service_unavailable']);
    expect(body.message).to.contain('the outcome is unknown');
    expect([relay.lost(), await listed('Once')]).to.deep.equal([1, 1]);
  });

  it('of a write with a key is found by the repeat with that key', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    relay.loseCommitOf('insert into product (');
    expect((await list('Keyed', headers)).status).to.equal(503);
    const repeat = await list('Keyed', headers);
    expect(repeat.status).to.equal(200);
    expect(repeat.headers.get('idempotent-replayed')).to.equal('true');
    expect([relay.lost(), await listed('Keyed')]).to.deep.equal([2, 1]);
  });

  it('of a batch of writes is not repeated one by one; a key finds what has happened', async () => {
    const [plain, keyed] = [await openDeal(platform), await openDeal(platform)];
    for (const [{ seller, buyer, orderId }, headers] of [
      [plain, undefined],
      [keyed, { 'Idempotency-Key': randomUUID() }],
    ] as const) {
      const route = `POST /api/v1/orders/${orderId}/confirm`;
      const confirm = () => platform.request(route, { key: buyer.key, headers: headers ?? {} });
      relay.loseCommitOf(`{"${orderId}"}`); // A prepared statement is sent without its text.
      expect((await confirm()).body.error).to.equal('service_unavailable');
      expect((await orderAs(platform, buyer, orderId)).status).to.equal('completed');
      const repeat = await confirm();
      expect(repeat.status).to.equal(headers ? 200 : 409);
      if (headers) expect(repeat.headers.get('idempotent-replayed')).to.equal('true');
      expect(await platform.balance(seller)).to.equal(1.5);
    }
    expect(relay.lost()).to.equal(4);
  });

  it('of a job is found by its next attempt', async () => {
    const { key } = await platform.agent();
    relay.loseCommitOf('insert into charge (');
    const path = 'GET /api/v1/email/validate/ada@mail.example?wait=25';
    expect((await platform.request(path, { key })).status).to.equal(200);
    expect([relay.lost(), await platform.balance({ key })]).to.deep.equal([5, 0.498]);
  });

  it('of a sale of the SOCKS5 server is found by the repeat, and refunded once', async () => {
    const { context } = platform;
    const agent = await platform.agent();
    const caller = { agentId: agent.id, rootId: agent.id, keyId: 0, scopes: [] };
    const buyer = { caller, id: randomUUID() };

    relay.loseCommitOf('insert into charge (');
    const charge = await chargeConnection(context, buyer);
    expect(relay.lost()).to.equal(6);
    expect(await chargeConnection(context, buyer)).to.equal(charge);
    expect(await platform.balance(agent)).to.equal(0.499);

    relay.loseCommitOf('insert into charge_refund');
    await refundConnection(context, buyer, { chargeId: charge, bytes: 0 });
    await refundConnection(context, buyer, { chargeId: charge, bytes: 0 });
    expect(relay.lost()).to.equal(7);
    expect(await platform.balance(agent)).to.equal(0.5);
  });
});
