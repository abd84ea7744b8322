import { expect } from 'chai';

import type { SocksServer } from '../../../../api/socks/server.ts';
import { childOf } from '../../../agents/child.ts';
import { eventually } from '../../../harness.ts';
import { setPolicy } from '../../../policy.ts';
import { FORBIDDEN } from '../../../platform/egress/forbidden.ts';
import type { Peer } from '../../../proxies/peers.ts';
import { suspend } from '../../../suspend.ts';
import { RawClient } from '../raw_client.ts';
import { Rig } from '../rig.ts';
import { answerTo, requestText } from './http_client.ts';

describe('the rotating proxy over HTTP refuses', function () {
  this.timeout(60_000);

  let rig: Rig;
  let server: SocksServer;
  let proxy: Peer;
  let agent: Awaited<ReturnType<Rig['agent']>>;
  let login: string;
  before(async () => {
    rig = await Rig.open();
    server = await rig.server({ refusalsPerSecond: 1_000 });
  });
  beforeEach(async () => {
    [agent, proxy] = await Promise.all([rig.agent(), rig.proxy('US')]);
    login = `agent:${agent.proxyKey}`;
  });
  afterEach(() => rig.clear());
  after(() => rig.close());

  const uri = (path = '/') => `http://target.example:${rig.plainPort}${path}`;
  const send = (fields: Partial<Parameters<typeof requestText>[0]> = {}) =>
    answerTo(server.port, requestText({ uri: uri(), login, ...fields }));

  /** Nothing was charged, and no proxy was dialled. */
  async function expectNothing(work: () => Promise<void>): Promise<void> {
    const before = proxy.connections;
    await work();
    expect(await rig.platform.balance(agent)).to.equal(0.5);
    expect(proxy.connections).to.equal(before);
  }

  it('with 407 a client without a key, or with a wrong one, and says how to log in', () =>
    expectNothing(async () => {
      const key = agent.proxyKey;
      for (const [fields, code] of [
        [[], 'authentication_required'],
        [['Proxy-Authorization: Bearer x'], 'authentication_required'],
        [[`Proxy-Authorization: Basic ${btoa('agent:')}`], 'authentication_required'],
        [[`Proxy-Authorization: Basic ${btoa(`agent:${key}A`)}`], 'invalid_key'],
        [[`Proxy-Authorization: Basic ${btoa(`agent:${agent.key}`)}`], 'invalid_key'],
        [[`Proxy-Authorization: Basic ${btoa(`bob:${key}`)}`], 'validation_error'],
        [[`Authorization: Basic ${btoa(login)}`], 'authentication_required'],
      ] as const) {
        const text = requestText({ uri: uri(), fields });
        const { status, error, head } = await answerTo(server.port, text);
        expect([status, error], fields.join()).to.deep.equal([407, code]);
        expect(head).to.match(/^proxy-authenticate: basic /im);
        expect(head).not.to.include(key);
      }
    }));

  it('with 402 an agent that cannot pay', async () => {
    await rig.spend(agent, 500);
    const { status, error } = await send();
    expect([status, error]).to.deep.equal([402, 'insufficient_balance']);
    expect(proxy.connections).to.equal(0);
  });

  it('with the status of its policy, and with 403 an agent that is suspended', () =>
    expectNothing(async () => {
      const child = await childOf(rig.platform, agent);
      login = `agent:${await rig.proxyKey(child)}`;
      const refused = async () => {
        const { status, error } = await send();
        return [status, error];
      };
      await setPolicy(rig.platform, agent, { daily_spend_limit: 999 });
      expect(await refused()).to.deep.equal([402, 'daily_limit_exceeded']);
      await setPolicy(rig.platform, agent, { allowed_product_types: ['dataset'] });
      expect(await refused()).to.deep.equal([403, 'product_type_not_allowed']);
      await suspend(rig.platform, agent);
      expect(await refused()).to.deep.equal([403, 'agent_suspended']);
    }));

  it('with 403 targets that are not public, inner names, and ports that are not for sale', () =>
    expectNothing(async () => {
      const inner = ['router', 'nas.local', 'db.internal', 'a.localhost', 'ROUTER.LAN.'];
      for (const host of [...FORBIDDEN, ...inner]) {
        const authority = `${host.includes(':') ? `[${host.replace(/[[\]]/g, '')}]` : host}`;
        for (const text of [
          requestText({ uri: `http://${authority}:${rig.webPort}/`, login }),
          requestText({ method: 'CONNECT', uri: `${authority}:${rig.webPort}`, login }),
        ]) {
          const { status } = await answerTo(server.port, text);
          expect([400, 403], host).to.include(status);
        }
      }
      const { status, error } = await send({ uri: 'http://target.example:22/' });
      expect([status, error]).to.deep.equal([403, 'forbidden']);
      // The header Host does not choose the target.
      const host = { uri: 'http://127.0.0.1/', fields: ['Host: target.example'] };
      expect((await send(host)).status).to.equal(403);
    }));

  it('with 429 an agent with too many connections, and with 504 a silent proxy', async () => {
    const narrow = await rig.server({ refusalsPerSecond: 1_000 }, { connectionsPerAgent: 1 });
    rig.serve = () => undefined;
    const first = await RawClient.with(narrow.port);
    const authority = `target.example:${rig.plainPort}`;
    first.send(requestText({ method: 'CONNECT', uri: authority, login }));
    await first.read(39);
    const { status, error, body } = await answerTo(narrow.port, requestText({ uri: uri(), login }));
    expect([status, error]).to.deep.equal([429, 'rate_limited']);
    expect(body).to.match(/Your agent has 1 connections open/);
    first.close();

    proxy.become('silent');
    const hasty = await rig.server({ proxyMs: 200, dialMs: 400 });
    const late = await answerTo(hasty.port, requestText({ uri: uri(), login }));
    expect([late.status, late.error]).to.deep.equal([504, 'request_timeout']);
  });

  it('with 502 what no proxy reaches', async () => {
    proxy.become('dead');
    const { status, error } = await send();
    expect([status, error]).to.deep.equal([502, 'service_unavailable']);
    expect(await rig.platform.balance(agent)).to.equal(0.5);
  });

  it('with 400 what two readers could understand in two ways', () =>
    expectNothing(async () => {
      for (const fields of [
        ['Content-Length: 1', 'Content-Length: 1'],
        ['Content-Length: 1', 'Transfer-Encoding: chunked'],
        ['Content-Length: +1'],
        ['Content-Length: 1, 1'],
        ['Content-Length: 0x1'],
        ['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'],
        ['Transfer-Encoding: gzip, chunked'],
        ['Transfer-Encoding: xchunked'],
        ['Transfer-Encoding : chunked'],
        ['Host: a.example', 'Host: b.example'],
        ['Host: a.example', ' folded'],
        ['X: a\nY: b'],
        ['X: a\rY: b'],
        ['X: a\0b'],
        ['no colon'],
        [': empty'],
      ]) {
        const { status, error } = await send({ method: 'POST', fields, body: 'x' });
        expect([status, error], fields.join('|')).to.deep.equal([400, 'bad_request']);
      }
      const late = { version: '1.0', fields: ['Transfer-Encoding: chunked'] };
      expect((await send(late)).status).to.equal(400);
      const tunnel = { method: 'CONNECT', uri: `target.example:${rig.plainPort}` };
      const body = { ...tunnel, fields: ['Content-Length: 1'], body: 'x' };
      expect((await send(body)).status).to.equal(400);
    }));

  it('with 400 other forms of a URI', () =>
    expectNothing(async () => {
      const port = rig.plainPort;
      for (const other of [
        '/',
        '*',
        'target.example',
        `https://target.example:${port}/`,
        `ftp://target.example:${port}/`,
        `http://user@target.example:${port}/`,
        `http://target.example:${port}@127.0.0.1/`,
        `http://target.example:${port}#fragment`,
        `http://target.example\\@127.0.0.1/`,
        'http://target.example:80:80/',
        'http:///path',
        'http://[::1/',
        'http://[example.com]/',
      ]) {
        expect((await send({ uri: other })).status, other).to.equal(400);
      }
      for (const other of ['target.example', 'http://target.example:443', 'target.example:x']) {
        expect((await send({ method: 'CONNECT', uri: other })).status, other).to.equal(400);
      }
      expect((await send({ version: '2.0' })).status).to.equal(400);
      expect((await answerTo(server.port, 'GET\r\n\r\n')).status).to.equal(400);
    }));

  it('with 431 a head of more than 16 KiB, complete or not', () =>
    expectNothing(async () => {
      const fields = [`X: ${'a'.repeat(17_000)}`];
      expect((await send({ fields })).status).to.equal(431);
      const endless = `GET ${uri()} HTTP/1.1\r\nX: ${'a'.repeat(17_000)}`;
      expect((await answerTo(server.port, endless)).status).to.equal(431);
    }));

  it('a client whose head takes too long', async () => {
    const hasty = await rig.server({ handshakeMs: 2_000 });
    const client = await RawClient.with(hasty.port);
    const text = requestText({ uri: uri(), login });
    let at = 0;
    const dripping = setInterval(() => client.send(text[at++]!), 500);
    expect(String(await client.readAll())).to.match(/^HTTP\/1\.1 408 /);
    clearInterval(dripping);
    client.close();
  });

  it('in a body that HEAD does not have', async () => {
    const { status, body } = await send({ method: 'HEAD', login: `agent:${'x'}` });
    expect([status, body]).to.deep.equal([407, '']);
  });

  it('shows the last refusal of an agent where it looks for its key', async () => {
    const key = { key: agent.key };
    const shown = async () =>
      (await rig.platform.request('GET /api/v1/proxy/my-key', key)).body.last_refusal;
    expect(await shown()).to.equal(null);
    await send({ uri: 'http://target.example:22/' });
    const { code, message, at } = await eventually(shown, (found) => found !== null);
    expect(code).to.equal('forbidden');
    const ports = `${rig.webPort}, ${rig.plainPort}`;
    expect(message).to.equal(
      `The port 22 of the target is not for sale. Ports of targets are ${ports}.`,
    );
    expect(at).to.match(/^20\d\d-.*Z$/);
    await send({ login: `agent-country-fr:${agent.proxyKey}` });
    await eventually(shown, (found) => found.code === 'out_of_stock');
    const access = await rig.platform.request('GET /api/v1/proxy/access', key);
    expect(access.body.last_refusal.code).to.equal('out_of_stock');
    expect(access.body).not.to.have.property('key');
  });
});
