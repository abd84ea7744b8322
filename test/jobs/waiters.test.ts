import { expect } from 'chai';
import type { DataSource } from 'typeorm';

import { finishJobs, insertJobs, newJobId, resultAnswer } from '../../shared/jobs/jobs.ts';
import { ENDED_CHANNEL, openWaiters, type Wait, type Waiters } from '../../shared/jobs/waiters.ts';
import { openInvoke } from '../../shared/composition/invoke/invoke.ts';
import { purchaseProduct } from '../../shared/domains/orders/purchase_product.ts';
import { redisForListening } from '../../shared/platform/redis.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { meet, type Agent } from '../orders/trade.ts';

const LONG: Wait = { waitMs: 60_000 };

describe('a waiter', () => {
  let platform: TestPlatform;
  let buyer: Agent;
  let productId: number;
  const opened: Waiters[] = [];
  before(async () => {
    platform = await TestPlatform.open();
    const met = await meet(platform, { stock_kind: 'unlimited', content: 'It.' });
    buyer = met.buyer;
    productId = met.product.id;
  });
  after(async () => {
    for (const waiters of opened) waiters.close();
    await platform.close();
  });

  /** Waiters whose looks into PostgreSQL are answered by `query`. They hear what is published. */
  async function openWith(query: DataSource['query'], settings: { waitersMax?: number } = {}) {
    const { database, config, log, queue } = platform.context;
    const looking = Object.create(database, { query: { value: query } }) as DataSource;
    const waiters = openWaiters(looking, config.redisUrl, log, settings);
    opened.push(waiters);
    await eventually(
      () => queue.redis.pubsub('NUMSUB', waiters.channel),
      ([, listeners]) => listeners === 1,
    );
    return waiters;
  }
  const look: DataSource['query'] = (sql, parameters) =>
    platform.context.database.query(sql, parameters);
  const never: DataSource['query'] = () => new Promise(() => undefined);

  const buy = (waiters: Waiters) =>
    openInvoke(platform.context, waiters)(purchaseProduct, {
      token: buyer.key,
      read: () => ({
        input: { product_id: productId },
        key: undefined,
        waitMs: 5_000,
      }),
      dropUnknown: false,
      requestId: 'test',
    });
  /** The answer that the waiter has by now. */
  const now = ({ answer }: { answer: Promise<unknown> }) =>
    Promise.race([answer, Promise.resolve('nothing yet')]);

  it('is answered by what the worker publishes, where no look into PostgreSQL is', async () => {
    expect(await buy(await openWith(never))).to.include({ status: 200 });
  });

  it('is answered by a look into PostgreSQL, also after one that failed', async () => {
    let looks = 0;
    const waiters = await openWith(async (sql, parameters) => {
      looks += 1;
      if (looks === 1) throw new Error('on purpose');
      return look(sql, parameters);
    });
    const unheard = { ...waiters, channel: `${waiters.channel}:of-nobody` };
    expect(await buy(unheard)).to.include({ status: 200 });
    expect(looks).to.be.above(1);
  });

  it('looks into PostgreSQL at once when it hears that its job has ended', async () => {
    let looks = 0;
    // The look by the clock never ends, so there is no other one.
    const waiters = await openWith((sql, parameters) =>
      (looks += 1) === 1 ? never(sql) : look(sql, parameters),
    );
    const { database, clock, queue } = platform.context;
    const id = newJobId(clock.now());
    const waiter = waiters.waitFor(id, LONG);
    await eventually(
      async () => looks,
      (count) => count === 1,
    );
    const call = { agentId: 0, rootId: 0, input: {}, hash: Buffer.alloc(32), requestId: 'test' };
    await insertJobs(database, [{ id, operation: 'of_a_test', ...call }]);
    const answer = resultAnswer(id, { done: true });
    await finishJobs(database, [answer]);
    await queue.redis.publish(ENDED_CHANNEL, JSON.stringify([newJobId(clock.now()), id]));
    expect(await waiter.answer).to.deep.include({ id, status: 'complete' });
  });

  it('is one of all processes that hear of a job which something else has pushed', async () => {
    const { config, log } = platform.context;
    const listener = redisForListening(config.redisUrl, log);
    const heard: string[] = [];
    await listener.subscribe(ENDED_CHANNEL);
    listener.on('message', (_channel, ids) => heard.push(...(JSON.parse(ids) as string[])));
    const waiters = await openWith(look);
    expect(await buy({ ...waiters, channel: '' })).to.include({ status: 200 });
    await eventually(
      async () => heard,
      ({ length }) => length > 0,
    );
    listener.disconnect();
  });

  it('gets the answer beside others that wait for the same job', async () => {
    const waiters = await openWith(never);
    const id = newJobId(new Date());
    const two = [waiters.waitFor(id, LONG), waiters.waitFor(id, LONG)];
    const answer = resultAnswer(id, { done: true });
    await platform.context.queue.redis.publish(waiters.channel, JSON.stringify([answer]));
    expect(await Promise.all(two.map((waiter) => waiter.answer))).to.deep.equal([answer, answer]);
  });

  it('ends when its caller disconnects', async () => {
    const waiters = await openWith(never);
    const caller = new AbortController();
    const waiter = waiters.waitFor(newJobId(new Date()), { ...LONG, disconnect: caller.signal });
    expect(await now(waiter)).to.equal('nothing yet');
    caller.abort();
    expect(await now(waiter)).to.equal(null);
  });

  it('uses the share of its tree of agents, and gives it back', async () => {
    const waiters = await openWith(never, { waitersMax: 4 });
    const wait = (holder: number) => waiters.waitFor(newJobId(new Date()), { ...LONG, holder });
    const [first, second, third, other] = [wait(1), wait(1), wait(1), wait(2)];
    const waiting = await Promise.all([first, second, third, other].map(now));
    expect(waiting).to.deep.equal(['nothing yet', 'nothing yet', null, 'nothing yet']);
    first.stop();
    expect(await now(wait(1))).to.equal('nothing yet');
  });
});
