// test:all: processes of its own are flooded by one agent.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import pg from 'pg';

import { createApp } from '../../api/app.ts';
import { openInvoke } from '../../shared/composition/invoke/invoke.ts';
import { openWaiters } from '../../shared/jobs/waiters.ts';
import type { Pace } from '../../shared/platform/shares/pace.ts';
import { childOf } from '../agents/child.ts';
import { eventually, type Reply, type TestPlatform } from '../harness.ts';
import { child, endChildren, openPlatform, type Child } from './children.ts';
import { buy, expectConsistent, openMarket, type Market } from './market.ts';
import { CALLERS, endRefusals, repeating } from './measured/ended_refusals.ts';

/** Calls at once, of which one tree of agents may hold 16. */
const CALLS_MAX = '18';
const SHARE = 16;
const FLOOD = 60;

/** PostgreSQL answers nothing that needs a locked table, so what is called stays in flight. */
describe('one agent that calls without end', function () {
  this.timeout(120_000);

  let platform: TestPlatform;
  let market: Market;
  let api: Child;
  let flooder: { id: number; key: string };
  let superuser: pg.Client;
  before(async () => {
    platform = await openPlatform({ workers: false });
    market = await openMarket(platform);
    flooder = await platform.agent({ usd: 100 });
    [api] = await Promise.all([
      // The program itself, with its load shedder.
      child(platform, 'api/main.ts', { CALLS_MAX, DATABASE_CONNECTIONS: '10' }),
      // The program's own: queues of programs are not those of a test.
      child(platform, 'workers/main.ts', { QUEUES: 'money' }),
    ]);
    const url = new URL(platform.postgres);
    url.pathname = `/${platform.name}`;
    superuser = new pg.Client({ connectionString: url.href });
    await superuser.connect();
  });
  after(async () => {
    await superuser.end();
    await endChildren();
    await platform.close();
  });

  const lock = async (table: string, mode: string) => {
    await superuser.query('begin');
    await superuser.query(`lock table ${table} in ${mode} mode`);
  };
  const unlock = () => superuser.query('commit');
  /** The status, or the code of a refusal. */
  type Told = number | string;
  const toldBy = ({ status, body }: Pick<Reply, 'status' | 'body'>): Told => body.error ?? status;
  const read = async (key: string, path = '/api/v1/wallet') => {
    const response = await fetch(api.url + path, { headers: { authorization: `Bearer ${key}` } });
    return toldBy({ status: response.status, body: await response.json() });
  };
  const buyAs = async (buyer: { key: string }) =>
    toldBy((await buy(api, { buyer, product: market.product } as Market))!);

  /** Resolves when all beyond the share were refused. */
  async function flood(call: () => Promise<Told>) {
    const told: Told[] = [];
    const calls = Array.from({ length: FLOOD }, async () => void told.push(await call()));
    await eventually(
      async () => told.length,
      (n) => n >= FLOOD - SHARE,
    );
    expect(told).to.deep.equal(Array.from({ length: FLOOD - SHARE }, () => 'queue_overloaded'));
    return async () => {
      await Promise.all(calls);
      expect(told.filter((one) => one === 200)).to.have.length(SHARE);
    };
  }

  it('leaves others permits and connections to the database', async () => {
    // All keys are known: to look one up needs a connection too.
    expect(await read(market.buyer.key)).to.equal(200);
    const spawned = await platform.request('POST /api/v1/agent/register', {
      body: { username: 'other', email: 'other@example.com', password: 'correct horse battery' },
    });
    expect(await read(spawned.body.api_key.key)).to.equal(200);
    const own = await childOf(platform, flooder);
    for (const { key } of [flooder, own]) expect(await read(key)).to.equal(200);

    await lock('policy', 'access exclusive');
    // The agents of one tree have one share.
    const keys = [flooder.key, own.key];
    const end = await flood(() => read(keys.reverse()[0]!));
    // A call that needs no locked table is answered while all of the flood waits.
    expect(await read(market.buyer.key, '/api/v1/products')).to.equal(200);
    const other = read(spawned.body.api_key.key);
    await unlock();
    expect(await other).to.equal(200);
    await end();
  });

  it('leaves others permits for jobs', async () => {
    await lock('job', 'exclusive');
    const end = await flood(() => buyAs(flooder));
    const other = buyAs(market.buyer);
    await eventually(
      () => read(market.buyer.key, '/api/v1/products'),
      (status) => status === 200,
    );
    await unlock();
    expect(await other).to.equal(200);
    await end();
    await expectConsistent(platform, SHARE + 1);
  });

  it('is refused a hundred times a second at most, whatever it repeats', async () => {
    await lock('policy', 'access exclusive');
    const end = await flood(() => read(flooder.key));
    // The load shedder knows no path with a slash at its end.
    const load = repeating(api, flooder, ['/api/v1/wallet', '/api/v1/orders/1', '/api/v1/wallet/']);
    const from = performance.now();
    const replies = await load.closedLoop(CALLERS, 1_000);
    const seconds = (performance.now() - from) / 1_000;
    load.close();
    expect(new Set(replies.map((reply) => reply?.status))).to.deep.equal(new Set([503]));
    expect(replies.length).to.be.within(CALLERS, 100 * (1 + seconds));
    for (const reply of replies) expect(reply!.head).to.match(/\r\nretry-after: 1\r\n/i);

    // Others take the permits that are free, and hear that there is no other before one is free.
    const others = [read(market.buyer.key), read(market.buyer.key)];
    expect(await read(market.buyer.key)).to.equal('queue_overloaded');
    await unlock();
    expect(await Promise.all(others)).to.deep.equal([200, 200]);
    await end();
  });

  it('is refused what it was not told yet when the process ends', async () => {
    await lock('policy', 'access exclusive');
    await endRefusals(platform, flooder);
    await unlock();
  });
});

