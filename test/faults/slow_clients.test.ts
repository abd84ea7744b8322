import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';

import type { TestPlatform } from '../harness.ts';
import { child, endChildren, openPlatform, type Child } from './children.ts';
import { openCrowd, wire, type Heard } from './load_generator.ts';
import {
  buy,
  openMarket,
  percentile,
  expectConsistent,
  logMeasurement,
  type Market,
} from './market.ts';
import { openRedis, type OwnRedis } from './servers.ts';

const REQUEST_MS = 4_000;
/** On a machine that may be busy, and before any other limit of the API would cut off anybody. */
const CUT_MS_MAX = 9_500;
const CONNECTIONS_MAX = 700;
const CALLERS = 8;
const LOOK_MS = 500;
/** What else the machine does may spoil some of them, and not most. */
const TURNS = 5;
const DRIP = 'X-Slow: yes\r\n';
/** What a core that others use too may take from a call in a hundred, whoever else calls. */
const STUTTER_MS = 30;

describe('clients that are slow or hostile', function () {
  this.timeout(120_000);

  let redis: OwnRedis;
  let platform: TestPlatform;
  let market: Market;
  let api: Child;
  let others: ReturnType<typeof openCrowd>;
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
    others = openCrowd(api, () => wire('GET /api/v1/wallet', { key: market.buyer.key }));
    await others.keepAsking(CALLERS, 1_000);
  });
  afterEach(async () => {
    expect(api.process.exitCode ?? api.process.signalCode, 'the API lives').to.equal(null);
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
   * Others call in turns with and without the attack, in one run, so that whatever else the machine
   * does hurts both; then none of them was refused, and in most turns they waited twice as long at
   * worst.
   */
  async function othersFare(attack: () => Promise<() => Promise<unknown> | void>) {
    const statuses = new Set<number | undefined>();
    const ask = async () => {
      const heard = await others.keepAsking(CALLERS, LOOK_MS);
      for (const one of heard) statuses.add(one?.status);
      return p99(heard);
    };
    const turns: { quiet: number; attacked: number }[] = [];
    for (let turn = 0; turn < TURNS; turn += 1) {
      const quiet = await ask();
      const end = await attack();
      turns.push({ quiet, attacked: await ask() });
      await end();
    }
    const inMost = (of: (turn: (typeof turns)[0]) => number) => percentile(turns.map(of), 50);
    const [quiet, attacked] = [inMost((turn) => turn.quiet), inMost((turn) => turn.attacked)];
    logMeasurement('p99 of others, quiet', quiet);
    logMeasurement('p99 of others, attacked', attacked);
    expect([...statuses]).to.deep.equal([200]);
    expect(attacked).to.be.at.most(2 * quiet + STUTTER_MS);
  }

  const post = (body: string, headers: object = {}) =>
    wire('POST /api/v1/orders', { key: market.buyer.key, body, headers });
  const open = async (n: number) => {
    const made = await Promise.all(Array.from({ length: n }, () => openAttacker(api)));
    made.forEach((one) => sockets.add(one));
    return made;
  };
  const allLeave = (attackers: readonly Attacker[]) => () =>
    attackers.forEach(({ leave }) => leave());

  it('cannot hold it by headers line by line, five hundred of them, bodies that do not end, or silence', async () => {
    await othersFare(async () => {
      const slow = await open(500);
      const drip = setInterval(() => slow.forEach(({ send }) => send(DRIP)), 250);
      slow.forEach(({ send }) => send('GET /healthz HTTP/1.1\r\nHost: a\r\n'));
      return () => {
        clearInterval(drip);
        allLeave(slow)();
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
    for (const one of slow) refuses(await one.ended(), 408, 'request_timeout');
    clearInterval(drip);
    logMeasurement('the last is cut off after', performance.now() - from);
    expect(performance.now() - from).to.be.below(CUT_MS_MAX);
  });

  it('hear what is wrong with a body that breaks off or is no HTTP', async () => {
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
    gone.forEach(({ leave }) => leave()); // nobody is left to hear anything
  });

  it('are told that ten megabytes are too much, and that a hundred thousand levels are', async () => {
    const large = Buffer.from(post(`{"a":"${'x'.repeat(10_000_000)}"}`), 'latin1');
    await othersFare(async () => {
      const senders = await open(5);
      senders.forEach(({ send }) => send(large));
      return async () => {
        for (const one of senders) refuses(await one.ended(), 413, 'payload_too_large');
      };
    });
    const deep = `{"product_id":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    await othersFare(async () => {
      const crowd = openCrowd(api, () => post(deep));
      await crowd.open(LOOK_MS / 20);
      const asked = crowd.arrive(50, LOOK_MS);
      return async () => {
        for (const one of await asked) {
          expect(one!.status).to.equal(422);
          expect(JSON.parse(one!.body)).to.include({ error: 'validation_error' });
        }
        crowd.close();
      };
    });
    const tool = wire('POST /api/v1/mcp', { key: market.buyer.key, body: deep });
    const [heard] = await openCrowd(api, () => tool).keepAsking(1, 0);
    expect(heard!.status).to.equal(400);
  });

  it('do not hold up others by asking for much and reading nothing', async () => {
    const request = wire('GET /openapi.json');
    await othersFare(async () => {
      const deaf = await open(100);
      deaf.forEach(({ pause, send }) => {
        pause();
        send(request);
      });
      return allLeave(deaf);
    });
  });

  it('cannot open more connections than it holds, and others come in when they are gone', async () => {
    const many = await open(CONNECTIONS_MAX + 100);
    let cut = 0;
    const kept = new Set(many);
    for (const one of many) void one.ended().then(() => (kept.delete(one), (cut += 1)));
    expect((await others.keepAsking(CALLERS, 200)).map((heard) => heard?.status)).to.include(200);
    await Promise.all(many.map((one) => one.ended()));
    expect(cut).to.equal(many.length);
    expect((await fetch(`${api.url}/healthz`)).status).to.equal(200);
  });
});

/** A connection that does what it likes. */
interface Attacker {
  readonly send: (text: string | Buffer) => void;
  /** Sends no more, and listens. */
  readonly finish: () => void;
  /** Reads no more. */
  readonly pause: () => void;
  readonly leave: () => void;
  /** What was said until the API closed the connection. */
  readonly ended: () => Promise<string>;
}

function openAttacker({ url }: Child): Promise<Attacker> {
  const socket: Socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' });
  let heard = '';
  socket.on('data', (chunk) => (heard += chunk.toString('latin1')));
  socket.on('error', () => undefined); // It is cut off, which is the point.
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(heard)));
  const attacker: Attacker = {
    send: (text) => void (socket.writable && socket.write(text)),
    finish: () => void socket.end(),
    pause: () => void socket.pause(),
    leave: () => void socket.destroy(),
    ended: () => closed,
  };
  return new Promise((resolve) => socket.once('connect', () => resolve(attacker)));
}

function refuses(heard: string, status: number, error: string): void {
  const [head = '', body = ''] = heard.split('\r\n\r\n');
  expect(head.slice(0, 12), heard).to.equal(`HTTP/1.1 ${status}`);
  expect(JSON.parse(body)).to.include({ success: false, error });
}

const p99 = (heard: readonly (Heard | undefined)[]) =>
  percentile(
    heard.map((one) => one?.ms ?? Infinity),
    99,
  );
