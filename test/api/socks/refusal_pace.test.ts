import { expect } from 'chai';

import { Rig } from './rig.ts';
import { logIn, requestTarget, GREETING, RawClient } from './raw_client.ts';
import { patience } from '../../platform/pace.ts';

const [HERE, THERE] = ['127.0.0.21', '127.0.0.22'] as const;

/**
 * On a slow machine fewer, so that those who wait still do when another has been answered; and
 * nobody is answered sooner because all wait for too long.
 */
const FIVE_A_SECOND = {
  refusalsPerSecond: Math.max(1, Math.floor(5_000 / patience(1_000))),
  refusalMs: patience(20_000),
  handshakeMs: patience(40_000),
};

describe('what a SOCKS5 server refuses waits', function () {
  this.timeout(60_000);

  let rig: Rig;
  before(async () => {
    rig = await Rig.open();
  });
  afterEach(() => RawClient.closeAll());
  after(() => rig.close());

  const to = (agent: { proxyKey: string }, fields: object = {}) => ({
    key: agent.proxyKey,
    port: rig.plainPort,
    ...fields,
  });

  /** Whether another is answered while five of these or more are waiting. */
  async function isFirst(many: readonly Promise<unknown>[], another: Promise<unknown>) {
    let waiting = many.length;
    for (const one of many) void one.then(() => (waiting -= 1));
    const left = await another.then(() => waiting);
    await Promise.all(many);
    return left >= 5;
  }

  it('for the turn of its tree after its login, and no other tree', async () => {
    const server = await rig.server(FIVE_A_SECOND);
    const [agent, other] = await Promise.all([rig.agent(), rig.agent()]);
    const denied = (of: typeof agent, from: string) =>
      requestTarget(server, to(of, { port: 1, from }));
    const since = performance.now();
    // The address is not what they wait for: each has its own.
    const many = Array.from({ length: 20 }, (_, n) => denied(agent, `127.0.1.${n + 1}`));
    await Promise.race(many);
    expect(await isFirst(many, denied(other, HERE))).to.equal(true);
    expect(performance.now() - since).to.be.above(2_500); // Fifteen of them wait, five a second.
    for (const { reply } of await Promise.all(many)) expect(reply).to.equal(2);
    expect(await rig.platform.balance(agent)).to.equal(0.5);
  });

  it('for the turn of its address after the login too, whatever tree it is', async () => {
    const server = await rig.server(FIVE_A_SECOND);
    const both = await Promise.all([rig.agent(), rig.agent()]);
    const denied = (n: number, from: string) =>
      requestTarget(server, to(both[n % 2]!, { port: 1, from }));
    const since = performance.now();
    const many = Array.from({ length: 20 }, (_, n) => denied(n, HERE));
    await Promise.race(many);
    expect((await denied(0, THERE)).reply).to.equal(2);
    for (const { reply } of await Promise.all(many)) expect(reply).to.equal(2);
    expect(performance.now() - since).to.be.above(2_500);
  });

  it('for the turn of its address where there is no place for it', async () => {
    const server = await rig.server({ unauthenticatedMax: 2, refusalsPerSecond: 1 });
    const first = await RawClient.with(server.port, HERE);
    const since = performance.now();
    const others = await Promise.all([1, 2].map(() => RawClient.with(server.port, HERE)));
    // Two may wait, and the next one is disconnected at once.
    const last = await RawClient.with(server.port, HERE);
    await last.closed;
    await Promise.all(others.map(({ closed }) => closed));
    expect(performance.now() - since).to.be.above(900);
    first.send(GREETING);
    expect(await first.read(2)).to.have.length(2);
  });

  it('for the turn of its address where its clients speak no SOCKS5', async () => {
    const server = await rig.server(FIVE_A_SECOND);
    const since = performance.now();
    const clients = await Promise.all(
      Array.from({ length: 20 }, () => RawClient.with(server.port, HERE)),
    );
    for (const client of clients) client.send('GET / HTTP/1.1\r\n\r\n');
    await Promise.all(clients.map(({ closed }) => closed));
    expect(performance.now() - since).to.be.above(2_500);
  });

  it('for the turn of its address before its login, and no other address', async () => {
    const server = await rig.server(FIVE_A_SECOND);
    const agent = await rig.agent();
    const wrong = (from: string) =>
      logIn(server, { key: `vnxp_${'A'.repeat(43)}`, from }).then(({ status }) => status);
    const since = performance.now();
    const many = Array.from({ length: 20 }, () => wrong(HERE));
    await Promise.race(many);
    expect(await isFirst(many, wrong(THERE))).to.equal(true);
    expect(performance.now() - since).to.be.above(2_500);
    for (const status of await Promise.all(many)) expect(status).to.equal(1);
    // Who has the right key is not refused, and does not wait.
    const more = Array.from({ length: 20 }, () => wrong(HERE));
    expect(await isFirst(more, logIn(server, { key: agent.proxyKey, from: HERE }))).to.equal(true);
  });
});