describe('one agent that waits for many jobs', function () {
  this.timeout(120_000);

  it('leaves others waiters: their purchases are answered and not pending', async () => {
    const platform = await openPlatform({ workers: false });
    const market = await openMarket(platform);
    const poller = await platform.agent({ usd: 100 });
    const { context } = platform;
    const { database, config, log } = context;
    const refusals = twoAtOnce();
    const waiters = openWaiters(database, config.redisUrl, log, { waitersMax: 10, refusals });
    const answer = createApp(context, openInvoke(context, waiters));
    const server = createServer(answer).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const api = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };

    const jobs: string[] = [];
    for (let n = 0; n < 12; n += 1) {
      const reply = await buy(api, { ...market, buyer: poller } as Market, { wait: 0 });
      jobs.push((reply as Reply).body.job_id);
    }
    let answered = 0;
    const polls = jobs.map(async (id) => {
      const response = await fetch(`${api.url}/api/v1/jobs/${id}?wait=25`, {
        headers: { authorization: `Bearer ${poller.key}` },
      });
      answered += 1;
      return ((await response.json()) as { status: string }).status;
    });
    const untilAnswered = (n: number) =>
      eventually(
        async () => answered,
        (now) => now >= n,
      );
    // Seven beyond its share: two at once, the others at their pace, which stands still here.
    await untilAnswered(2);
    await eventually(
      async () => refusals.waiting(),
      (waiting) => waiting === 5,
    );
    expect(answered).to.equal(2);
    refusals.close();
    await untilAnswered(7);
    const other = buy(api, market);
    await eventually(
      () => platform.query(`select from job where agent_id = $1`, [market.buyer.id]),
      (rows) => rows.length === 1,
    );
    await platform.resumeWorkers();
    expect((await other)!.status).to.equal(200);
    const ends = await Promise.all(polls);
    expect(ends.filter((status) => status === 'complete')).to.have.length(5);
    waiters.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await platform.close();
  });
});

/** A pace at which a third of a second waits until it is closed, however slow the machine is. */
function twoAtOnce(): Pace & { waiting(): number } {
  const holders = new Set<unknown>();
  let [asked, close] = [0, () => undefined as void];
  const closed = new Promise<void>((resolve) => (close = resolve));
  return {
    wait(holder) {
      holders.add(holder);
      expect(holders.size, 'all are of one agent').to.equal(1);
      asked += 1;
      return asked > 2 ? closed : Promise.resolve();
    },
    waiting: () => asked - 2,
    close: () => close(),
  };
}
