import { expect } from 'chai';
import { Redis } from 'ioredis';

import { openCallCounts, type CallCounts } from '../../shared/platform/shares/call_counts.ts';
import { openLog } from '../../shared/platform/log.ts';
import type { RedisClient } from '../../shared/platform/redis.ts';
import { openRedis, type OwnRedis } from '../faults/servers.ts';
import { eventually } from '../harness.ts';
import { patience } from './pace.ts';

const WINDOW_MS = 60_000;
const log = openLog('silent', 'test');

describe('counts of calls', function () {
  this.timeout(30_000);

  let server: OwnRedis;
  const clients: RedisClient[] = [];
  let prefixes = 0;
  before(async () => {
    server = await openRedis();
  });
  afterEach(() => clients.splice(0).forEach((client) => client.disconnect()));
  after(() => server.close());

  /** The counts of several processes. */
  async function openProcesses(
    processes: number,
    { windowMs = WINDOW_MS, url = server.url, isPatient = true } = {},
  ): Promise<{ counts: CallCounts[]; redis: RedisClient; prefix: string }> {
    const prefix = `{counts ${(prefixes += 1)}}`;
    const options = {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: patience(10_000),
    };
    const opened = Array.from({ length: processes }, () => new Redis(url, options));
    clients.push(...opened);
    for (const client of opened) client.on('error', () => undefined);
    // By default a Redis is given up that a slow machine delays.
    const answerMsMax = isPatient ? patience(5_000) : undefined;
    const counts = opened.map((redis) =>
      openCallCounts({ redis, prefix }, log, windowMs, answerMsMax),
    );
    return { counts, redis: opened[0]!, prefix };
  }

  const untilReady = () =>
    eventually(
      async () => clients,
      (all) => all.every(({ status }) => status === 'ready'),
    );

  it('are exact over processes, however many come at once', async () => {
    const { counts } = await openProcesses(4);
    await untilReady();
    const asked = Array.from({ length: 1_000 }, (_, n) =>
      counts[n % 4]!.count(7, { limit: 600, calls: 1 }),
    );
    const given = await Promise.all(asked);
    expect(given.filter(({ isWithin }) => isWithin)).to.have.lengthOf(600);
    expect(new Set(given.filter(({ isWithin }) => isWithin).map(({ left }) => left)).size).to.equal(
      600,
    );
    const another = await counts[0]!.count(8, { limit: 600, calls: 1 });
    expect(another, 'another holder').to.include({ isWithin: true, left: 599 });
  });

  it('take several calls whole or not at all', async () => {
    const { counts } = await openProcesses(1);
    await untilReady();
    const take = (calls: number) => counts[0]!.count('10.0.0.1', { limit: 60, calls });
    expect(await take(50)).to.include({ isWithin: true, left: 10 });
    expect((await take(50)).isWithin).to.equal(false);
  });

  it('ask Redis no more about a holder that has used its window up, until it ends', async () => {
    const windowMs = patience(2_000);
    const { counts, redis, prefix } = await openProcesses(2, { windowMs });
    await untilReady();
    const take = (n: number) => counts[n]!.count(7, { limit: 50, calls: 1 });
    await Promise.all(Array.from({ length: 50 }, () => take(0)));
    expect(await take(1), 'another process').to.include({ isWithin: false, left: 0 });
    for (let n = 0; n < 20; n += 1) expect((await take(n % 2)).isWithin).to.equal(false);
    expect(Number(await redis.get(`${prefix}:calls:7`))).to.equal(51);
    const { resetMs } = await take(0);
    expect(resetMs).to.be.within(0, windowMs);
    const next = await eventually(
      () => take(0),
      ({ isWithin }) => isWithin,
    );
    expect(next.left).to.equal(49);
  });

  it('go on where the limit was raised', async () => {
    const { counts } = await openProcesses(1);
    await untilReady();
    await counts[0]!.count(7, { limit: 50, calls: 51 });
    const raised = await counts[0]!.count(7, { limit: 100, calls: 1 });
    expect(raised).to.include({ isWithin: true, left: 48 });
  });

  it('are each process its own while Redis is away', async () => {
    const { counts } = await openProcesses(2, { url: 'redis://127.0.0.1:1' });
    const asked = Array.from({ length: 120 }, (_, n) =>
      counts[n % 2]!.count(7, { limit: 50, calls: 1 }),
    );
    const given = await Promise.all(asked);
    expect(given.filter(({ isWithin }) => isWithin)).to.have.lengthOf(100);
  });

  it('wait for no Redis that is silent, and ask it again later', async function () {
    this.timeout(15_000); // The client itself would wait for ten seconds.
    const own = await openRedis();
    const { counts, redis, prefix } = await openProcesses(1, {
      url: own.url,
      isPatient: false,
    });
    await untilReady();
    const take = () => counts[0]!.count(7, { limit: 5_000, calls: 1 });
    own.kill('SIGSTOP');
    try {
      expect(await take()).to.include({ isWithin: true, left: 4_999 });
      let commands = 0;
      const send = redis.sendCommand.bind(redis);
      redis.sendCommand = (...sent) => ((commands += 1), send(...sent));
      for (let n = 0; n < 10; n += 1) await take();
      expect(commands, 'of those that come next').to.equal(0);
    } finally {
      own.kill('SIGCONT');
    }
    const before = await redis.get(`${prefix}:calls:7`);
    await eventually(
      async () => [await take(), await redis.get(`${prefix}:calls:7`)] as const,
      ([, used]) => Number(used) > Number(before),
    );
    await own.close();
  });
});
