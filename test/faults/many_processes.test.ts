// test:all: two APIs and three workers are started as programs.
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';

import type { TestPlatform } from '../harness.ts';
import { child, endChildren, openPlatform, type Child } from './children.ts';
import { buy, buyUntilDone, openMarket, expectConsistent, type Market } from './market.ts';
import { acceptedForMs } from './measured/revoked_key.ts';
import { openRedis, type OwnRedis } from './servers.ts';
import { setPolicy } from '../policy.ts';

describe('two APIs and three workers', function () {
  this.timeout(180_000);

  let redis: OwnRedis;
  let platform: TestPlatform;
  let apis: Child[];
  /** The programs as in production. */
  before(async () => {
    redis = await openRedis();
    platform = await openPlatform({ redisUrl: redis.url, workers: false });
    const api = () => child(platform, 'api/main.ts');
    const worker = () => child(platform, 'workers/main.ts');
    apis = await Promise.all([api(), api()]);
    await Promise.all([worker(), worker(), worker()]);
  });
  after(async () => {
    await endChildren();
    await platform.close();
    await redis.close();
  });

  it('sell, limit, charge and answer exactly as one API and one worker', async () => {
    const one = await openPlatform();
    const expected = { free: 60, limited: 4, poor: 4, last: 3 };
    expect(await script(one, [one])).to.deep.equal(expected);
    await one.close();
    expect(await script(platform, apis)).to.deep.equal(expected);
  });

  it('share jobs: a call that one API accepted can be polled at the other', async () => {
    const [first, second] = apis as [Child, Child];
    const market = await openMarket(platform);
    const pending = await buy(first, market, { wait: 0 });
    expect(pending).to.include({ status: 202 });
    const headers = { authorization: `Bearer ${market.buyer.key}` };
    const polled = await fetch(`${second.url}${pending!.body.poll}?wait=20`, { headers });
    const { status, result } = (await polled.json()) as { status: string; result: object };
    expect(status).to.equal('complete');
    expect(JSON.stringify(result)).to.equal(
      (await buy(first, market, { key: pending!.key }))!.text,
    );
  });

  it('refuse a key at both APIs after one of them revoked it', async () => {
    await acceptedForMs(platform, apis);
  });
});

/**
 * Sends every call to each API at the same moment, under one key. Answers how many purchases each
 * kind of buyer got; checks here what they were charged, and that each key was one purchase.
 */
async function script(platform: TestPlatform, apis: readonly { url: string }[]) {
  const { seller, product } = await openMarket(platform);
  const dear = await platform.product(seller, {
    stock_kind: 'unlimited',
    content: 'It.',
    price: 0.1,
  });
  const last = await platform.product(seller, {
    price: 0.01,
    items: [1, 2, 3].map((n) => `${randomUUID()}-${n}`),
  });
  const rich = await platform.agent({ usd: 10 });
  const poor = await platform.agent();
  const limited = await platform.agent({ usd: 10 });
  await setPolicy(platform, limited, { daily_spend_limit: 50000 });

  const twice = async (market: Pick<Market, 'buyer' | 'product'>) => {
    const key: string = randomUUID();
    const targets = apis.length > 1 ? apis : [apis[0]!, apis[0]!];
    return Promise.all(targets.map((api) => buyUntilDone(api, market, { key })));
  };
  const outcome = async (times: number, market: Pick<Market, 'buyer' | 'product'>) => {
    const pairs = await Promise.all(Array.from({ length: times }, () => twice(market)));
    const bought = pairs.filter(([first]) => first!.status === 200);
    for (const [first, second] of bought) expect(second!.text).to.equal(first!.text);
    const refused = pairs.filter(([first]) => first!.status !== 200).flat();
    expect(refused.filter((reply) => ![400, 402].includes(reply!.status))).to.deep.equal([]);
    return bought.length;
  };
  const [free, limitedCount, poorCount, lastCount] = await Promise.all([
    outcome(60, { buyer: rich, product }),
    outcome(12, { buyer: limited, product }),
    outcome(12, { buyer: poor, product: dear }),
    outcome(12, { buyer: rich, product: last }),
  ]);
  expect(await platform.balance(rich)).to.be.closeTo(10.5 - 63 * 0.011, 1e-9);
  expect(await platform.balance(limited)).to.be.closeTo(10.5 - 4 * 0.011, 1e-9);
  expect(await platform.balance(poor)).to.be.closeTo(0.5 - 4 * 0.11, 1e-9);
  await expectConsistent(platform, free + limitedCount + poorCount + lastCount);
  return { free, limited: limitedCount, poor: poorCount, last: lastCount };
}
