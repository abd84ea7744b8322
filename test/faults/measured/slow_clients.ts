import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';

import type { TestPlatform } from '../../harness.ts';
import { child, endChildren, openPlatform, type Child } from '../children.ts';
import { httpRequest, openLoadGenerator, type TimedReply } from '../load_generator.ts';
import { buy, openMarket, percentile, expectConsistent, type Market } from '../market.ts';
import { openRedis, type OwnRedis } from '../servers.ts';
import type { Goals } from '../stalls.ts';

const REQUEST_MS = 3_000;
/**
 * On a machine that may be busy, and before any other limit of the API would close a connection.
 */
const CUT_MS_MAX = 9_500;
const CONNECTIONS_MAX = 700;
const CALLERS = 8;
const MEASURE_MS = 500;
/** Other load on the machine may spoil a round, but not most of them. */
const ROUNDS = 3;
const DRIP = 'X-Slow: yes\r\n';
/** The delay that a shared core may add to one call in a hundred, with or without an attack. */
const JITTER_MS = 30;

export const slowClients = (goals: Goals) =>
  describe('clients that are slow or hostile', function () {
    this.timeout(120_000);

    let redis: OwnRedis;
    let platform: TestPlatform;
    let market: Market;
    let api: Child;
    let others: ReturnType<typeof openLoadGenerator>;
    const sockets = new Set<Attacker>();
    before(async () => {
      redis = await openRedis();
      platform = await openPlatform({ redisUrl: redis.url, workers: false });
      market = await openMarket(platform);
      [api] = await Promise.all([
        child(platform, 'api/main.ts', {
          REQUEST_MS: String(REQUEST_MS),
          CONNECTIONS_MAX: String(CONNECTIONS_MAX),
        }),
        child(platform, 'workers/main.ts'),
      ]);
      others = openLoadGenerator(api, () =>
        httpRequest('GET /api/v1/wallet', { key: market.buyer.key }),
      );
      await others.closedLoop(CALLERS, 1_000);
    });
    afterEach(async () => {
      expect(api.process.exitCode ?? api.process.signalCode, 'the API runs').to.equal(null);
      expect(await buy(api, market)).to.include({ status: 200 });
    });
    after(async () => {
      others.close();
      await endChildren();
      await expectConsistent(platform, bought);
      await platform.close();
      await redis.close();
    });
    let bought = 0;
    afterEach(() => void (bought += 1));

    /**
     * Other callers call in rounds with and without the attack, in one run, so that other load on
     * the machine affects both. Expects that none of them was refused, and, of goals, that in most
     * rounds they waited at most twice as long.
     */
    async function expectOthersServed(attack: () => Promise<() => Promise<unknown> | void>) {
      const statuses = new Set<number | undefined>();
      const measure = async () => {
        const replies = await others.closedLoop(CALLERS, MEASURE_MS);
        for (const one of replies) statuses.add(one?.status);
        return p99(replies);
      };
      let [served, rounds] = [0, 0];
      const most = Math.ceil(ROUNDS / 2);
      while (rounds < (goals.areMeasured ? ROUNDS : 1) && served < most) {
        rounds += 1;
        const quiet = await measure();
        const end = await attack();
        const attacked = await measure();
        await end();
        goals.logMeasurement('p99 of others, quiet', quiet);
        goals.logMeasurement('p99 of others, attacked', attacked);
        if (attacked <= 2 * quiet + JITTER_MS) served += 1;
      }
      expect([...statuses]).to.deep.equal([200]);
      if (goals.areMeasured) {
        expect(served, 'rounds in which others waited at most twice as long').to.equal(most);
      }
    }

    const post = (body: string, headers: object = {}) =>
      httpRequest('POST /api/v1/orders', { key: market.buyer.key, body, headers });
    const open = async (n: number) => {
      const made = await Promise.all(Array.from({ length: n }, () => openAttacker(api)));
      made.forEach((one) => sockets.add(one));
      return made;
    };
    const disconnectAll = (attackers: readonly Attacker[]) => () =>
      attackers.forEach(({ disconnect }) => disconnect());

    it('cannot occupy an API with slow headers, unfinished bodies or idle connections', async () => {
      await expectOthersServed(async () => {
        const slow = await open(500);
        const drip = setInterval(() => slow.forEach(({ send }) => send(DRIP)), 250);
        slow.forEach(({ send }) => send('GET /healthz HTTP/1.1\r\nHost: a\r\n'));
        return () => {
          clearInterval(drip);
          disconnectAll(slow)();
        };
      });

      const [head = ''] = post('{"product_id":1}').split('{');
      const lines = post('', { 'transfer-encoding': 'chunked' });
      const starts = [
        ...Array.from({ length: 500 }, () => 'GET /healthz HTTP/1.1\r\nHost: a\r\n'),
        ...Array.from({ length: 50 }, () => `${head}{"product_`),
        ...Array.from({ length: 50 }, () => `${lines}ff\r\n{"product_`),
        ...Array.from({ length: 50 }, () => ''),
      ];
      const from = performance.now();
      const slow = await open(starts.length);
      slow.forEach(({ send }, n) => send(starts[n]!));
      const drip = setInterval(() => slow.slice(0, 500).forEach(({ send }) => send(DRIP)), 250);
      const answers = await Promise.all(slow.map(({ ended }) => ended()));
      clearInterval(drip);
      // Who goes on sending may lose the reason: bytes that reach a closed connection reset it.
      const told = answers.filter((answer, n) => n >= 500 || answer !== '');
      expect(told.length).to.be.at.least(400);
      for (const answer of told) refuses(answer, 408, 'request_timeout');
      goals.expectGoal('the last is disconnected', performance.now() - from, CUT_MS_MAX);
    });

    it('get the reason when a body breaks off, the bytes are not HTTP or the headers are too large', async () => {
      const lines = post('', { 'transfer-encoding': 'chunked' });
      const broken = await open(3);
      broken[0]!.send(`${lines}ff\r\n{"product_`);
      broken[0]!.finish();
      broken[1]!.send(`${lines}zz\r\n`);
      broken[2]!.send('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03');
      for (const one of broken) refuses(await one.ended(), 400, 'bad_request');
      const large = await openAttacker(api);
      large.send(`GET /healthz HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`);
      refuses(await large.ended(), 413, 'payload_too_large');
      const gone = await open(50);
      gone.forEach(({ send }) => send(`${lines}ff\r\n{"product_`));
      await sleep(20);
      gone.forEach(({ disconnect }) => disconnect()); // these get no answer
    });

    it('are refused ten megabytes, and JSON of a hundred thousand levels', async () => {
      const large = Buffer.from(post(`{"a":"${'x'.repeat(10_000_000)}"}`), 'latin1');
      await expectOthersServed(async () => {
        const senders = await open(5);
        senders.forEach(({ send }) => send(large));
        return async () => {
          for (const one of senders) refuses(await one.ended(), 413, 'payload_too_large');
        };
      });
      const deep = `{"product_id":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
      await expectOthersServed(async () => {
        const load = openLoadGenerator(api, () => post(deep));
        await load.open(MEASURE_MS / 20);
        const calls = load.openLoop(50, MEASURE_MS);
        return async () => {
          for (const one of await calls) {
            expect(one!.status).to.equal(422);
            expect(JSON.parse(one!.body)).to.include({ error: 'validation_error' });
          }
          load.close();
        };
      });
      const tool = httpRequest('POST /api/v1/mcp', { key: market.buyer.key, body: deep });
      const [reply] = await openLoadGenerator(api, () => tool).closedLoop(1, 0);
      expect(reply!.status).to.equal(400);
    });

    it('do not delay others by many requests whose answers they do not read', async () => {
      const request = httpRequest('GET /openapi.json');
      await expectOthersServed(async () => {
        const idle = await open(100);
        idle.forEach(({ pause, send }) => {
          pause();
          send(request);
        });
        return disconnectAll(idle);
      });
    });

    it('cannot open more connections than an API accepts, and others connect when they are gone', async () => {
      const many = await open(CONNECTIONS_MAX + 100);
      let cut = 0;
      const connected = new Set(many);
      for (const one of many) void one.ended().then(() => (connected.delete(one), (cut += 1)));
      expect((await others.closedLoop(CALLERS, 200)).map((reply) => reply?.status)).to.include(200);
      await Promise.all(many.map((one) => one.ended()));
      expect(cut).to.equal(many.length);
      expect((await fetch(`${api.url}/healthz`)).status).to.equal(200);
    });
  });

/** A connection that follows no protocol. */
interface Attacker {
  readonly send: (text: string | Buffer) => void;
  /** Ends its own side, and still reads. */
  readonly finish: () => void;
  /** Stops reading. */
  readonly pause: () => void;
  readonly disconnect: () => void;
  /** Everything that the API sent until the connection was closed. */
  readonly ended: () => Promise<string>;
}

function openAttacker({ url }: Child): Promise<Attacker> {
  const socket: Socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' });
  let received = '';
  socket.on('data', (chunk) => (received += chunk.toString('latin1')));
  socket.on('error', () => undefined); // The API resets it, which the tests want.
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(received)));
  const attacker: Attacker = {
    send: (text) => void (socket.writable && socket.write(text)),
    finish: () => void socket.end(),
    pause: () => void socket.pause(),
    disconnect: () => void socket.destroy(),
    ended: () => closed,
  };
  return new Promise((resolve) => socket.once('connect', () => resolve(attacker)));
}

function refuses(received: string, status: number, error: string): void {
  const [head = '', body = ''] = received.split('\r\n\r\n');
  expect(head.slice(0, 12), received).to.equal(`HTTP/1.1 ${status}`);
  expect(head).to.match(/^cache-control: no-store$/im);
  expect(JSON.parse(body)).to.include({ success: false, error });
}

const p99 = (replies: readonly (TimedReply | undefined)[]) =>
  percentile(
    replies.map((one) => one?.ms ?? Infinity),
    99,
  );
