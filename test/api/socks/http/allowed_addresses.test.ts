import { expect } from 'chai';

import type { SocksServer } from '../../../../api/socks/server.ts';
import { logIn, request, RawClient } from '../raw_client.ts';
import { Rig } from '../rig.ts';
import { answerTo, requestText } from './http_client.ts';

describe('a client whose address stands for a proxy key', function () {
  this.timeout(60_000);

  let rig: Rig;
  let server: SocksServer;
  let agent: Awaited<ReturnType<Rig['agent']>>;
  before(async () => {
    rig = await Rig.open();
    server = await rig.server({ refusalsPerSecond: 1_000 });
    await rig.proxy('US');
  });
  beforeEach(async () => {
    await rig.platform.query('delete from proxy_address');
    agent = await rig.agent();
  });
  after(() => rig.close());

  /** The agent needs no password at this address. */
  const allow = (address = '127.0.0.1') =>
    rig.platform.query('insert into proxy_address values ($1, $2)', [address, agent.id]);
  const NO_LOGIN = Buffer.from([5, 1, 0]);

  async function tunnel(): Promise<RawClient> {
    const client = await RawClient.with(server.port);
    client.send(NO_LOGIN, request('target.example', rig.plainPort), 'x');
    expect([...(await client.read(12))].slice(0, 4)).to.deep.equal([5, 0, 5, 0]);
    expect(String(await client.read(1))).to.equal('x');
    return client;
  }

  it('needs no login, and its agent pays', async () => {
    await allow();
    (await tunnel()).close();
    expect(await rig.charges(agent)).to.equal(1);
    const uri = `http://target.example:${rig.webPort}/`;
    expect((await answerTo(server.port, requestText({ uri }))).status).to.equal(200);
    expect(await rig.charges(agent)).to.equal(2);
    const empty = await logIn(server, { key: '' });
    expect(empty.status).to.equal(0);
    empty.client.close();
  });

  it('uses the key of its login if it sends one, and no address makes up for a wrong one', async () => {
    await allow();
    const other = await rig.agent();
    const login = `agent:${other.proxyKey}`;
    const uri = `http://target.example:${rig.webPort}/`;
    expect((await answerTo(server.port, requestText({ uri, login }))).status).to.equal(200);
    expect([await rig.charges(agent), await rig.charges(other)]).to.deep.equal([0, 1]);
    const wrong = requestText({ uri, login: `${login}A` });
    expect((await answerTo(server.port, wrong)).status).to.equal(407);
  });

  it('is no client from another address', async () => {
    await allow('127.0.0.2');
    const client = await RawClient.with(server.port);
    client.send(NO_LOGIN);
    expect((await client.readAll()).toString('hex')).to.equal('05ff');
    client.close();
    const uri = `http://target.example:${rig.webPort}/`;
    expect((await answerTo(server.port, requestText({ uri }))).status).to.equal(407);
    // A header of its own choice says nothing.
    const fields = ['X-Forwarded-For: 127.0.0.2', 'Forwarded: for=127.0.0.2'];
    expect((await answerTo(server.port, requestText({ uri, fields }))).status).to.equal(407);
    expect(await rig.platform.balance(agent)).to.equal(0.5);
  });

  it('loses its connections when its address is taken off the list', async () => {
    await allow();
    const client = await tunnel();
    await rig.platform.request('PUT /api/v1/proxy/my-key/addresses', {
      key: agent.key,
      body: { addresses: [] },
    });
    await client.closed;
    expect(client.wasReset).to.equal(true);
  });

  it('keeps them while it is on the list', async () => {
    await allow();
    const [kept, other] = [await tunnel(), await rig.agent()];
    // The server looks at its connections once more before this one ends.
    await rig.platform.query('insert into proxy_address values ($1, $2)', ['127.0.0.3', other.id]);
    const third = await RawClient.with(server.port, '127.0.0.3');
    third.send(NO_LOGIN, request('target.example', rig.plainPort));
    await third.read(12);
    await rig.platform.query('delete from proxy_address where agent_id = $1', [other.id]);
    await third.closed;
    kept.send('still here');
    expect(String(await kept.read(10))).to.equal('still here');
    kept.close();
  });
});
