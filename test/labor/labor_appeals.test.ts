import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { OPERATOR_TOKEN } from '../access/scene.ts';
import { TestPlatform } from '../harness.ts';
import { expectRefusal } from '../orders/deal.ts';
import { runTimer } from '../orders/trade.ts';
import { done, type Agent } from '../tasks/board.ts';
import { claimsAs, claimsFallDue, deliver, expectStatus, judge, labor, laborAs } from './pool.ts';
import {
  openPool,
  take,
  unitsOf,
  verdictsOf,
  walletOf,
  work,
  workThrough,
  type Pool,
} from './pool.ts';

const WRONG = [1, 2, 3].map((n) => ({ payload: `gold ${n}`, expected: 'Cat' }));

describe('appeals of labor', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const appeal = ({ taskId }: Pool, { key }: Agent, claim_id: number) =>
    labor(platform, 'appeal', { taskId, key }, { claim_id, reason: 'It is young.' });
  const decide = (claimId: number, verdict: 'accept' | 'reject') =>
    platform.request(`POST /api/v1/admin/disputes/labor/${claimId}/verdict`, {
      key: OPERATOR_TOKEN,
      body: { verdict, note: 'I looked at it.' },
    });
  const statusesOf = async (worker: Agent, { taskId }: Pool) =>
    (await claimsAs(platform, worker, taskId)).map(({ status }) => status).toReversed();

  /** Deliveries of workers to all units of a task that known answers reject. */
  async function rejected(pool: Pool, workers: Agent[], answer = 'kitten'): Promise<number[][]> {
    for (const worker of workers) {
      await workThrough(platform, pool.taskId, worker, () => answer);
    }
    await verdictsOf(platform, pool.taskId);
    return Promise.all(
      workers.map(async (worker) =>
        (await claimsAs(platform, worker, pool.taskId))
          .map(({ claim_id: id }) => id as number)
          .toReversed(),
      ),
    );
  }

  /** A worker that holds the unit with the known answer. */
  async function holderOfKnown({ taskId }: Pool): Promise<{ agent: Agent; claimId: number }> {
    const agent = await platform.agent();
    for (;;) {
      const { claim_id: claimId, payload } = await take(platform, taskId, agent);
      if (payload.content.startsWith('gold')) return { agent, claimId };
      done(await deliver(platform, { taskId, ...agent }, claimId));
    }
  }

  it('are decided by operators, who see the known answer and what others said', async () => {
    const pool = await openPool(platform, { units: WRONG.slice(0, 1), overlap: 2, reward: 0.1 });
    const [worker, other] = [await platform.agent(), await platform.agent()];
    const [[claimId]] = (await rejected(pool, [worker, other])) as [[number], [number]];
    expectStatus(await appeal(pool, worker, claimId), 'appealed');
    await claimsFallDue(platform, claimId);
    await runTimer(platform, 'settle_due_labor');
    expect(await statusesOf(worker, pool), 'no time decides it').to.deep.equal(['appealed']);
    expectRefusal(await judge(platform, pool, claimId, 'reject'), 409, 'invalid_transition');
    const listed = await platform.request('GET /api/v1/admin/disputes/labor', {
      key: OPERATOR_TOKEN,
    });
    const { expected, others, judged_by } = listed.body.appeals[0];
    expect(judged_by).to.equal('gold');
    expect(expected).to.deep.equal({ untrusted: true, content: 'Cat' });
    expect(JSON.parse(others.content)).to.deep.equal({ status: 'rejected', submission: 'kitten' });
    expect(done(await decide(claimId, 'reject'))).to.include({
      status: 'rejected',
      is_final: true,
    });
    expect(await walletOf(platform, worker)).to.deep.equal([0, 0.5, 0]);
  });

  it('that are right withdraw the known answer, for all whom it has rejected', async () => {
    const units = [...WRONG.slice(0, 1), ...unitsOf('work')];
    const pool = await openPool(platform, {
      units,
      verification: 'gold',
      overlap: 3,
      reward: 0.1,
    });
    const workers = [await platform.agent(), await platform.agent()];
    const claims = await rejected(pool, workers);
    const worker = workers[0]!;
    const found = await claimsAs(platform, worker, pool.taskId);
    const known = found.find(({ payload }) => JSON.stringify(payload).includes('gold'))!;
    expectStatus(await appeal(pool, worker, known.claim_id as number), 'appealed');
    // The others may rest on the same mistake, so they wait for the operators.
    await claimsFallDue(platform, ...claims.flat());
    await runTimer(platform, 'settle_due_labor');
    for (const { is_final: isFinal } of await claimsAs(platform, workers[1]!, pool.taskId)) {
      expect(isFinal).to.equal(false);
    }
    const holder = await holderOfKnown(pool);
    done(await decide(known.claim_id as number, 'accept'));
    const judgedByIt = await platform.query(
      `select distinct status, judged_by from labor_claim c join labor_unit u on u.id = c.unit_id
        where c.task_id = $1 and c.id <> $2 and u.expected is not null`,
      [pool.taskId, holder.claimId],
    );
    expect(judgedByIt).to.deep.equal([{ status: 'accepted', judged_by: 'operator' }]);
    const lines = await platform.request(`GET /api/v1/labor/${pool.taskId}/results`, pool.poster);
    expect(lines.body.jsonl.content, 'it is exported no more').not.to.contain('expected');
    for (const one of workers) expect((await walletOf(platform, one))[1]).to.be.at.least(0.6);
    done(await deliver(platform, { taskId: pool.taskId, ...holder.agent }, holder.claimId));
    await verdictsOf(platform, pool.taskId);
    const last = (await claimsAs(platform, holder.agent, pool.taskId))[0];
    expect(last, 'nobody knows what is right now').to.include({ status: 'verifying' });
    const later = await platform.agent();
    await workThrough(platform, pool.taskId, later, () => 'kitten');
    const its = await claimsAs(platform, later, pool.taskId);
    expect(JSON.stringify(its), 'a withdrawn answer judges nobody').not.to.contain('gold');
  });

  it('may be accepted by the poster before, and are paid once', async () => {
    const pool = await openPool(platform, { units: WRONG.slice(0, 1), reward: 0.1 });
    const worker = await platform.agent();
    const [[claimId]] = (await rejected(pool, [worker])) as [[number]];
    expectStatus(await appeal(pool, worker, claimId), 'appealed');
    const [given, decided] = await Promise.all([
      judge(platform, pool, claimId, 'accept'),
      decide(claimId, 'accept'),
    ]);
    const statuses = [given.status, decided.status].toSorted((a, b) => a - b);
    expect(statuses).to.deep.equal([200, 409]);
    expect(await walletOf(platform, worker)).to.deep.equal([0, 0.6, 0]);
    expect((await laborAs(platform, pool.poster, pool.taskId)).status).to.equal('completed');
  });

  it('come too late when their time has ended, and never pay twice', async () => {
    const pool = await openPool(platform, { units: WRONG.slice(0, 1), reward: 0.1 });
    const worker = await platform.agent();
    const [[claimId]] = (await rejected(pool, [worker], 'dog')) as [[number]];
    await claimsFallDue(platform, claimId);
    const [late] = await Promise.all([
      appeal(pool, worker, claimId),
      runTimer(platform, 'settle_due_labor'),
    ]);
    expectRefusal(late, 409, 'invalid_transition');
    expect(await walletOf(platform, worker)).to.deep.equal([0, 0.5, 0]);
    // Known answers are no work: the budget comes back once the poster stops the task.
    done(await labor(platform, 'cancel', { taskId: pool.taskId, key: pool.poster.key }));
    expect(await walletOf(platform, pool.poster)).to.deep.equal([5, 0.5, 0]);
  });

  it('are five at a time, and none for a while for who mostly loses them', async () => {
    const pool = await openPool(platform, { units: unitsOf('a', 'b', 'c', 'd', 'e', 'f') });
    const worker = await platform.agent();
    const claims: number[] = [];
    for (let unit = 0; unit < 6; unit++) {
      const { claim_id } = await work(platform, pool.taskId, worker, `answer ${unit}`);
      done(await judge(platform, pool, claim_id, 'reject'));
      claims.push(claim_id);
    }
    const [sixth, ...five] = claims.toReversed();
    for (const claimId of five) expectStatus(await appeal(pool, worker, claimId), 'appealed');
    const many = await appeal(pool, worker, sixth!);
    expectRefusal(many, 409, 'invalid_transition');
    const limit = { limited_by: 'appeals_open', limit: 5, used: 5, resets_at: null };
    expect(many.body.details).to.deep.equal(limit);
    const [won, ...lost] = five;
    done(await decide(won!, 'accept'));
    for (const claimId of lost.slice(0, 3)) done(await decide(claimId, 'reject'));
    const refused = await appeal(pool, worker, sixth!);
    expectRefusal(refused, 429, 'rate_limited');
    expect(refused.body.details).to.include({ limited_by: 'appeals_lost', limit: 3, used: 3 });
    expect((await laborAs(platform, worker, pool.taskId)).poster_record).to.deep.equal({
      judged: 6,
      accepted: 1,
      unjudged: 0,
      given_up: 0,
      appeals_won: 1,
      appeals_lost: 3,
    });
  });
});
