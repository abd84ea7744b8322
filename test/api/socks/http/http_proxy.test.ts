import { expect } from 'chai';

import type { SocksServer } from '../../../../api/socks/server.ts';
import { eventually } from '../../../harness.ts';
import { EXITS, type Peer } from '../../../proxies/peers.ts';
import { RawClient } from '../raw_client.ts';
import { Rig } from '../rig.ts';
import { answerTo, requestText } from './http_client.ts';

describe('the rotating proxy over HTTP', function () {
  this.timeout(60_000);

  let rig: Rig;
  let server: SocksServer;
  let agent: Awaited<ReturnType<Rig['agent']>>;
  let proxy: Peer;
  let login: string;
  /** Text that the target got, and the answers it gives. */
  let received = '';
  let answers: (text: string) => string = () => 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
  before(async () => {
    rig = await Rig.open();
    server = await rig.server({ refusalsPerSecond: 1_000 });
  });
  beforeEach(async () => {
    [agent, proxy] = await Promise.all([rig.agent(), rig.proxy('US')]);
    login = `agent:${agent.proxyKey}`;
    received = '';
    answers = () => 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
    rig.serve = (socket) => {
      socket.on('data', (data: Buffer) => {
        received += data.toString('latin1');
        if (received.includes('\r\n\r\n')) socket.end(answers(received));
      });
    };
  });
  afterEach(() => rig.clear());
  after(() => rig.close());

  const uri = (path = '/') => `http://target.example:${rig.plainPort}${path}`;
  const send = (fields: Partial<Parameters<typeof requestText>[0]> = {}) =>
    answerTo(server.port, requestText({ uri: uri(), login, ...fields }));

  it('opens a tunnel for CONNECT, for $0.001', async () => {
    rig.serve = (socket) => void socket.pipe(socket);
    const client = await RawClient.with(server.port);
    const authority = `target.example:${rig.plainPort}`;
    const head = requestText({ method: 'CONNECT', uri: authority, login });
    client.send(head, 'sent before the answer;');
    const answer = 'HTTP/1.1 200 Connection established\r\n\r\n';
    expect(String(await client.read(answer.length))).to.equal(answer);
    expect(String(await client.read(23))).to.equal('sent before the answer;');
    client.send('and after it');
    expect(String(await client.read(12))).to.equal('and after it');
    client.close();
    expect(await rig.charges(agent)).to.equal(1);
    expect(await rig.platform.balance(agent)).to.equal(0.499);
  });

  it('passes one request for an http URL, without what is for proxies alone', async () => {
    const { status, body, head } = await send({
      uri: uri('/a/b?c=d'),
      fields: [
        'Host: another.example',
        'Proxy-Connection: keep-alive',
        'Connection: keep-alive, X-Hop',
        'Keep-Alive: 5',
        'X-Hop: 1',
        'TE: trailers',
        'Upgrade: h2c',
        'Proxy-Secret: x',
        'Accept: */*',
      ],
    });
    expect([status, body]).to.deep.equal([200, 'ok']);
    expect(received.split('\r\n')).to.deep.equal([
      'GET /a/b?c=d HTTP/1.1',
      `Host: target.example:${rig.plainPort}`,
      'Accept: */*',
      'Connection: close',
      '',
      '',
    ]);
    expect(head.split('\r\n')).to.deep.equal([
      'HTTP/1.1 200 OK',
      'Content-Length: 2',
      'Connection: close',
    ]);
    expect(await rig.charges(agent)).to.equal(1);
  });

  it('takes an address of IPv6 in brackets as its target', async () => {
    const authority = `[2606:4700:0::1111]:${rig.plainPort}`;
    expect((await send({ uri: `http://${authority}/` })).body).to.equal('ok');
    expect(received).to.include(`\r\nHost: ${authority}\r\n`);
    expect(proxy.asked).to.equal('2606:4700::1111');

    rig.serve = (socket) => void socket.pipe(socket);
    const client = await RawClient.with(server.port);
    client.send(requestText({ method: 'CONNECT', uri: authority, login }), 'hello');
    expect(String(await client.read(44)).slice(-5)).to.equal('hello');
    expect(proxy.asked).to.equal('2606:4700::1111');
    client.close();
  });

  it('gives a path to a URL that has none', async () => {
    const site = `HTTP://target.example:${rig.plainPort}`;
    for (const [url, line] of [
      [site, 'GET / HTTP/1.1'],
      [`${site}?q`, 'GET /?q HTTP/1.1'],
    ] as const) {
      received = '';
      expect((await send({ uri: url })).status).to.equal(200);
      expect(received.split('\r\n')[0]).to.equal(line);
    }
  });

  it('sends nothing of a second request to the target of the first', async () => {
    const second = requestText({ uri: uri('/second'), login });
    for (const [fields, body] of [
      [[], ''],
      [['Content-Length: 5'], 'hello'],
      [['Transfer-Encoding: chunked'], '3;x=y\r\nhel\r\n2\r\nlo\r\n0\r\nTrailer: 1\r\n\r\n'],
      // The framing stays, whatever a client calls a field of its connection.
      [['Content-Length: 5', 'Connection: Content-Length'], 'hello'],
    ] as const) {
      received = '';
      const first = requestText({ method: 'POST', uri: uri(), login, fields });
      rig.serve = (socket) => {
        socket.on('data', (data: Buffer) => {
          received += data.toString('latin1');
          if (received.endsWith(`\r\n\r\n${body}`)) socket.end(answers(''));
        });
      };
      // In pieces too: what is behind the body may come in a piece of its own.
      for (const parts of [
        [first + body + second],
        [first, body.slice(0, 3), body.slice(3) + second],
      ]) {
        received = '';
        expect((await answerTo(server.port, ...parts)).body, fields.join()).to.equal('ok');
        expect(received).not.to.include('second').and.not.to.include(agent.proxyKey);
        if (body !== '') expect(received).to.match(/\r\n(content-length: 5|transfer-encoding: c)/i);
        expect(received.endsWith(`\r\n\r\n${body}`)).to.equal(true);
      }
    }
  });

  it('answers without fields of the target about its own connection and about proxies', async () => {
    answers = () =>
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 407 Log in\nProxy-Authenticate: Basic realm="x"\n' +
      'Connection: keep-alive, X-Hop\nKeep-Alive: timeout=5\nX-Hop: 1\nX-Kept: 1\n\nbody';
    const { head, body } = await send();
    expect(head).to.equal('HTTP/1.1 100 Continue');
    expect(body).to.equal('HTTP/1.1 407 Log in\r\nX-Kept: 1\r\nConnection: close\r\n\r\nbody');
  });

  it('passes answers in pieces of any size', async () => {
    const all = 'HTTP/1.1 200 OK\r\nX-A: 1\r\n\r\nbody\r\n\r\nmore';
    rig.serve = (socket) => {
      socket.on('data', () => {
        void (async () => {
          for (const byte of all) {
            socket.write(byte);
            await new Promise(setImmediate);
          }
          socket.end();
        })();
      });
    };
    const { body, head } = await send();
    expect(body).to.equal('body\r\n\r\nmore');
    expect(head).to.equal('HTTP/1.1 200 OK\r\nX-A: 1\r\nConnection: close');
  });

  it('answers 502 and refunds where the proxy ends the connection without a byte', async () => {
    rig.serve = (socket) => {
      socket.on('data', () => socket.end());
    };
    const { status, error } = await send();
    expect([status, error]).to.deep.equal([502, 'service_unavailable']);
    await eventually(
      () => rig.platform.balance(agent),
      (balance) => balance === 0.5,
    );
  });

  it('leaves by the exit that the user name asks for', async () => {
    await rig.proxy('DE');
    const names = (options: string) => `agent${options}:${agent.proxyKey}`;
    const url = `http://target.example:${rig.webPort}/`;
    for (const [options, country] of [
      ['-country-de', 'DE'],
      ['-session-a-b-country-us-ttl-30m', 'US'],
    ] as const) {
      const { body } = await send({ uri: url, login: names(options) });
      expect(JSON.parse(body).from).to.equal(EXITS[country].local);
    }
    const { status, error, head, body } = await send({ uri: url, login: names('-country-fr') });
    expect([status, error]).to.deep.equal([503, 'out_of_stock']);
    expect(head).to.match(/^retry-after: 60\r$/im);
    const { message, retryable, next_actions: next } = JSON.parse(body);
    expect(message).to.match(
      /known to work at the moment\. Retry in a minute, or leave options out/,
    );
    expect([retryable, next[0].tool]).to.deep.equal([true, 'proxy_countries']);
  });
});
