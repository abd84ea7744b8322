import { expect } from 'chai';

import type { SocksServer } from '../../../../api/socks/server.ts';
import { RawClient } from '../raw_client.ts';
import { Rig } from '../rig.ts';
import { answerTo, requestText } from './http_client.ts';

describe('the head of a request to the rotating proxy', function () {
  this.timeout(60_000);

  let rig: Rig;
  let server: SocksServer;
  let agent: Awaited<ReturnType<Rig['agent']>>;
  let received = '';
  before(async () => {
    rig = await Rig.open();
    server = await rig.server({ refusalsPerSecond: 1_000 });
    [agent] = await Promise.all([rig.agent(), rig.proxy('US')]);
    rig.serve = (socket) => {
      socket.once('data', (data: Buffer) => {
        received = data.toString('latin1');
        socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      });
    };
  });
  after(() => rig.close());

  const textOf = (fields: Partial<Parameters<typeof requestText>[0]> = {}) =>
    requestText({
      uri: `http://target.example:${rig.plainPort}/`,
      login: `agent:${agent.proxyKey}`,
      ...fields,
    });

  it('may follow an empty line', async () => {
    for (const parts of [[`\r\n${textOf()}`], ['\r', '\n\r\n', textOf()]]) {
      expect((await answerTo(server.port, ...parts)).body).to.equal('ok');
      expect(received).to.match(/^GET \/ HTTP\/1\.1\r\n/);
    }
  });

  it('may follow only a few of them', async () => {
    const client = await RawClient.with(server.port);
    client.send('\r\n'.repeat(5), textOf());
    expect(await client.readAll()).to.have.length(0);
    client.close();
  });

  it('may have an empty port, which is that of HTTP', async () => {
    for (const uri of ['http://127.0.0.1:/', 'http://127.0.0.1/']) {
      const { status, body } = await answerTo(server.port, textOf({ uri }));
      // No target of this server has the port 80.
      expect(status).to.equal(403);
      expect(JSON.parse(body).message).to.match(/port 80 .* is not for sale/);
    }
    const tunnel = textOf({ method: 'CONNECT', uri: 'target.example:' });
    expect((await answerTo(server.port, tunnel)).status).to.equal(400);
  });

  it('has no login in its URL, and is told so', async () => {
    const uri = `http://user:secret@target.example:${rig.plainPort}/`;
    const { status, body } = await answerTo(server.port, textOf({ uri }));
    expect(status).to.equal(400);
    expect(JSON.parse(body).message).to.match(/URL has no login.*Authorization/);
    expect(body).not.to.include('secret');
  });

  it('has no https in its URL, and is told what does that and what to send', async () => {
    const { status, error, body } = await answerTo(
      server.port,
      textOf({ uri: `https://target.example:${rig.plainPort}/` }),
    );
    expect([status, error]).to.deep.equal([400, 'bad_request']);
    expect(JSON.parse(body).message).to.match(/https needs a tunnel: send CONNECT.*axios.*proxy/);
  });

  it('is refused at once with 400 if a line ends with LF alone', async () => {
    const text = textOf();
    for (const wrong of [
      text.replaceAll('\r\n', '\n'),
      'GET / HTTP/1.1\n',
      text.replace('\r\n', '\n'),
    ]) {
      const client = await RawClient.with(server.port);
      client.send(wrong);
      expect(String(await client.readAll())).to.match(/^HTTP\/1\.1 400 [^]*CRLF/);
      client.close();
    }
  });

  it('is refused with 400 if its client ends within it, and with 408 after its time', async () => {
    const half = textOf().slice(0, 60);
    const client = await RawClient.with(server.port);
    client.send(half);
    client.socket.end();
    expect(String(await client.readAll())).to.match(/^HTTP\/1\.1 400 [^]*not complete/);
    client.close();

    const hasty = await rig.server({ handshakeMs: 2_000 });
    const late = await answerTo(hasty.port, half);
    expect([late.status, late.error]).to.deep.equal([408, 'request_timeout']);
  });

  it('that is refused has the id of a request, and says what helps', async () => {
    const { body } = await answerTo(server.port, textOf({ login: 'agent:vnxp_x' }));
    const { request_id: id, next_actions: next } = JSON.parse(body);
    expect(id).to.match(/^req_[0-9a-f]{32}$/);
    expect(next).to.deep.equal([{ tool: 'proxy_my_key', route: 'GET /api/v1/proxy/my-key' }]);
  });
});
