import { expect } from 'chai';

import type { Reply, TestPlatform } from '../harness.ts';
import { claimsFallDue, judge, labor, postLabor } from '../labor/pool.ts';
import { OPERATOR_TOKEN } from '../orders/deal.ts';
import { runTimer } from '../orders/trade.ts';
import { expectAnswer, pick } from './command.ts';
import { refusals } from './labor_refusals.ts';
import * as model from './pools.ts';
import { RIGHT, goesOn, hasWork, offeredTo, type Claim, type Pool } from './labor_units.ts';
import { take as pay, type Member } from './work.ts';

const VERIFICATIONS = ['consensus', 'manual', 'gold', 'consensus', 'schema'] as const;
const ANSWERS = [RIGHT, RIGHT, '"dog"', '"cow"'] as const;

/** Possible actions on a claim. */
export const CLAIM_ACTIONS = [
  'deliver',
  'heartbeat',
  'release',
  'judge',
  'appeal',
  'decide',
  'lapse',
  'wait',
] as const;
export type ClaimAction = (typeof CLAIM_ACTIONS)[number];

/** The drawn parameters of a call. */
interface Draw {
  readonly by: number;
  readonly other: number;
  readonly flag: boolean;
  readonly verdict: 'accept' | 'reject';
}
interface On {
  readonly pool: Pool;
  readonly claim: Claim;
  readonly by: Member;
  readonly step: Draw;
}

/** Makes calls, and expects what the model says. */
export interface LaborCalls {
  post(draw: Draw, members: readonly Member[]): Promise<void>;
  takeUnit(pool: Pool, by: Member): Promise<void>;
  stop(pool: Pool, by: Member, draw: Draw): Promise<void>;
  readonly onClaim: Record<ClaimAction, (on: On) => Promise<void>>;
}

/** The calls of one run, which adds to `pools`. */
export function laborCalls(platform: TestPlatform, pools: Pool[]): LaborCalls {
  async function post({ by, other, flag }: Draw, members: readonly Member[]) {
    const poster = members[by]!;
    const verification = pick(VERIFICATIONS, other);
    const isConsensus = verification === 'consensus';
    const overlap = isConsensus ? 2 : 1 + (other % 2);
    const maxOverlap = isConsensus ? 3 : overlap;
    const units = Array.from({ length: 1 + (other % 3) }, (_, n) => ({
      payload: `unit ${n}`,
      ...((n === 0 ? verification === 'gold' : flag && n === 1) && { expected: RIGHT }),
    }));
    const reward = 1 + (other % 9);
    const reply = await postLabor(platform, poster, {
      reward: reward / 100,
      units,
      overlap,
      verification,
      ...(isConsensus && { max_overlap: maxOverlap }),
      ...(verification === 'schema' && { json_schema: { pattern: '^(a*)*cat$' } }),
    });
    const budget = units.length * maxOverlap * reward;
    const isPoor = poster.credit + poster.cash < budget;
    expectAnswer(reply, isPoor ? 'insufficient_balance' : undefined);
    if (isPoor) return;
    pools.push({
      id: reply.body.task_id,
      poster,
      verification,
      maxOverlap,
      reward,
      held: pay(poster, budget),
      units: units.map(({ expected }) => {
        const wanted = expected === undefined ? overlap : maxOverlap;
        return { expected, claims: [], wanted, free: wanted };
      }),
      status: 'open',
      isClosed: false,
    });
  }

  async function takeUnit(pool: Pool, by: Member): Promise<void> {
    const offered = offeredTo(pool, by);
    const reply = await labor(platform, 'take', { taskId: pool.id, key: by.key });
    // Units with known answers are given out by chance, or to be judged by.
    const isChance = by !== pool.poster && offered.length > 0 && !hasWork(pool, offered);
    if (!isChance || reply.status === 429) expectAnswer(reply, refusals.take(pool, by));
    if (reply.status !== 200) return;
    model.endLeases(pool);
    const unit = pool.units[Number(reply.body.payload.content.slice('unit '.length))]!;
    expect(offered).to.include(unit);
    model.begin(unit, by, reply.body.claim_id);
  }

  async function stop(pool: Pool, by: Member, { flag, other }: Draw): Promise<void> {
    if (other % 3 > 0) {
      const isPaused = pool.status !== 'paused';
      const body = { paused: isPaused };
      const reply = await labor(platform, 'pause', { taskId: pool.id, key: by.key }, body);
      const refusal = refusals.cancel(pool, by);
      expectAnswer(reply, refusal);
      if (!refusal) pool.status = isPaused ? 'paused' : 'open';
      return;
    }
    if (flag) {
      const reply = await labor(platform, 'cancel', { taskId: pool.id, key: by.key });
      const refusal = refusals.cancel(pool, by);
      expectAnswer(reply, refusal);
      if (!refusal) pool.status = 'cancelled';
      return;
    }
    await platform.query(`update labor_task set due_at = now() - interval '1 s' where id = $1`, [
      pool.id,
    ]);
    await runTimer(platform, 'expire_labor_tasks');
    if (goesOn(pool)) pool.status = 'expired';
  }

  const call = (action: string, { pool, claim, by }: On, body: object = {}): Promise<Reply> =>
    labor(platform, action, { taskId: pool.id, key: by.key }, { claim_id: claim.id, ...body });

  const onClaim: LaborCalls['onClaim'] = {
    async deliver(on) {
      const { pool, claim, by, step } = on;
      const answer = pick(ANSWERS, step.other);
      const refusal = refusals.deliver(pool, claim, { by, answer });
      expectAnswer(await call('deliver', on, { submission: answer }), refusal);
      if (!refusal) model.deliver(pool, claim, answer);
    },
    async heartbeat(on) {
      expectAnswer(await call('heartbeat', on), refusals.heartbeat(on.claim, on.by));
    },
    async release(on) {
      const refusal = refusals.release(on.claim, on.by);
      expectAnswer(await call('release', on), refusal);
      if (!refusal) model.giveUp(on.claim, 'released');
    },
    async judge({ pool, claim, by, step }) {
      const { verdict } = step;
      const isRight = verdict === 'accept';
      const refusal = refusals.judge(pool, claim, { by, isRight });
      const party = { poster: by, taskId: pool.id };
      expectAnswer(await judge(platform, party, claim.id, verdict), refusal);
      if (!refusal) model.judgeByPoster(pool, claim, isRight);
    },
    async appeal(on) {
      const refusal = refusals.appeal(on.claim, on.by, pools);
      expectAnswer(await call('appeal', on, { reason: 'It is one.' }), refusal);
      if (!refusal) Object.assign(on.claim, { status: 'appealed', isAppealed: true });
    },
    async decide({ pool, claim, step }) {
      const refusal = refusals.decide(claim);
      const { verdict } = step;
      const reply = await platform.request(
        `POST /api/v1/admin/disputes/labor/${claim.id}/verdict`,
        {
          key: OPERATOR_TOKEN,
          body: { verdict, note: 'So.' },
        },
      );
      expectAnswer(reply, refusal);
      if (!refusal) model.decide(pool, claim, verdict === 'accept');
    },
    /** Its time has come, and no timer has seen that. */
    async lapse({ claim }) {
      await claimsFallDue(platform, claim.id);
      // An operator has no time limit.
      if (!claim.isClosed && claim.status !== 'appealed') claim.isDue = true;
    },
    async wait(on) {
      await onClaim.lapse(on);
      await runTimer(platform, 'settle_due_labor');
      for (const pool of pools) model.settle(pool);
    },
  };

  return { post, takeUnit, stop, onClaim };
}
