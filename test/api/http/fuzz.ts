import fc from 'fast-check';
import { expect } from 'chai';

import { audit } from '../../../shared/composition/audit.ts';
import { catalog } from '../../../shared/composition/catalog.ts';
import type { Goals } from '../../faults/stalls.ts';
import { eventually, type TestPlatform } from '../../harness.ts';
import type { PlatformWithStripe } from '../../sandbox/stripe_platform.ts';
import { expanded } from '../expanded.ts';
import { addObjects, openFuzzed, timed } from './fuzz_work.ts';
import { bodiesOf, INTERNAL, queriesOf, wordsOf, type Documented } from './fuzz_values.ts';

const REQUESTS = 10_000;
const SEEDS_MAX = 10;
const AT_ONCE = 8;
const ANSWER_MS_MAX = 2_000;
const OPERATOR_TOKEN = 'operator-token-of-the-tests';
/** Done, or refused for the state of something: only handlers answer so. */
const HANDLED = new Set([200, 402, 409]);
const BY_HANDLERS = new Set(
  'product_unavailable out_of_stock self_purchase approval_required rail_unavailable'.split(' '),
);
const OFF = ['queue_overloaded', 'rail_unavailable'];
/** Fields of a path that are no ids, with the values that they may have. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  '{decision}': ['approve', 'deny'],
  '{kind}': ['order', 'task'],
  '{claim_id}': ['4'],
};
/** FUZZ_SEED repeats a run. */
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);

interface Request {
  readonly path: string;
  readonly key: string | undefined;
  readonly body: string | undefined;
}

