// test:all: an API of its own holds the bodies of hundreds of senders.
import { connect, type Socket } from 'node:net';
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';

import { eventually, type TestPlatform } from '../harness.ts';
import { child, endChildren, openPlatform, type Child } from './children.ts';
import { buy, openMarket, type Market } from './market.ts';
import { patience } from '../platform/pace.ts';

const KB = 1024;
const JSON_START = '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"';

describe('bodies that are not complete', function () {
  this.timeout(60_000);

  let platform: TestPlatform;
  let market: Market;
  let api: Child;
  before(async () => {
    platform = await openPlatform({ workers: false });
    market = await openMarket(platform);
    [api] = await Promise.all([
      // Shorter than most would hold them, so that a test ends.
      child(platform, 'api/main.ts', { REQUEST_MS: String(patience(20_000)) }),
      // The program's own: queues of programs are not those of a test.
      child(platform, 'workers/main.ts', { QUEUES: 'money' }),
    ]);
  });
  afterEach(() => sockets.splice(0).forEach((socket) => socket.destroy()));
  after(async () => {
    await endChildren();
    await platform.close();
  });

  const sockets: Socket[] = [];
  let refused = 0;

  /** Sends all of a message of `kB` but the last byte. */
  async function hold(n: number, kB: number, headers = ''): Promise<void> {
    const head = `POST /api/v1/mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}Content-Length: `;
    const body = JSON_START + 'x'.repeat(kB * KB - 1 - JSON_START.length);
    const message = Buffer.from(`${head}${kB * KB}\r\n\r\n${body}`);
    refused = 0;
    await Promise.all(
      Array.from({ length: n }, async () => {
        const socket = connect({ port: Number(new URL(api.url).port), host: '127.0.0.1' });
        sockets.push(socket);
        socket.on('error', () => undefined);
        socket.on('data', (data) => void (refused += Number(data.includes(' 503 '))));
        await new Promise((resolve) => socket.write(message, resolve));
      }),
    );
  }

  /** On a busy machine a connection to the database may take too long: that is another refusal. */
  const purchase = () =>
    eventually(
      () => buy(api, market),
      (reply) => reply?.body.error !== 'service_unavailable',
    );
  const register = async () => {
    const username = `u${randomUUID().slice(0, 12)}`;
    const response = await fetch(`${api.url}/api/v1/agent/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        username,
        email: `${username}@example.com`,
        password: 'correct horse battery',
      }),
    });
    return response.status;
  };

  it('stop nobody when 300 senders without a key hold 255 kB each, or 600 hold 8 kB', async () => {
    for (const [n, kB] of [
      [300, 255],
      [600, 8],
    ] as const) {
      await hold(n, kB);
      for (let call = 0; call < 3; call += 1) {
        expect(await register()).to.equal(200);
        expect(await purchase()).to.include({ status: 200 });
      }
    }
    await eventually(
      async () => refused,
      (count) => count >= 600 - (4 * KB) / 8,
    );
  });

  it('cost the agent that holds most of them its largest, and nobody else any', async () => {
    const flooder = await platform.agent();
    const authorization = (key: string) => `Authorization: Bearer ${key}\r\n`;
    await hold(3, 255, authorization(market.buyer.key));
    const [mine] = [sockets.splice(0)];
    await hold(300, 255, authorization(flooder.key));
    await eventually(
      async () => refused,
      (count) => count >= 50,
    );
    expect(await register()).to.equal(200);
    expect(await purchase()).to.include({ status: 200 });
    for (const socket of mine!) {
      const answer = new Promise<string>((resolve) =>
        socket.once('data', (data) => resolve(data.toString())),
      );
      socket.write('}');
      expect(await answer, 'not JSON, but read in full').to.match(/^HTTP\/1.1 400 /);
      socket.destroy();
    }
  });

  it('of more than 8 kB are refused without a key, with the reason', async () => {
    const response = await fetch(`${api.url}/api/v1/agent/register`, {
      method: 'POST',
      body: JSON.stringify({ username: 'x'.repeat(9 * KB) }),
    });
    expect(response.status).to.equal(413);
    const body = (await response.json()) as { error: string; details: object };
    expect(body).to.include({ error: 'payload_too_large' });
    expect(body.details).to.deep.equal({ bytes_max: 8 * KB });
    const call = await platform.request('POST /api/v1/mcp/call', {
      key: market.buyer.key,
      body: { tool: 'get_wallet', params: { note: 'x'.repeat(9 * KB) } },
    });
    expect(call.status, 'with a key more is read').to.equal(200);
  });
});
