import { expect } from 'chai';

import type { SocksServer } from '../../../api/socks/server.ts';
import { audit } from '../../../shared/composition/audit.ts';
import { REFUNDED_BYTES } from '../../../shared/domains/proxies/sale/refund_connection.ts';
import {
  chargeConnection,
  refundConnection,
} from '../../../shared/domains/proxies/sale/connections.ts';
import { admin } from '../../faults/children.ts';
import { childOf } from '../../agents/child.ts';
import { eventually } from '../../harness.ts';
import type { Peer } from '../../proxies/peers.ts';
import { Rig } from './rig.ts';
import { requestTarget, type RawClient } from './raw_client.ts';

const EACH = 16;
const HELLO = 'a request of an honest client';

describe('a connection on which the target sends nothing', function () {
  this.timeout(60_000);

  let rig: Rig;
  let server: SocksServer;
  let agent: Awaited<ReturnType<Rig['agent']>>;
  before(async () => {
    rig = await Rig.open();
    server = await rig.server();
  });
  beforeEach(async () => {
    rig.serve = (socket) => void socket.resume();
    agent = await rig.agent({ usd: 1 });
  });
  afterEach(() => rig.clear());
  after(() => rig.close());

  const to = () => ({ key: agent.proxyKey, port: rig.plainPort });

  async function open(at = server): Promise<RawClient> {
    const { reply, client } = await requestTarget(at, to());
    expect(reply).to.equal(0);
    return client;
  }
  const openAll = (count: number, at = server) =>
    Promise.all(Array.from({ length: count }, () => open(at)));

  /** Waits until no connection is open, and sees how many were paid for, by the wallet too. */
  async function expectPaid(paid: number, at = server): Promise<void> {
    await eventually(
      async () => at.countOpen(),
      (count) => count === 0,
    );
    expect(await rig.charges(agent)).to.equal(paid);
    expect(await rig.platform.balance(agent)).to.equal((1_500 - paid) / 1_000);
  }

  async function expectDue(proxy: Peer): Promise<void> {
    await eventually(
      () => rig.due(proxy),
      (due) => due.length === 1,
    );
  }

  /** Resolves when the target has so many bytes of each of so many clients. */
  function heard(bytes: number, clients = 1): Promise<void> {
    let hearing = clients;
    return new Promise((resolve) => {
      rig.serve = (socket) => {
        let left = bytes;
        socket.on('data', ({ length }: Buffer) => {
          left -= length;
          if (left <= 0 && left + length > 0 && (hearing -= 1) === 0) resolve();
        });
      };
    });
  }

  it(`costs nothing, ${EACH} times of ${EACH}, when the proxy resets it, and the proxy is checked`, async () => {
    const proxy = await rig.proxy('US', 'resetting');
    const clients = await openAll(EACH);
    for (const client of clients) client.send(HELLO);
    await Promise.all(clients.map((client) => client.readAll()));
    for (const client of clients) client.close();
    await expectPaid(0);
    await expectDue(proxy);
  });

  it(`costs nothing, ${EACH} times of ${EACH}, when the proxy stays silent, and the proxy is checked`, async () => {
    const proxy = await rig.proxy('US', 'mute');
    const hasty = await rig.server({ silentMs: 1_000 });
    const clients = await openAll(EACH, hasty);
    for (const client of clients) client.send(HELLO);
    await Promise.all(clients.map((client) => client.readAll()));
    expect(clients.filter(({ wasReset }) => wasReset)).to.have.length(EACH);
    await expectPaid(0, hasty);
    await expectDue(proxy);
  });

  it('costs nothing when its client has waited and leaves, and the proxy is checked', async () => {
    const proxy = await rig.proxy('US');
    const hasty = await rig.server({ answerMs: 0 });
    const isHeard = heard(HELLO.length);
    const client = await open(hasty);
    client.send(HELLO);
    await isHeard;
    client.close();
    await expectPaid(0, hasty);
    await expectDue(proxy);
  });

  it('is paid for when its client leaves before an answer could have come', async () => {
    const proxy = await rig.proxy('US');
    const lenient = await rig.server({ answerMs: 60_000 });
    const isHeard = heard(HELLO.length);
    const client = await open(lenient);
    client.send(HELLO);
    await isHeard;
    client.close();
    await expectPaid(1, lenient);
    expect(await rig.due(proxy)).to.deep.equal([]);
  });

  it('is ended, and paid for, when its client sends nothing either', async () => {
    const proxy = await rig.proxy('US');
    const hasty = await rig.server({ silentMs: 500, answerMs: 0 });
    const client = await open(hasty);
    await client.readAll();
    expect(client.wasReset).to.equal(true);
    await expectPaid(1, hasty);
    expect(await rig.due(proxy)).to.deep.equal([]);
  });

  it('is paid for when one byte of the target came first', async () => {
    const proxy = await rig.proxy('US');
    rig.serve = (socket) => void socket.once('data', () => socket.end('x'));
    const hasty = await rig.server({ answerMs: 0 });
    const client = await open(hasty);
    client.send(HELLO);
    expect(String(await client.readAll())).to.equal('x');
    client.close();
    await expectPaid(1, hasty);
    expect(await rig.due(proxy)).to.deep.equal([]);
  });

  it('lasts as long as it is used, however late it is, when the target has answered once', async () => {
    await rig.proxy('US');
    const hasty = await rig.server({ silentMs: 500 });
    rig.serve = (socket) => void socket.pipe(socket);
    const talks = await open(hasty);
    talks.send('ping');
    expect(String(await talks.read(4))).to.equal('ping');
    await (
      await open(hasty)
    ).closed; // It was opened later, and has been silent for too long.
    talks.send('ping');
    expect(String(await talks.read(4))).to.equal('ping');
    talks.close();
    await expectPaid(2, hasty);
  });

  it('costs nothing when the server is stopped meanwhile, and no proxy is checked', async () => {
    const proxy = await rig.proxy('US');
    const stopped = await rig.server({ drainMs: 1 });
    const isHeard = heard(HELLO.length);
    const client = await open(stopped);
    client.send(HELLO);
    await isHeard;
    await stopped.close();
    await expectPaid(0, stopped);
    expect(await rig.due(proxy)).to.deep.equal([]);
  });

  it('is paid for when its client sent 15 kB, but for the first of 20 in a day', async () => {
    await rig.proxy('US');
    const bytes = 15_000;
    const isHeard = heard(bytes, 20);
    const hasty = await rig.server({ answerMs: 0 });
    const clients = await openAll(20, hasty);
    for (const client of clients) client.send(Buffer.alloc(bytes));
    await isHeard;
    // All at once: what one is given back is counted before the next.
    for (const client of clients) client.close();
    const refunded = Math.floor((REFUNDED_BYTES.aDay + 15 * REFUNDED_BYTES.aPurchase) / bytes);
    expect(refunded).to.equal(5);
    await expectPaid(20 - refunded, hasty);
  });

  /** A connection that this agent pays for, and what gives it back. */
  const buy = async (agentId: number, bytes: number) => {
    const caller = { agentId, rootId: agent.id, keyId: 0, scopes: [] };
    const buyer = { caller, id: crypto.randomUUID() };
    const chargeId = await chargeConnection(rig.platform.context, buyer);
    return () => refundConnection(rig.platform.context, buyer, { chargeId, bytes });
  };

  it('is paid for when what would allow to give it back is bought after midnight', async () => {
    expect(await (await buy(agent.id, REFUNDED_BYTES.aDay))()).to.equal(true);
    await buy(agent.id, 0);
    await admin(
      rig.platform,
      `update charge set created_at = created_at + interval '1 day'
        where id = (select max(id) from charge)`,
    );
    expect(await (await buy(agent.id, 1))()).to.equal(false);
    expect(await audit(rig.platform.context.database)).to.deep.equal([]);
  });

  it('counts towards what its whole tree may send for nothing, once', async () => {
    const child = await childOf(rig.platform, agent);
    const half = REFUNDED_BYTES.aDay / 2;
    const first = await buy(agent.id, half);
    expect([await first(), await first(), await first()]).to.deep.equal([true, true, true]);
    const second = await buy(child.id, half);
    expect(await second()).to.equal(true);
    const beyond = await buy(child.id, 1);
    expect(await beyond()).to.equal(false);
    expect(await rig.platform.balance(agent)).to.equal(1.499);
    // The payment allows a kilobyte more, of which the shortest request takes all.
    expect(await (await buy(agent.id, 1))()).to.equal(true);
    expect(await (await buy(agent.id, 1))()).to.equal(false);
    expect(await (await buy(agent.id, 0))()).to.equal(true);
    expect(await rig.platform.balance(agent)).to.equal(1.498);
  });
});
