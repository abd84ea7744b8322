// test:all: processes of the SOCKS5 server are started and killed.
import { once } from 'node:events';
import { connect } from 'node:net';

import { expect } from 'chai';

import { freePort } from '../../../local/ports.ts';
import { launch, MASTER_KEYS, urlOf, type ApiProcess } from '../api_process.ts';
import { eventually, TestPlatform } from '../../harness.ts';
import { Scrape } from '../../metrics/scrape.ts';
import { Rig } from './rig.ts';
import { requestTarget, RawClient } from './raw_client.ts';

const OPERATOR = 'operator-token-of-the-tests';

describe('a SOCKS5 server as a process', function () {
  this.timeout(60_000);

  let rig: Rig;
  let agent: Awaited<ReturnType<Rig['agent']>>;
  before(async () => {
    const env = { MASTER_KEYS };
    rig = await Rig.open((more) => TestPlatform.open({ env: { ...env, ...more }, workers: false }));
    await rig.proxy('DE');
  });
  beforeEach(async () => {
    agent = await rig.agent();
  });
  after(() => rig.close());

  const started: ApiProcess[] = [];
  afterEach(async () => {
    RawClient.closeAll();
    for (const { child } of started) child.kill('SIGKILL');
    await Promise.all(started.splice(0).map(({ exit }) => exit));
  });

  async function start(env: Record<string, string> = {}, main = 'api/socks/main.ts') {
    const settings = { ...rig.env, REDIS_PREFIX: rig.platform.prefix, ...env };
    const process = launch(rig.platform, settings, main);
    started.push(process);
    return { ...process, port: Number(new URL(await urlOf(process)).port) };
  }

  const to = (fields: object = {}) => ({ key: agent.proxyKey, port: rig.plainPort, ...fields });

  async function expectOpen(client: RawClient): Promise<void> {
    client.send('ping');
    expect(String(await client.read(4))).to.equal('ping');
  }

  it('answers at SOCKS_HEALTH_PORT that it is alive, and to operators its metrics', async () => {
    const port = await freePort();
    const server = await start({ SOCKS_HEALTH_PORT: String(port) });
    expect(await (await fetch(`http://127.0.0.1:${port}/healthz`)).json()).to.include({
      status: 'ok',
    });
    const metrics = (key: string) =>
      fetch(`http://127.0.0.1:${port}/metrics`, { headers: { authorization: `Bearer ${key}` } });
    expect((await metrics(agent.key)).status).to.equal(401);
    const read = async () => new Scrape(await (await metrics(OPERATOR)).text());
    const ended = (scrape: Scrape) =>
      ['sold', 'refunded', 'denied', 'unauthenticated', 'fault'].map((outcome) =>
        scrape.value('market_socks_connections_total', { outcome }),
      );
    expect(ended(await read())).to.deep.equal([0, 0, 0, 0, 0]);

    const { client } = await requestTarget(server, to());
    await expectOpen(client);
    expect((await read()).value('market_socks_connections')).to.equal(1);
    expect((await read()).value('market_socks_connections_max')).to.equal(2_000);
    client.close();
    // A target that says nothing is not paid for.
    rig.serve = (socket) => void socket.destroy();
    await requestTarget(server, to());
    await eventually(read, (scrape) => ended(scrape)[1] === 1);
    rig.serve = (socket) => void socket.pipe(socket);
    await requestTarget(server, to({ port: 1 }));
    await requestTarget(server, to({ key: 'vnxp_nobodys' }));
    const last = await eventually(read, (scrape) => ended(scrape)[3] === 1);
    expect(ended(last)).to.deep.equal([1, 1, 1, 1, 0]);
    expect(last.value('market_socks_connections')).to.equal(0);
  });

  it('logs one line a connection, without its key, its session or its target', async () => {
    const server = await start();
    const name = 'agent-country-de-session-s3ss10n';
    const { client } = await requestTarget(server, to({ name }));
    await expectOpen(client);
    client.close();
    await requestTarget(server, to({ port: 1 }));
    await requestTarget(server, to({ key: 'vnxp_nobodys' }));
    server.child.kill('SIGTERM');
    expect(await server.exit).to.deep.equal([0, null]);
    const lines = server.written.text.trim().split('\n');
    const told = lines.map((line) => JSON.parse(line)).filter(({ connection }) => connection);
    expect(told).to.have.length(2); // Unauthenticated clients get no line.
    const [first, second] = told;
    expect(first).to.include({
      msg: 'a SOCKS5 connection ended',
      agent: agent.id,
      country: 'DE',
      session: true,
      port: rig.plainPort,
      dials: 1,
      exit: 'DE',
      reply: 0,
      up: 4,
      down: 4,
      outcome: 'done',
    });
    for (const field of ['connection', 'proxy', 'charge']) expect(first[field]).to.be.a('string');
    expect(first.ms).to.be.a('number');
    expect(second).to.include({ agent: agent.id, port: 1, reply: 2, outcome: 'forbidden_port' });
    expect(server.written.text).not.to.match(/vnxp_|s3ss10n|target\.example/);
    expect(server.written.text).not.to.include(agent.proxyKey.slice(5));
  });

  it('that is killed between sale and answer has charged each connection once at most', async () => {
    const doomed = await start({ CRASH_AT: 'S1' }, 'test/api/socks/armed_server.ts');
    const told = await Promise.all(Array.from({ length: 20 }, () => requestTarget(doomed, to())));
    expect(await doomed.exit).to.deep.equal([null, 'SIGKILL']);
    expect(told.filter(({ reply }) => reply === 0)).to.have.length(0);
    const charged = await rig.charges(agent);
    expect(charged).to.be.within(1, 20);
    expect(await rig.platform.balance(agent)).to.equal((500 - charged) / 1_000);

    const server = await start();
    const { client } = await requestTarget(server, to());
    await expectOpen(client);
    expect(await rig.charges(agent)).to.equal(charged + 1);
  });

  it('that is killed under load has opened no connection unpaid', async () => {
    await rig.platform.fund(agent.id, 1);
    const doomed = await start();
    let asked = 0;
    let through = 0;
    await Promise.all(
      Array.from({ length: 12 }, async () => {
        for (;;) {
          asked += 1;
          const told = await requestTarget(doomed, to()).catch(() => undefined);
          if (told?.reply !== 0) return;
          through += 1;
          if (through === 30) doomed.child.kill('SIGKILL');
          told.client.close();
        }
      }),
    );
    expect(await doomed.exit).to.deep.equal([null, 'SIGKILL']);
    expect(await rig.charges(agent)).to.be.within(through, asked);
    expect(through).to.be.at.least(30);
  });

  it('that receives SIGTERM accepts no client, and waits for open connections', async () => {
    const server = await start();
    const { client } = await requestTarget(server, to());
    const unauthenticated = await RawClient.with(server.port);
    await expectOpen(client);
    server.child.kill('SIGTERM');
    await unauthenticated.closed;
    await eventually(
      () => isOpen(server.port),
      (open) => !open,
    );
    await expectOpen(client);
    client.close();
    expect(await server.exit).to.deep.equal([0, null]);
  });

  it('that receives SIGTERM ends within ten seconds, with connections still open', async () => {
    const server = await start();
    const { client } = await requestTarget(server, to());
    const since = performance.now();
    server.child.kill('SIGTERM');
    await client.closed;
    expect(client.wasReset).to.equal(true);
    expect(performance.now() - since).to.be.at.least(5_000);
    // A process that takes nine seconds by its own clock ends with 1.
    expect(await server.exit).to.deep.equal([0, null]);
  });

  it('does not start without a port', async () => {
    const server = launch(rig.platform, { ...rig.env, SOCKS_PORT: '' }, 'api/socks/main.ts');
    started.push(server);
    expect(await server.exit).to.deep.equal([1, null]);
    expect(server.written.text).to.include('SOCKS_PORT is not set');
  });
});

async function isOpen(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
