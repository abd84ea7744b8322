import fc from 'fast-check';
import { expect } from 'chai';

import { expanded } from '../expanded.ts';
import { TestPlatform } from '../../harness.ts';
import { bodiesOf, queriesOf, wordsOf, type Documented } from './fuzz_values.ts';

const REQUESTS = 10_000;
const AT_ONCE = 8;
const ANSWER_MS_MAX = 2_000;
const OPERATOR_TOKEN = 'operator-token-of-the-tests';
/** FUZZ_SEED repeats a run. */
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);

/** Texts that only the inside of the platform writes. */
const INTERNAL = new RegExp(
  String.raw`node_modules|\.ts:\d|\bat \S+ \(|QueryFailed|syntax error|invalid input` +
    String.raw`|duplicate key|violates|relation "|column "|TypeError|RangeError` +
    String.raw`|Unexpected token|\bpg_|file://`,
);

interface Request {
  readonly path: string;
  readonly key: string | undefined;
  readonly body: string | undefined;
}

describe('whatever is sent', () => {
  let platform: TestPlatform;
  let keys: { agent: string; owner: string; invalid: string[] };
  let jobId: string;
  let routes: { method: string; path: string; op: Documented }[];

  before(async () => {
    platform = await TestPlatform.open({ env: { WAIT_MS: '0' } });
    const [seller, agent, owner] = [
      await platform.agent(),
      await platform.agent({ usd: 1_000 }),
      await platform.agent(), // Some of its keys are revoked and rotated, but not the one in use.
    ];
    const goods = { stock_kind: 'unlimited', content: 'It.' };
    for (const each of [seller, agent, seller]) await platform.product(each, goods);
    for (const _ of [1, 2, 3]) await platform.keyOf(owner, ['read']);
    const buy = (wait: number) =>
      platform.request(`POST /api/v1/orders?wait=${wait}`, {
        key: agent.key,
        body: { product_id: 1 },
      });
    expect((await buy(20)).status).to.equal(200);
    await platform.pauseWorkers();
    jobId = (await buy(0)).body.job_id;
    keys = { agent: agent.key, owner: owner.key, invalid: ['vnx_x', agent.key.slice(0, -1)] };
    const { paths } = expanded((await platform.request('GET /openapi.json')).body);
    routes = Object.entries<Record<string, Documented>>(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, op]) => ({ method: method.toUpperCase(), path, op })),
    );
  });
  after(() => platform.close());

  const keyOf = (path: string) =>
    path.includes('/admin/')
      ? OPERATOR_TOKEN
      : path.includes('/agent/keys')
        ? keys.owner
        : keys.agent;

  function requestsOf({ path, op }: (typeof routes)[number]): fc.Arbitrary<Request> {
    const ids = path.includes('/agent/keys')
      ? ['4', '5', '6', '7']
      : ['1', '2', '3', '4', ...(path.includes('/jobs/') ? [jobId, jobId, jobId, jobId] : [])];
    const parts = path
      .split(/(\{\w+\})/)
      .map((part) => (part.startsWith('{') ? wordsOf(ids) : fc.constant(part)));
    const asked = op.parameters.flatMap(({ name, in: where, schema: one }) =>
      where === 'query' && name && one ? [[name, one] as const] : [],
    );
    const more = fc.constantFrom('', '', '', '', 'limit=1&limit=2', '__proto__=1', '%=%ff');
    const schema = op.requestBody?.content['application/json'].schema;
    return fc.record({
      path: fc
        .tuple(fc.tuple(...parts), queriesOf(asked), more)
        .map(([made, ...asks]) => [made.join(''), asks.filter(Boolean).join('&')].join('?')),
      key: fc.oneof(
        { weight: 15, arbitrary: fc.constant(keyOf(path)) },
        { weight: 1, arbitrary: fc.constantFrom(undefined, ...keys.invalid) },
      ),
      body: schema ? bodiesOf(schema) : fc.constant(undefined),
    });
  }

  it(`is answered as documented, soon, and with nothing internal (seed ${seed})`, async function () {
    this.timeout(600_000);
    const numRuns = Math.ceil(REQUESTS / routes.length);
    let sent = 0;
    const left = [...routes];
    const work = async () => {
      for (let route = left.pop(); route; route = left.pop()) {
        const { method, op } = route;
        const documented = Object.keys(op.responses).map(Number);
        const property = fc.asyncProperty(requestsOf(route), async ({ path, key, body }) => {
          const ask = async () => {
            const askedAt = performance.now();
            const sending = { key, ...(body !== undefined && { body }) };
            const reply = await platform.request(`${method} ${path}`, sending);
            return { reply, ms: performance.now() - askedAt };
          };
          const first = await ask();
          const { reply } = first;
          // A machine may stand still for a moment. What is slow for its content is slow each time.
          const ms = first.ms < ANSWER_MS_MAX ? first.ms : Math.min(first.ms, (await ask()).ms);
          sent += 1;
          const about = `${method} ${path.slice(0, 300)} answers ${reply.status} ${reply.text}`;
          // Nobody performs the jobs here, so in the end the latency of a queue is too high.
          const isFull = reply.status === 503 && reply.body.error === 'queue_overloaded';
          if (!isFull) expect(reply.status, about).to.be.lessThan(500);
          // A path that was made wrong may be that of another route, which has other methods, or of
          // none.
          expect([...documented, 404, 405], about).to.include(reply.status);
          expect(ms, about).to.be.lessThan(ANSWER_MS_MAX);
          expect(reply.text).not.to.match(INTERNAL);
          if (reply.status >= 400) {
            expect(reply.body, about).to.include({ success: false });
            expect(reply.body.error, about).to.match(/^[a-z_]+$/);
            expect(reply.body.request_id).to.equal(reply.headers.get('x-request-id'));
          }
        });
        await fc.assert(property, { numRuns, seed, interruptAfterTimeLimit: 540_000 });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    expect(sent).to.be.at.least(REQUESTS);
  });

  it('leaves a platform that works', async () => {
    const { status, body } = await platform.request('GET /api/v1/wallet', { key: keys.agent });
    expect([status, body.currency]).to.deep.equal([200, 'USD']);
  });
});
