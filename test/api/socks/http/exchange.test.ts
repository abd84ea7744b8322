import type { Socket } from 'node:net';

import { expect } from 'chai';

import type { SocksServer } from '../../../../api/socks/server.ts';
import { eventually } from '../../../harness.ts';
import type { Peer } from '../../../proxies/peers.ts';
import { RawClient } from '../raw_client.ts';
import { Rig } from '../rig.ts';
import { answerTo, requestText } from './http_client.ts';

describe('one request over HTTP and its answer', function () {
  this.timeout(60_000);

  let rig: Rig;
  let server: SocksServer;
  let proxy: Peer;
  let agent: Awaited<ReturnType<Rig['agent']>>;
  before(async () => {
    rig = await Rig.open();
    server = await rig.server({ refusalsPerSecond: 1_000 });
  });
  beforeEach(async () => {
    [agent, proxy] = await Promise.all([rig.agent(), rig.proxy('US')]);
  });
  afterEach(() => rig.clear());
  after(() => rig.close());

  type Fields = Partial<Parameters<typeof requestText>[0]>;
  const textOf = (fields: Fields = {}) =>
    requestText({
      uri: `http://target.example:${rig.plainPort}/`,
      login: `agent:${agent.proxyKey}`,
      ...fields,
    });
  const send = (fields: Fields = {}, at = server) => answerTo(at.port, textOf(fields));

  /** The target sends these bytes for a request, and leaves its connection open. */
  const answerWith = (...parts: readonly string[]) => {
    rig.serve = (socket: Socket) => {
      socket.once('data', () => {
        for (const part of parts) socket.write(Buffer.from(part, 'latin1'));
      });
    };
  };
  const lastRefusal = async () =>
    (await rig.platform.request('GET /api/v1/proxy/access', { key: agent.key })).body.last_refusal;

  async function expectPaid(paid: number): Promise<void> {
    await eventually(
      async () => server.countOpen(),
      (count) => count === 0,
    );
    expect(await rig.charges(agent)).to.equal(paid);
    expect(await rig.platform.balance(agent)).to.equal((500 - paid) / 1_000);
  }

  it('is answered 504, and costs nothing, where the target stays silent', async () => {
    answerWith();
    const hasty = await rig.server({ silentMs: 1_000 });
    const { status, error, body } = await send({}, hasty);
    expect([status, error]).to.deep.equal([504, 'request_timeout']);
    expect(body).to.include('no answer in time. Nothing was charged.');
    await expectPaid(0);
    await eventually(
      () => rig.due(proxy),
      (due) => due.length === 1,
    );
    expect((await eventually(lastRefusal, (found) => found !== null)).code).to.equal(
      'request_timeout',
    );
  });

  it('is answered 504, and paid for, where the target stops within its head', async () => {
    answerWith('HTTP/1.1 200 OK\r\nX: ');
    const hasty = await rig.server({ idleMs: 2_000 });
    const { status, body } = await send({}, hasty);
    expect(status).to.equal(504);
    expect(body).to.include('The connection was charged.');
    await expectPaid(1);
  });

  it('is answered 503 where the server stops first, and costs nothing', async () => {
    const stopped = await rig.server({ drainMs: 1 });
    const isHeard = new Promise<void>((resolve) => {
      rig.serve = (socket) => void socket.once('data', () => resolve());
    });
    const answer = send({}, stopped);
    await isHeard;
    await stopped.close();
    expect([(await answer).status, (await answer).error]).to.deep.equal([
      503,
      'service_unavailable',
    ]);
    await expectPaid(0);
  });

  it('is answered 400, and paid for, where the chunks of its body are not valid', async () => {
    answerWith();
    const fields = { method: 'POST', fields: ['Transfer-Encoding: chunked'] };
    const bodies = ['3\nabc\n0\n\n', 'zz\r\n', '3\r\nabcd\r\n', '-1\r\n', `${'0'.repeat(2_000)}`];
    for (const body of bodies) {
      const answer = await send({ ...fields, body });
      expect([answer.status, answer.error], body).to.deep.equal([400, 'bad_request']);
      expect(answer.body).to.match(/chunks.*The connection was charged\./);
    }
    await expectPaid(bodies.length);
    expect((await eventually(lastRefusal, (found) => found !== null)).message).to.match(/chunks/);
  });

  it('is answered 502 at once, and paid for, where the target does not speak HTTP', async () => {
    const answers = [
      'SSH-2.0-OpenSSH\r\n',
      '220 mail.example ESMTP\r\n',
      'H',
      'HTTP/2.0 200 OK\r\n',
      'HTTP/1.1 2000 OK\r\n',
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok',
      'HTTP/1.1 200 OK\r\nContent-Length: +2\r\n\r\nok',
      // Nobody asked for it: the request has no Upgrade.
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nbytes',
      'HTTP/1.1 101\r\n',
    ];
    for (const answer of answers) {
      answerWith(answer === 'H' ? 'HELO' : answer);
      const { status, error, body } = await send();
      expect([status, error], answer).to.deep.equal([502, 'service_unavailable']);
      expect(body).to.match(/did not answer in HTTP.*The connection was charged\./);
    }
    await expectPaid(answers.length);
    expect((await eventually(lastRefusal, (found) => found !== null)).message).to.match(
      /answer in HTTP/,
    );
  });

  it('asks for no other protocol, so a target that switches is answered 502', async () => {
    rig.serve = (socket) =>
      void socket.once('data', (request: Buffer) => {
        const asked = /^(upgrade|connection: upgrade)/im.test(String(request));
        const status = asked ? '200 Asked' : '101 Switching Protocols';
        socket.write(`HTTP/1.1 ${status}\r\nContent-Length: 2\r\n\r\nok`);
      });
    const fields = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
    const { status, body } = await send({ fields });
    expect(status).to.equal(502);
    expect(body).to.match(/For other protocols use CONNECT/);
  });

  it('is answered 502 where the target ends within its head, or after an interim one', async () => {
    rig.serve = (socket) => void socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nX'));
    expect((await send()).status).to.equal(502);
    answerWith('HTTP/1.1 100 Continue\r\n\r\nSSH-2.0\r\n');
    const { status, body } = await send();
    expect(status).to.equal(100);
    expect(body).to.match(/^HTTP\/1\.1 502 /);
  });

  it('ends the connection with the answer, whatever the target does with its own', async () => {
    const chunks = '2;x=y\r\nok\r\n0\r\nTrailer: 1\r\n\r\n';
    for (const [method, head, body] of [
      ['GET', 'HTTP/1.1 200 OK\r\nContent-Length: 2', 'ok'],
      ['GET', 'HTTP/1.0 200 OK\r\nContent-Length: 2, 2', 'ok'],
      ['GET', 'HTTP/1.1 200 OK\r\nContent-Length: 0', ''],
      ['GET', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked', chunks],
      ['GET', 'HTTP/1.1 204 No Content', ''],
      ['GET', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 2', ''],
      ['HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 2', ''],
      ['HEAD', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked', ''],
    ] as const) {
      for (const parts of [[`${head}\r\n\r\n${body}more`], [`${head}\r\n`, '\r\n', body, 'more']]) {
        answerWith(...parts);
        const answer = await send({ method, version: '1.0' });
        expect(answer.head, head).to.equal(`${head}\r\nConnection: close`);
        expect(answer.body, head).to.equal(body);
      }
    }
    await expectPaid(16);
  });

  it('passes an answer with two framings with that one which counts', async () => {
    answerWith(
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n' +
        '2\r\nok\r\n0\r\n\r\n',
    );
    const { head, body } = await send();
    expect(head).to.equal('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close');
    expect(body).to.equal('2\r\nok\r\n0\r\n\r\n');
  });

  it('passes an answer that can have no body without the length of one', async () => {
    for (const framing of ['Content-Length: 4', 'Transfer-Encoding: chunked']) {
      answerWith(
        `HTTP/1.1 103 Early Hints\r\n${framing}\r\nLink: </a>\r\n\r\n`,
        `HTTP/1.1 204 No Content\r\n${framing}\r\nX-A: 1\r\n\r\nmore`,
      );
      const { head, body } = await send();
      expect(head).to.equal('HTTP/1.1 103 Early Hints\r\nLink: </a>');
      expect(body).to.equal('HTTP/1.1 204 No Content\r\nX-A: 1\r\nConnection: close\r\n\r\n');
    }
  });

  it('waits with its body for the answer 100, where the client does', async () => {
    rig.serve = (socket) => {
      let text = '';
      socket.on('data', (data: Buffer) => {
        text += String(data);
        if (!/^expect: 100-continue\r$/im.test(text)) return socket.end('HTTP/1.1 417 No\r\n\r\n');
        if (text.endsWith('\r\n\r\n')) return socket.write('HTTP/1.1 100 Continue\r\n\r\n');
        return text.endsWith('hello') && socket.end('HTTP/1.1 200 OK\r\n\r\nok');
      });
    };
    const client = await RawClient.with(server.port);
    const fields = ['Expect: 100-continue', 'Content-Length: 5'];
    client.send(textOf({ method: 'POST', fields }));
    const interim = 'HTTP/1.1 100 Continue\r\n\r\n';
    expect(String(await client.read(interim.length))).to.equal(interim);
    client.send('hello');
    expect(String(await client.readAll())).to.match(/^HTTP\/1\.1 200 OK[^]*ok$/);
    client.close();
  });

  it('passes an answer to the end of the connection where its own end is not known', async () => {
    for (const [fields, body] of [
      ['', 'ok'],
      ['Transfer-Encoding: chunked\r\n', '2\nok\n0\n\n'],
      ['Transfer-Encoding: gzip\r\n', 'ok'],
    ] as const) {
      rig.serve = (socket) =>
        void socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\n${fields}\r\n${body}`));
      expect((await send()).body).to.equal(body);
    }
  });

  it('passes all of a long answer to a client that reads late', async () => {
    const bytes = 8_000_000;
    answerWith(`HTTP/1.1 200 OK\r\nContent-Length: ${bytes}\r\n\r\n${'a'.repeat(bytes)}`);
    const client = await RawClient.with(server.port);
    client.socket.pause();
    client.send(textOf());
    await eventually(
      () => rig.charges(agent),
      (paid) => paid === 1,
    );
    client.socket.resume();
    const [, body] = (await client.readAll()).toString('latin1').split('\r\n\r\n');
    expect(body).to.have.length(bytes);
    client.close();
  });
});
