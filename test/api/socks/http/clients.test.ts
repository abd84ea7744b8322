// test:all: Chromium is started.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';

import { expect } from 'chai';

import type { SocksServer } from '../../../../api/socks/server.ts';
import { run } from '../../../../local/processes/command.ts';
import { openChromium } from '../../../browser/chromium.ts';
import { hasPython } from '../../../client/python.ts';
import { EXITS } from '../../../proxies/peers.ts';
import { Rig } from '../rig.ts';

const hasCurl = spawnSync('curl', ['--version']).status === 0;

describe('programs that use the rotating proxies', function () {
  this.timeout(180_000);

  let rig: Rig;
  let server: SocksServer;
  let agent: Awaited<ReturnType<Rig['agent']>>;
  before(async () => {
    rig = await Rig.open();
    server = await rig.server();
    await Promise.all([rig.proxy('US'), rig.proxy('DE')]);
  });
  beforeEach(async () => {
    agent = await rig.agent();
  });
  afterEach(() => rig.platform.query('delete from proxy_address'));
  after(() => rig.close());

  const url = (path = '/') => `http://target.example:${rig.webPort}${path}`;
  const proxyUrl = (scheme: string, options = '') =>
    `${scheme}://agent${options}:${agent.proxyKey}@127.0.0.1:${server.port}`;
  const bare = (scheme: string) => `${scheme}://127.0.0.1:${server.port}`;
  const from = (text: string): unknown => (JSON.parse(text) as { from: unknown }).from;
  const DE = EXITS.DE.local;
  /** The agent needs no password at this machine. */
  const allow = () =>
    rig.platform.query('insert into proxy_address values ($1, $2)', ['127.0.0.1', agent.id]);

  const output = async (program: string, ...args: string[]) => {
    const env = { PATH: process.env.PATH, NO_PROXY: '', no_proxy: '' };
    const ran = await run(program, args, { cwd: '/', env });
    expect(ran.ok, ran.all).to.equal(true);
    return ran.all;
  };

  if (hasCurl) {
    const curl = (...args: string[]) => output('curl', '-sS', '--max-time', '30', ...args);

    it('curl, by SOCKS5, by HTTP and by a tunnel of HTTP', async () => {
      const options = '-country-de-session-a-b-ttl-5m';
      for (const args of [
        ['-x', proxyUrl('socks5h', options)],
        ['-x', proxyUrl('http', options)],
        ['-p', '-x', proxyUrl('http', options)],
      ]) {
        expect(from(await curl(...args, url())), args[0]).to.equal(DE);
      }
      expect(await rig.charges(agent)).to.equal(3);
    });

    it('curl with a body, and with two requests at one proxy', async () => {
      const posted = await curl('-x', proxyUrl('http'), '-d', 'x'.repeat(100_000), url('/posted'));
      expect((JSON.parse(posted) as { path: string }).path).to.equal('/posted');
      const two = await curl('-x', proxyUrl('http', '-country-de'), url('/a'), url('/b'));
      expect(two.match(/\{[^}]*\}/g)!.map(from)).to.deep.equal([DE, DE]);
      expect(await rig.charges(agent)).to.equal(3);
    });

    it('curl without a password, from an address that stands for a key', async () => {
      await allow();
      for (const scheme of ['socks5h', 'http']) {
        expect(from(await curl('-x', bare(scheme), url()))).to.be.a('string');
      }
      // Options of the user name need no password either.
      const named = `http://agent-country-de:@127.0.0.1:${server.port}`;
      expect(from(await curl('-x', named, url()))).to.equal(DE);
      expect(await rig.charges(agent)).to.equal(3);
    });
  }

  if (hasPython) {
    it('Python, with its standard library', async () => {
      const program = `
import sys, urllib.request
opener = urllib.request.build_opener(urllib.request.ProxyHandler({'http': sys.argv[1]}))
print(opener.open(sys.argv[2], timeout=30).read().decode())`;
      const found = await output('python3', '-c', program, proxyUrl('http', '-country-de'), url());
      expect(from(found)).to.equal(DE);
    });
  }

  it('Chromium, with a WebSocket, over HTTP and over SOCKS5', async () => {
    const web = createServer();
    // RFC 6455: the handshake, then a text of five bytes.
    web.on('upgrade', ({ headers }, socket) => {
      const key = `${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
      const accept = createHash('sha1').update(key).digest('base64');
      socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
          `Sec-WebSocket-Accept: ${accept}\r\n\r\n\x81\x05hello`,
        'latin1',
      );
    });
    rig.serve = (socket) => void web.emit('connection', socket);
    const options = { username: 'agent', password: agent.proxyKey };
    for (const proxy of [{ server: bare('http'), ...options }, { server: bare('socks5') }]) {
      if (!('username' in proxy)) await allow();
      const browser = await openChromium({ proxy });
      try {
        const page = await browser.newPage();
        await page.goto(url());
        const answer = await page.evaluate(
          (to) =>
            new Promise((resolve) => {
              const socket = new WebSocket(to);
              socket.onmessage = ({ data }) => resolve(data);
              socket.onerror = () => resolve('no connection');
            }),
          `ws://target.example:${rig.plainPort}/`,
        );
        expect(answer, proxy.server).to.equal('hello');
      } finally {
        await browser.close();
      }
    }
  });

  it('Chromium, with the key over HTTP, and by its address over SOCKS5', async () => {
    const options = { username: 'agent-country-de', password: agent.proxyKey };
    for (const proxy of [{ server: bare('http'), ...options }, { server: bare('socks5') }]) {
      if (!('username' in proxy)) await allow();
      const browser = await openChromium({ proxy });
      try {
        const page = await browser.newPage();
        await page.goto(url('/page'));
        const { from: exit, path } = JSON.parse(await page.innerText('body')) as {
          from: string;
          path: string;
        };
        expect(path).to.equal('/page');
        expect('username' in proxy ? [DE] : [DE, EXITS.US.local]).to.include(exit);
      } finally {
        await browser.close();
      }
    }
  });
});
