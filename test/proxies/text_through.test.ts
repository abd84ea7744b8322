import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer as createHttps } from 'node:https';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect } from 'chai';

import { targetOf, textThrough } from '../../workers/gateways/proxies/text_through.ts';
import { makeCertificate, makeIssuer } from '../platform/egress/certificates.ts';
import { startPeer } from './peers.ts';
import { readSocksRequest } from './socks_peer.ts';
import { patience } from '../platform/pace.ts';

const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;
const CHARS_MAX = 40;

/** Answers, and what is read: null for another status than 200, or why it is refused. */
const ANSWERS: readonly [what: string, answer: string, read: string | null | RegExp][] = [
  ['has a length', `${OK}content-length: 3\r\n\r\nabc`, 'abc'],
  ['has more than its length', `${OK}Content-Length:3 \r\n\r\nabcdef`, 'abc'],
  ['is empty', `${OK}content-length: 0\r\n\r\n`, ''],
  ['ends with the connection', `HTTP/1.0 200\r\nserver: x\r\n\r\nabc`, 'abc'],
  ['is in chunks', `${CHUNKED}2;a=b\r\nab\r\n1\r\nc\r\n0\r\n\r\n`, 'abc'],
  ['is in chunks, with fields behind', `${CHUNKED}3\r\nabc\r\n0\r\nx: y\r\n\r\n`, 'abc'],
  ['has empty lines in a chunk', `${CHUNKED}7\r\na\r\n\r\nbc\r\n0\r\n\r\n`, 'a\r\n\r\nbc'],
  ['comes after early hints', `HTTP/1.1 103 Early\r\nlink: x\r\n\r\n${OK}\r\nabc`, 'abc'],
  ['is UTF-8', `${OK}content-length: 6\r\n\r\n${Buffer.from('äöü').toString('latin1')}`, 'äöü'],
  ['is another status', 'HTTP/1.1 404 Not Found\r\ncontent-length: 3\r\n\r\nabc', null],
  ['has two lengths', `${OK}content-length: 3\r\ncontent-length: 4\r\n\r\nabcd`, /a length/],
  ['has a length and chunks', `${CHUNKED.slice(0, -2)}content-length: 3\r\n\r\nabc`, /two lengths/],
  ['has another encoding', `${OK}transfer-encoding: gzip, chunked\r\n\r\nabc`, /an encoding/],
  ['has a broken chunk', `${CHUNKED}3\r\nabcd\r\n0\r\n\r\n`, /a chunk/],
  ['is not complete', `${CHUNKED}3\r\nabc\r\n`, /ended within/],
  ['is no HTTP', 'HTTP/2 200\r\n\r\n', /no HTTP/],
  ['has no header', `${OK}nonsense\r\n\r\nabc`, /no HTTP/],
  ['is too long by its length', `${OK}content-length: 121\r\n\r\n`, /too long/],
  ['is too long', `${OK}\r\n${'x'.repeat(CHARS_MAX + 1)}`, /too long/],
  ['has a head that is too long', `${OK}x: ${'x'.repeat(17_000)}\r\n\r\n`, /head is too long/],
  ['is said too often to come', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(6), /without end/],
  [
    'seems to end all the time',
    `${CHUNKED}28\r\n${'\r\n\r\n'.repeat(34)}`,
    /too (often|long)|a chunk/,
  ],
];

describe('a text that is asked for through a proxy', function () {
  this.timeout(30_000);

  const servers: Server[] = [];
  const clients = new Set<Socket>();
  let proxy: { host: string; port: number };
  let asked: { host: string; port: number; isName: boolean } | undefined;
  let request = '';
  let answer: (socket: Socket) => Promise<unknown>;

  async function listen(server: Server): Promise<number> {
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }
  before(async () => {
    const server = createServer({ noDelay: true }, (socket) => {
      clients.add(socket.on('error', () => undefined).on('close', () => clients.delete(socket)));
      void (async () => {
        const found = (await readSocksRequest(socket))!;
        asked = found;
        found.answer(0);
        const [data] = (await once(socket, 'data')) as [Buffer];
        request = data.toString();
        await answer(socket);
      })().catch(() => socket.destroy());
    });
    proxy = { host: '127.0.0.1', port: await listen(server) };
  });
  after(() => {
    for (const socket of clients) socket.destroy();
    for (const server of servers) server.close();
  });

  const ask = (url: string, query = '') =>
    textThrough(
      proxy,
      { target: targetOf(url), query },
      { timeoutMs: patience(10_000), charsMax: CHARS_MAX },
    ).catch((error: Error) => error);

  for (const [what, text, read] of ANSWERS) {
    it(`is read where the answer ${what}, at once and a byte at a time`, async () => {
      const bytes = Buffer.from(text, 'latin1');
      const atOnce = async (socket: Socket) => socket.end(bytes);
      const oneByOne = async (socket: Socket) => {
        for (const byte of bytes.subarray(0, 400)) {
          socket.write(Buffer.from([byte]));
          await new Promise(setImmediate);
        }
        socket.end(bytes.subarray(400));
      };
      for (answer of [atOnce, oneByOne]) {
        const got = await ask('http://target.example/');
        if (read instanceof RegExp) expect(String(got)).to.match(read);
        else expect(got).to.equal(read ?? undefined);
      }
    });
  }

  it('is asked for by the name of its host, or its address', async () => {
    answer = async (socket) => socket.end(`${OK}\r\n`);
    for (const [url, host, port, authority] of [
      ['http://target.example/a?b=c', 'target.example', 80, 'target.example'],
      ['http://203.0.113.9:8080/a?b=c', '203.0.113.9', 8080, '203.0.113.9:8080'],
    ] as const) {
      expect(await ask(url, '&d=e')).to.equal('');
      expect(asked).to.include({ host, port, isName: host.endsWith('example') });
      const lines = ['GET /a?b=c&d=e HTTP/1.1', `host: ${authority}`, 'connection: close', '', ''];
      expect(request).to.equal(lines.join('\r\n'));
    }
    const { connect, head } = targetOf('https://[2001:db8::1]/');
    expect(connect.toString('hex')).to.equal(
      '05010004' + '20010db8' + '0'.repeat(23) + '1' + '01bb',
    );
    expect(head).to.include('host: [2001:db8::1]');
  });

  it('comes by TLS from the host that its certificate names, and from no other', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'through-'));
    const peer = await startPeer('working');
    try {
      const authority = makeIssuer('An authority');
      writeFileSync(join(folder, 'authority.pem'), authority.cert);
      const urls: string[] = [];
      for (const host of ['localhost', 'other.example']) {
        const server = createHttps(makeCertificate({ host }, authority), (req, res) =>
          res.end(`by TLS ${req.url}`),
        );
        urls.push(`https://localhost:${await listen(server)}/page`);
      }
      const child = promisify(execFile)(
        process.execPath,
        ['--import', 'tsx', 'test/proxies/through_all.ts', peer.address, ...urls],
        { env: { ...process.env, NODE_EXTRA_CA_CERTS: join(folder, 'authority.pem') } },
      );
      expect(JSON.parse((await child).stdout)).to.deep.equal([
        'by TLS /page',
        'ERR_TLS_CERT_ALTNAME_INVALID',
      ]);
    } finally {
      await peer.close();
      await rm(folder, { recursive: true });
    }
  });
});
