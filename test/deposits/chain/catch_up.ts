import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { constants, loadavg, setPriority } from 'node:os';

import { expect } from 'chai';

import { cpuOf } from '../../../bench/measure/cpu_times.ts';
import { audit } from '../../../shared/composition/audit.ts';
import { child, endChildren, openPlatform, type Child } from '../../faults/children.ts';
import { httpRequest, openLoadGenerator, type TimedReply } from '../../faults/load_generator.ts';
import { openMarket, percentile, type Market } from '../../faults/market.ts';
import type { Goals } from '../../faults/stalls.ts';
import { eventually, type TestPlatform } from '../../harness.ts';
import { startTimer } from '../../orders/trade.ts';
import { newAddress } from '../evm/payer.ts';
import { openPaidBase, type PaidBase } from '../evm/platform.ts';

const BLOCKS = 10_000;
const PAYMENTS = 40;
/** Blocks that are searched again while purchases are measured. */
const AGAIN = 4_000;
const CONNECTIONS = 200;
const PER_SECOND = 150;
/** A search rests for as long as it has computed; the rest of its process does not. */
const CORES = 0.7;
const SLICE_MS = 200;
const QUIET_MS = 1_500;
const ROUNDS = 3;
/**
 * p99 of purchases while blocks are searched, against that while none are: the goal of 1.2 is
 * printed, and has been seen only now and then where all processes share two cores.
 */
const GOAL = 1.2;
const LIMIT = 4;
const JITTER_MS = 100;
const LOWEST = constants.priority.PRIORITY_LOW;