export const fuzz = (goals: Goals) =>
  describe('whatever is sent', function () {
    let stripe: PlatformWithStripe;
    let platform: TestPlatform;
    let keys: { agent: string; owner: string; invalid: string[] };
    let jobs: { agent: string; platform: string };
    let receipts: { ids: string[]; day: string };
    let routes: { method: string; path: string; op: Documented }[];

    before(async () => {
      stripe = await openFuzzed();
      platform = stripe.platform;
      const { agent, owner, ...made } = await addObjects(platform);
      receipts = made.receipts;
      const jobOf = async (agentId: number) =>
        (await platform.query('select id from job where agent_id = $1 limit 1', [agentId]))[0].id;
      jobs = { agent: await jobOf(agent.id), platform: await jobOf(0) };
      keys = { agent: agent.key, owner: owner.key, invalid: ['vnx_x', agent.key.slice(0, -1)] };
      const { paths } = expanded((await platform.request('GET /openapi.json')).body);
      routes = Object.entries<Record<string, Documented>>(paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, op]) => ({ method: method.toUpperCase(), path, op })),
      );
    });
    after(() => stripe.close());

    /** By operation: the inputs that came to its handler, and were answered by it. */
    const handled = new Map<string, number>();
    const count = (operation: string, n: number) =>
      handled.set(operation, (handled.get(operation) ?? 0) + n);

    const keyOf = (path: string) =>
      path.includes('/admin/')
        ? OPERATOR_TOKEN
        : path.includes('/agent/keys')
          ? keys.owner
          : keys.agent;

    const inQuery = ({ parameters }: Documented) => parameters.filter((one) => one.in === 'query');

    /** The example that is documented. */
    function exampleOf({ method, path, op }: (typeof routes)[number]): Request {
      const asked = inQuery(op).flatMap(({ name, example }) =>
        example === undefined ? [] : `${name}=${encodeURIComponent(String(example))}`,
      );
      const body = op.requestBody?.content['application/json'];
      const made = path.replace(/\{\w+\}/g, (name) => (NAMES[name] ?? idsOf(path, method))[0]!);
      return {
        path: [made, asked.join('&')].join('?'),
        key: keyOf(path),
        body: body && JSON.stringify(body.example ?? {}),
      };
    }

    function idsOf(path: string, method: string): string[] {
      if (path.includes('/jobs/')) return [jobs[path.includes('/admin/') ? 'platform' : 'agent']];
      if (path.includes('/receipts/days/')) return [receipts.day];
      if (path.includes('/receipts/')) return receipts.ids;
      if (path.includes('/agent/keys')) return ['4', '5', '6', '7'];
      // Deleted objects are not those of which more is asked.
      if (/(webhooks|connections|email\/files)\//.test(path))
        return method === 'DELETE' ? ['3', '4'] : ['1', '2'];
      // Below the agent that asks, and of others: those that ask are not suspended.
      if (path.includes('/agent/monitor/')) return ['4', '1'];
      if (path.includes('/admin/agents/')) return ['5', '5', '1000'];
      if (path.includes('/admin/withdrawals/')) return ['3']; // The one that waits for it.
      // The order in dispute.
      if (path.includes('/disputes/{kind}/')) return ['3'];
      // Ids of tasks of others.
      if (/\/tasks\/.*(bids|submit|dispute)$/.test(path) && method === 'POST') return ['3', '4'];
      if (/\/labor\/.*(take|deliver|heartbeat|release|appeal)$/.test(path)) return ['3', '4'];
      return path.endsWith('/stock') ? ['4', '5'] : ['1', '2', '3', '4'];
    }

    function requestsOf({ method, path, op }: (typeof routes)[number]): fc.Arbitrary<Request> {
      const parts = path.split(/(\{\w+\})/).map((part) => {
        if (!part.startsWith('{')) return fc.constant(part);
        return wordsOf([...(NAMES[part] ?? idsOf(path, method))]);
      });
      const asked = inQuery(op).flatMap(({ name, schema: one }) =>
        name && one ? [[name, one] as const] : [],
      );
      const more = fc.constantFrom('', '', '', '', 'limit=1&limit=2', '__proto__=1', '%=%ff');
      const sent = op.requestBody?.content['application/json'];
      return fc.record({
        path: fc
          .tuple(fc.tuple(...parts), queriesOf(asked), more)
          .map(([made, ...asks]) => [made.join(''), asks.filter(Boolean).join('&')].join('?'))
          .filter((made) => made.length < 15_000), // What is longer is refused as a request.
        key: fc.oneof(
          { weight: 15, arbitrary: fc.constant(keyOf(path)) },
          { weight: 1, arbitrary: fc.constantFrom(undefined, ...keys.invalid) },
        ),
        body: sent ? bodiesOf(sent.schema, sent.example ?? {}) : fc.constant(undefined),
      });
    }

    it(`is answered as documented, with nothing internal (seed ${seed})`, async function () {
      this.timeout(600_000);
      const numRuns = Math.ceil(REQUESTS / routes.length);
      let sent = 0;
      let slowest = { ms: 0, about: '' };
      const left = [...routes];
      const work = async () => {
        for (let route = left.pop(); route; route = left.pop()) {
          const { method, op } = route;
          const documented = Object.keys(op.responses).map(Number);
          const property = fc.asyncProperty(requestsOf(route), async ({ path, key, body }) => {
            const sending = { key, ...(body !== undefined && { body }) };
            const ask = () => timed(platform.request(`${method} ${path}`, sending));
            const { reply, ms: firstMs } = await ask();
            // A machine may stand still. What is slow for its content is slow each time.
            let ms = goals.areMeasured ? firstMs : 0;
            for (let n = 0; ms >= ANSWER_MS_MAX && n < 5; n += 1) ({ ms } = await ask());
            sent += 1;
            const isHandled =
              HANDLED.has(reply.status) || BY_HANDLERS.has(reply.body?.error ?? reply.body?.status);
            if (isHandled) count(op.operationId, 1);
            const about = `${method} ${path.slice(0, 300)} answers ${reply.status} ${reply.text}`;
            // The workers of a slow machine may not keep up. Some ways to pay are off here.
            const isOff = reply.status === 503 && OFF.includes(reply.body.error);
            if (!isOff) expect(reply.status, about).to.be.lessThan(500);
            // A path that was made wrong may be another route's, with other methods, or nobody's.
            expect([...documented, 404, 405], about).to.include(reply.status);
            if (ms > slowest.ms) slowest = { ms, about };
            expect(reply.text).not.to.match(INTERNAL);
            if (reply.status >= 400) {
              expect(reply.body, about).to.include({ success: false });
              expect(reply.body.error, about).to.match(/^[a-z_]+$/);
              expect(reply.body.request_id).to.equal(reply.headers.get('x-request-id'));
            }
          });
          // One seed reaches what another never does.
          for (let n = 0; n < SEEDS_MAX && !handled.has(op.operationId); n += 1) {
            await fc.assert(property, { numRuns, seed: seed + n, examples: [[exampleOf(route)]] });
          }
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      expect(sent).to.be.at.least(REQUESTS);
      goals.expectGoal(`the slowest answer: ${slowest.about}`, slowest.ms, ANSWER_MS_MAX);
    });

    it('leaves a platform that works, whose jobs met no fault', async function () {
      this.timeout(60_000);
      // Calls that wait for their owner's decision are pending for days.
      const pending = `select operation, input from job
                        where status = 'pending' and agent_id > 0 and deferral is null`;
      await eventually(
        () => platform.query(pending),
        (rows) => rows.length === 0,
      );
      // On a slow machine a connection to PostgreSQL may take longer than the three seconds it has.
      const faults = `select operation, input, fault from job where fault !~ 'connection timeout'
                     or http_status >= 500 and answer ->> 'error' <> all ($1)`;
      expect(await platform.query(faults, [[...OFF, 'service_unavailable']])).to.deep.equal([]);
      expect(await audit(platform.context.database)).to.deep.equal([]);
      const { status, body } = await platform.request('GET /api/v1/wallet', { key: keys.agent });
      expect([status, body.currency]).to.deep.equal([200, 'USD']);
    });

    it('has reached the handler of every operation', async () => {
      const finished: { operation: string; n: number }[] = await platform.query(
        `select operation, count(*)::int as n from job
        where cause is null and (http_status = any ($1) or answer ->> 'error' ~ 'rail') group by 1`,
        [[...HANDLED]],
      );
      for (const { operation, n } of finished) {
        if (catalog.get(operation)!.mode === 'job') count(operation, n);
      }
      const all = routes.map(
        ({ op }) => [op.operationId, handled.get(op.operationId) ?? 0] as const,
      );
      const sum = all.reduce((before, [, n]) => before + n, 0);
      const [name, least] = all.reduce((a, b) => (a[1] <= b[1] ? a : b));
      console.log(`      ${sum} inputs reached a handler, the fewest, ${least}, that of ${name}`);
      expect(all.filter(([, n]) => n === 0).map(([none]) => none)).to.deep.equal([]);
      expect(sum).to.be.at.least(REQUESTS / 8);
    });
  });
