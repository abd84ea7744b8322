// test:all: long random histories of a rule that the tests of its domain decide.
import { expect } from 'chai';
import fc from 'fast-check';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';
import { laborAs } from '../labor/pool.ts';
import { walletsOf } from '../orders/deal.ts';
import { pick } from './command.ts';
import { CLAIM_ACTIONS, laborCalls, type ClaimAction, type LaborCalls } from './labor_calls.ts';
import * as model from './pools.ts';
import { claimsOf, type Pool } from './labor_units.ts';
import { drawUntilAllHappened, ROUNDS_MAX } from './rounds.ts';
import type { Member } from './work.ts';

/** `MODEL_RUNS=100 npm test -- test/model/labor.test.ts` makes more runs. */
const RUNS = Number(process.env.MODEL_RUNS ?? 8);
const STEPS = 65;
const MEMBERS = 4;
/** Tasks that are worked on at the same time. */
const OPEN_MAX = 2;

/** Likely actions on a claim in each status: most steps do one of these. */
const LIKELY: Readonly<Record<string, readonly ClaimAction[]>> = {
  claimed: ['deliver', 'deliver', 'deliver', 'deliver', 'heartbeat', 'release', 'lapse'],
  verifying: ['judge', 'judge', 'judge', 'wait'],
  rejected: ['appeal', 'appeal', 'appeal', 'lapse', 'wait'],
  appealed: ['judge', 'decide', 'wait'],
};

const STAGES = ['appealed', 'rejected', 'verifying', 'claimed'];

const mostly = fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, fc.constant(false));
const takes = ['take', 'take', 'take', 'claim', 'claim', 'claim', 'claim'] as const;
const Step = fc.record({
  kind: fc.constantFrom('post', ...takes, ...takes, 'stop'),
  action: fc.option(fc.constantFrom(...CLAIM_ACTIONS), { freq: 4 }),
  pool: fc.nat(1000),
  claim: fc.nat(1000),
  by: fc.nat(MEMBERS - 1),
  /** The call is made by whoever may make it. */
  isRightful: mostly,
  /** About something of which not all is over. */
  isLive: mostly,
  other: fc.nat(1000),
  flag: fc.boolean(),
  verdict: fc.constantFrom('accept', 'reject', 'reject'),
});
type Step = typeof Step extends fc.Arbitrary<infer T> ? T : never;

describe('labor', () => {
  let platform: TestPlatform;
  const seen = new Set<string>();
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(() => platform.close());

  it('does what the model says, whatever sequence of calls its parties make', async function () {
    this.timeout(ROUNDS_MAX * RUNS * 30_000);
    const Steps = fc.array(Step, { minLength: STEPS, maxLength: STEPS });
    const property = fc.asyncProperty(Steps, run);
    await drawUntilAllHappened(
      () => (seen.size > 9 ? [] : [`more ends of tasks and claims than ${[...seen].join()}`]),
      () => fc.assert(property, { numRuns: RUNS, endOnFailure: true }),
    );
  });

  async function run(steps: readonly Step[]): Promise<void> {
    const agents = Array.from({ length: MEMBERS }, () => platform.agent({ usd: 1 }));
    const funds = { credit: 50, cash: 100 };
    const members = (await Promise.all(agents)).map(({ id, key }) => ({ id, key, ...funds }));
    const pools: Pool[] = [];
    const calls = laborCalls(platform, pools);
    for (const step of steps) {
      await take(calls, step, { members, pools });
      for (const pool of pools) model.closeIfDone(pool);
    }
    for (const pool of pools) await compare(pool);
    const wallets = await walletsOf(platform, ...members);
    expect(wallets.map(({ cash, credit }) => [cash, credit])).to.deep.equal(
      members.map(({ cash, credit }) => [cash / 100, credit / 100]),
    );
    const held = pools.map((pool) => (pool.isClosed ? 0 : pool.held.credit + pool.held.cash));
    const had = members.map(({ credit, cash }) => credit + cash);
    const sum = [...held, ...had].reduce((total, cents) => total + cents);
    expect(sum, 'all money').to.equal(150 * MEMBERS);
    expect(await audit(platform.context.database)).to.deep.equal([]);
  }

  async function compare(pool: Pool): Promise<void> {
    const { status, closed_at } = await laborAs(platform, pool.poster, pool.id);
    expect([status, closed_at !== null]).to.deep.equal([pool.status, pool.isClosed]);
    seen.add(status);
    const { key } = pool.poster;
    const route = `GET /api/v1/labor/${pool.id}/claims?limit=100`;
    const found: FoundClaim[] = (await platform.request(route, { key })).body.claims;
    const known = claimsOf(pool);
    for (const { status: is, judgedBy } of known) seen.add(judgedBy ? `${is} by ${judgedBy}` : is);
    const byId = (a: { id: unknown }, b: { id: unknown }) => Number(a.id) - Number(b.id);
    expect(
      found
        .map(({ claim_id: id, status: is, judged_by, is_final }) => ({
          id,
          is,
          judged_by,
          is_final,
        }))
        .toSorted(byId),
    ).to.deep.equal(
      known
        .map((claim) => ({
          id: claim.id,
          is: claim.status,
          judged_by: claim.judgedBy ?? null,
          is_final: claim.isClosed,
        }))
        .toSorted(byId),
    );
  }

  async function take(calls: LaborCalls, step: Step, { members, pools }: Scene): Promise<void> {
    const { kind, action, by, isRightful, isLive } = step;
    const open = pools.filter(({ isClosed }) => !isClosed);
    if (open.length === 0 || (kind === 'post' && open.length < OPEN_MAX))
      return calls.post(step, members);
    const pool = pick(isLive ? open : pools, step.pool);
    const member = members[by]!;
    if (kind === 'take' || kind === 'post') {
      const other = members[(by + 1) % MEMBERS]!;
      return calls.takeUnit(pool, isRightful && member === pool.poster ? other : member);
    }
    if (kind === 'stop') return calls.stop(pool, isRightful ? pool.poster : member, step);
    const claims = claimsOf(pool);
    if (claims.length === 0) return;
    // Half of the steps go on with what is nearest to its end.
    const waiting = claims
      .filter(({ isClosed }) => !isClosed)
      .toSorted((one, other) => STAGES.indexOf(one.status) - STAGES.indexOf(other.status));
    const nearest = step.flag ? waiting.slice(0, 1) : waiting;
    const claim = pick(waiting.length > 0 && isLive ? nearest : claims, step.claim);
    if (!action && claim.status === 'verifying' && claim.unit.free > 0) {
      return calls.takeUnit(pool, member);
    }
    const chosen = action ?? pick(LIKELY[claim.status] ?? CLAIM_ACTIONS, step.claim);
    const party = chosen === 'judge' ? pool.poster : claim.worker;
    await calls.onClaim[chosen]({ pool, claim, by: isRightful ? party : member, step });
  }
});

interface Scene {
  readonly members: readonly Member[];
  readonly pools: readonly Pool[];
}

interface FoundClaim {
  readonly claim_id: number;
  readonly status: string;
  readonly judged_by: string | null;
  readonly is_final: boolean;
}