export const catchUp = (goals: Goals) =>
  describe('a network that nobody has searched for ten thousand blocks', function () {
    this.timeout(240_000);
    let base: PaidBase;
    let platform: TestPlatform;
    let market: Market;
    let api: Child;
    let searching: Child;
    let agent: { id: number; key: string };
    let begun: number;

    before(async () => {
      base = await openPaidBase({ isLong: true });
      platform = await openPlatform({ env: base.env, workers: false });
      const queues = { own: 'money,timers', asking: 'network,bulk,probes' };
      const searches = { ...base.env, SCHEDULES: 'yes' };
      const [started, , asking] = await Promise.all([
        child(platform, 'test/faults/api.ts', base.env),
        child(platform, 'test/faults/worker.ts', { ...searches, QUEUES: queues.own }),
        child(platform, 'test/faults/worker.ts', { ...searches, QUEUES: queues.asking }),
      ]);
      [api, searching] = [started, asking];
      market = await openMarket(platform, { usd: 1_000 });
      agent = await platform.agent();
      await eventually(cursor, (position) => position !== null);
      await hold();
      begun = (await cursor())!;
      const { body } = await platform.request('GET /api/v1/wallet', { key: agent.key });
      const { reference } = body.deposit_methods.find(
        ({ rail }: { rail: string }) => rail === 'base',
      );
      for (let payment = 0; payment < PAYMENTS; payment += 1) {
        await base.byRouter(reference, { wei: 10n ** 15n });
        await base.usdc(newAddress(), 1n);
        await base.evm.mine(BLOCKS / PAYMENTS);
      }
      await base.finalize();
      yieldToUs(base.evm.pid());
    });
    after(async () => {
      await endChildren();
      await platform.close();
      await base.close();
    });

    /** Seconds of CPU so far of the process that searches. */
    const searcher = () => cpuOf([searching.process.pid!]) / 1e6;
    const cursor = async (): Promise<number | null> =>
      (await platform.query('select position::int from chain_cursor'))[0]?.position ?? null;
    /** A job that never ends keeps others away meanwhile. */
    const hold = () =>
      eventually(
        () =>
          platform.query(
            `update chain_cursor set busy_until = now() + interval '1 hour'
            where busy_until is null returning network`,
          ),
        ([held]) => held.length > 0,
      );
    const searchFrom = async (position: number) => {
      await platform.query('update chain_cursor set busy_until = null, position = $1', [position]);
      await startTimer(platform, 'watch_chains');
    };
    const finalBlock = async (): Promise<number> => {
      const block = await base.evm.send('eth_getBlockByNumber', ['finalized', false]);
      return Number((block as { number: string }).number);
    };
    async function expectEachOnce(): Promise<void> {
      const found: { usd: string; status: string }[] = await platform.query(
        'select usd::text, status from deposit where agent_id = $1',
        [agent.id],
      );
      expect(found).to.have.lengthOf(PAYMENTS);
      expect(new Set(found.map(({ usd, status }) => `${usd} ${status}`)).size).to.equal(1);
      const { body } = await platform.request('GET /api/v1/wallet', { key: agent.key });
      expect(body.cash).to.equal(3 * PAYMENTS);
      expect(await audit(platform.context.database)).to.deep.equal([]);
    }

    it('is caught up with, and nothing is missed or doubled', async () => {
      const end = await finalBlock();
      expect(end - begun).to.be.greaterThan(BLOCKS);
      const [from, before] = [performance.now(), searcher()];
      await searchFrom(begun);
      await eventually(cursor, (position) => position === end);
      const seconds = (performance.now() - from) / 1_000;
      const cores = (searcher() - before) / seconds;
      if (goals.areMeasured)
        say(
          `${end - begun} blocks caught up`,
          `${seconds.toFixed(1)} s, ${cores.toFixed(2)} cores`,
        );
      await hold();
      await expectEachOnce();
      if (goals.areMeasured) expect(cores).to.be.below(CORES);
    });

    goals.it('stops no purchase that comes meanwhile', async () => {
      const load = openLoadGenerator(api, () =>
        httpRequest('POST /api/v1/orders?wait=25', {
          key: market.buyer.key,
          body: `{"product_id":${market.product.id}}`,
          headers: { 'idempotency-key': randomUUID() },
        }),
      );
      await load.open(CONNECTIONS);
      const end = await finalBlock();
      const purchases = async (isOver: () => boolean): Promise<number[]> => {
        const replies: (TimedReply | undefined)[] = [];
        do replies.push(...(await load.openLoop(PER_SECOND, SLICE_MS)));
        while (!isOver());
        expect(new Set(replies.map((reply) => reply?.status))).to.deep.equal(new Set([200]));
        return replies.map((reply) => reply!.ms);
      };
      const quiet = async () => {
        const until = performance.now() + QUIET_MS;
        return purchases(() => performance.now() > until);
      };
      const seconds: number[] = [];
      const beside = async () => {
        let isOver = false;
        const from = performance.now();
        await searchFrom(end - AGAIN);
        const caughtUp = eventually(cursor, (position) => position === end).finally(() => {
          isOver = true;
          seconds.push((performance.now() - from) / 1_000);
        });
        const found = await purchases(() => isOver);
        await caughtUp;
        await hold();
        return found;
      };

      const rounds = goals.areMeasured ? ROUNDS : 1;
      await quiet(); // The first ones take longer.
      // In turn, so that whatever else the machine does is beside both. All calls of all rounds are
      // looked at together: of those of one round p99 is the second slowest, and mere chance.
      const all = { quiet: [] as number[], beside: [] as number[] };
      const runs = { quiet, beside };
      for (let round = 0; round < rounds; round += 1) {
        const turns = ['quiet', 'beside'] as const;
        for (const turn of round % 2 === 0 ? turns : turns.toReversed()) {
          all[turn].push(...(await runs[turn]()));
        }
      }
      load.close();
      await expectEachOnce();
      if (!goals.areMeasured) return;
      for (const percent of [50, 95]) {
        const [one, other] = [percentile(all.quiet, percent), percentile(all.beside, percent)];
        say(
          `p${percent} of purchases`,
          `${one.toFixed(1)} ms, beside a search ${other.toFixed(1)}`,
        );
      }
      const [normal, found] = [percentile(all.quiet, 99), percentile(all.beside, 99)];
      say('blocks searched each time in', seconds.map((took) => took.toFixed(1)).join(' ') + ' s');
      say(`p99 of ${all.quiet.length} purchases, nothing searched`, `${normal.toFixed(1)} ms`);
      const ratio = (found / normal).toFixed(2);
      say(`p99 of ${all.beside.length} beside a search, of that`, `${ratio}; the goal is ${GOAL}`);
      goals.expectGoal('p99 beside a search', found, LIMIT * normal + JITTER_MS);
    });
  });

const say = (what: string, found: string) =>
  console.log(`      ${what}: ${found}; load ${loadavg()[0]!.toFixed(1)}`);

/** A real one is on another machine, where it takes no time from us. */
function yieldToUs(pid: number): void {
  for (const thread of readdirSync(`/proc/${pid}/task`)) setPriority(Number(thread), LOWEST);
}
