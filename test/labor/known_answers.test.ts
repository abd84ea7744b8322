import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';
import { expectRefusal } from '../orders/deal.ts';
import { runTimer } from '../orders/trade.ts';
import { done } from '../tasks/board.ts';
import { claimsAs, claimsFallDue, deliver, judge, knownTo, labor, laborAs } from './pool.ts';
import { openPool } from './pool.ts';
import { take, unitsOf, verdictsOf, walletOf, work, workThrough } from './pool.ts';

const GOLD = [1, 2, 3].map((n) => ({ payload: `gold ${n}`, expected: 'Cat' }));
const isGold = (payload: string) => payload.startsWith('gold');

describe('labor that is judged by known answers', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  it('hears the verdicts on all deliveries at once, in the same words', async () => {
    const units = [...unitsOf('a', 'b', 'c'), ...GOLD];
    const pool = await openPool(platform, { units, verification: 'gold', overlap: 2 });
    const { taskId, poster } = pool;
    const [good, bad] = [await platform.agent(), await platform.agent()];
    const delivered = await workThrough(platform, taskId, good, () => ' cAT');
    expect(delivered).to.have.length(6);
    for (const { status, paid } of delivered) {
      expect([status, paid]).to.deep.equal(['verifying', 0]);
    }
    const before = await claimsAs(platform, good, taskId);
    expect(new Set(before.map(waitOf)).size, 'each waits as long').to.equal(1);
    const early = await judge(platform, pool, before[0]!.claim_id as number, 'accept');
    expectRefusal(early, 409, 'invalid_transition');
    expect(early.body.message).to.include('by the rule of its task');
    await verdictsOf(platform, taskId);
    expect(await walletOf(platform, good)).to.deep.equal([0, 0.56, 0]);
    await workThrough(platform, taskId, bad, (payload) => (isGold(payload) ? 'dog' : 'cat'));
    await verdictsOf(platform, taskId);
    expect(await walletOf(platform, bad)).to.deep.equal([0, 0.5, 0]);
    const rejected = await claimsAs(platform, bad, taskId);
    expect(rejected).to.have.length(6);
    expect(new Set(rejected.map(sayingOf)).size, 'one reason and judge for all').to.equal(1);
    const numbers = [...before, ...rejected].map(({ unit_id: id }) => id);
    expect(new Set(numbers).size, 'each has its own numbers').to.equal(12);
    expect(JSON.stringify([before, rejected])).not.to.contain('expected');
    expect((await laborAs(platform, poster, taskId)).accepted).to.equal(6);
  });

  it('shows by no number, order or moment which answers are known', async () => {
    const payloads = Array.from({ length: 40 }, (_, n) => `unit ${String(n).padStart(2, '0')}`);
    const known = payloads.map((payload, n) => (n % 4 === 0 ? `gold ${payload}` : payload));
    const units = known.map((payload) => ({
      payload,
      ...(isGold(payload) && { expected: 'cat' }),
    }));
    const pool = await openPool(platform, { units, verification: 'gold' });
    const { taskId, poster } = pool;
    const worker = await platform.agent();
    await knownTo(platform, pool, worker);
    const open = [(await laborAs(platform, worker, taskId)).units_open];
    const claims: { claim_id: number; payload: { content: string } }[] = [];
    for (let unit = 0; unit < 12; unit++) {
      claims.push(await take(platform, taskId, worker));
      open.push((await laborAs(platform, worker, taskId)).units_open);
    }
    expect(open, 'each unit is one fewer').to.deep.equal(open.map((_, n) => 40 - n));
    const taken = claims.map(({ payload }) => payload.content);
    const others = taken.filter((payload) => !isGold(payload));
    expect(others, 'not in the order of the units').not.to.deep.equal(others.toSorted());
    for (const { claim_id } of claims) {
      done(await deliver(platform, { taskId, ...worker }, claim_id));
    }
    // One after the other falls due: what is told is of all that are.
    const due = async (ids: number[]) => {
      await claimsFallDue(platform, ...ids);
      await runTimer(platform, 'settle_due_labor');
      const found = await claimsAs(platform, worker, taskId);
      return found
        .filter(({ status }) => status !== 'verifying')
        .map(({ claim_id: id }) => id as number)
        .toSorted((a, b) => a - b);
    };
    const other = claims.findLast(({ payload }) => !isGold(payload.content))!.claim_id;
    const gold = claims.filter(({ payload }) => isGold(payload.content));
    const two = gold.slice(0, 2).map(({ claim_id: id }) => id);
    expect(await due([...two, other]), 'too few are known').to.deep.equal([]);
    const third = gold.length > 2 ? gold[2]!.claim_id : 0;
    const now = await due(third ? [third] : []);
    const waited = third ? [...two, third, other] : [];
    expect(now).to.deep.equal(waited.toSorted((a, b) => a - b));
    const told: { object_id: number }[] = await platform.query(
      `select object_id::int from event where agent_id = $1 and type = 'labor.accepted'
        order by id`,
      [worker.id],
    );
    const order = told.map(({ object_id: id }) => id);
    expect(order).to.deep.equal(order.toSorted((a, b) => a - b));
    const lines = await platform.request(`GET /api/v1/labor/${taskId}/results`, poster);
    const sent: string[] = lines.body.jsonl.content
      .trim()
      .split('\n')
      .map((line: string) => JSON.parse(line).payload);
    expect(sent, 'its poster reads them as it sent them').to.deep.equal(known);
  });

  it('is rejected where fewer than seven of ten known answers are right', async () => {
    const { taskId, poster } = await openPool(platform, {
      units: [...GOLD, ...unitsOf('other')],
      verification: 'gold',
    });
    const worker = await platform.agent();
    await workThrough(platform, taskId, worker, (payload) =>
      payload === 'gold 1' ? 'dog' : 'cat',
    );
    await verdictsOf(platform, taskId);
    const found = await claimsAs(platform, worker, taskId);
    const [other] = found.filter(({ payload }) => contentOf(payload) === 'other');
    expect(other).to.include({ status: 'rejected' });
    expect((await laborAs(platform, poster, taskId)).accepted).to.equal(2);
  });

  it('is not finished by wrong answers: they use no known answer up', async () => {
    const { taskId, poster } = await openPool(platform, {
      units: [...unitsOf('a', 'b'), ...GOLD, ...GOLD],
      verification: 'gold',
    });
    for (let puppet = 0; puppet < 3; puppet++) {
      const worker = await platform.agent();
      await workThrough(platform, taskId, worker, () => 'nonsense');
      await verdictsOf(platform, taskId);
      await platform.query(
        `update labor_claim set due_at = now() where task_id = $1 and status = 'rejected'`,
        [taskId],
      );
      await runTimer(platform, 'settle_due_labor');
    }
    expect((await laborAs(platform, poster, taskId)).accepted).to.equal(0);
    const honest = await platform.agent();
    await workThrough(platform, taskId, honest, () => 'cat');
    await verdictsOf(platform, taskId);
    const { status, accepted } = await laborAs(platform, poster, taskId);
    expect(status, 'whatever is left of the known answers').to.equal('completed');
    expect(accepted).to.be.within(2 + 3, 2 + 6);
    expect(await walletOf(platform, honest)).to.deep.equal([0, (50 + accepted) / 100, 0]);
  });

  it('of another task judges nothing: its poster is asked, and then time accepts', async () => {
    const known = { payload: 'gold', expected: 'cat' };
    const fields = { verification: 'gold', auto_accept_hours: 1 };
    const first = await openPool(platform, { ...fields, units: [{ payload: 'open' }, known] });
    const second = await openPool(platform, { ...fields, units: [known] });
    const worker = await platform.agent();
    let held = await take(platform, first.taskId, worker);
    if (held.payload.content === 'gold') {
      const open = await take(platform, first.taskId, worker);
      const { claim_id } = held;
      done(await labor(platform, 'release', { taskId: first.taskId, ...worker }, { claim_id }));
      held = open;
    }
    done(await deliver(platform, { taskId: first.taskId, ...worker }, held.claim_id));
    await verdictsOf(platform, first.taskId);
    await work(platform, second.taskId, worker);
    await verdictsOf(platform, second.taskId);
    expect(await walletOf(platform, worker)).to.deep.equal([0, 0.51, 0]);
    await verdictsOf(platform, first.taskId);
    const claim = async () => (await claimsAs(platform, first.poster, first.taskId))[0]!;
    expect(await claim()).to.include({ status: 'verifying', submission: null });
    expect(await askedOf(first), 'no one has been asked').to.equal(0);
    await platform.query(
      `update labor_claim set delivered_at = now() - interval '1 h' where id = $1`,
      [held.claim_id],
    );
    await verdictsOf(platform, first.taskId);
    expect(await askedOf(first)).to.equal(1);
    const asked = await claim();
    expect(contentOf(asked.submission)).to.equal('cat');
    expect(Date.parse(asked.accepted_at as string) - Date.now()).to.be.above(3_500_000);
    expect(await walletOf(platform, worker)).to.deep.equal([0, 0.51, 0]);
    await verdictsOf(platform, first.taskId);
    expect(await claim()).to.include({ status: 'accepted', judged_by: 'timeout' });
  });

  it('asks for accuracy from five on: who is new gets these alone, who was wrong nothing', async () => {
    const gold = Array.from({ length: 5 }, (_, n) => ({ payload: `gold ${n}`, expected: 'cat' }));
    const { taskId, poster } = await openPool(platform, {
      units: [...unitsOf('work'), ...gold],
      overlap: 2,
      min_accuracy: 0.8,
    });
    const [right, wrong] = [await platform.agent(), await platform.agent()];
    for (const [worker, errors] of [
      [right, 1],
      [wrong, 2],
    ] as const) {
      const answerTo = (payload: string) => (payload < `gold ${errors}` ? 'dog' : 'cat');
      const delivered = await workThrough(platform, taskId, worker, answerTo);
      expect(delivered, 'five known answers').to.have.length(5);
      await verdictsOf(platform, taskId);
    }
    const taken = await take(platform, taskId, right);
    expect(taken.payload.content).to.equal('work');
    const { key } = wrong;
    const refused = await labor(platform, 'take', { taskId, key });
    expectRefusal(refused, 403, 'forbidden');
    expect(refused.body.details).to.include({ gold_seen: 5, gold_right: 3, min_accuracy: 0.8 });
    // Without known answers of its own the task takes nobody that is new.
    const fields = { units: unitsOf('work'), min_accuracy: 0.8 };
    const other = await openPool(platform, fields);
    const unknown = await labor(platform, 'take', { taskId: other.taskId, key: right.key });
    expectRefusal(unknown, 403, 'forbidden');
    expect(unknown.body.details, 'of another poster two count').to.include({ gold_seen: 2 });
    const { task_id: again } = done(
      await platform.request('POST /api/v1/labor?wait=20', {
        key: poster.key,
        body: {
          kind: 'labeling',
          title: 'Again',
          instructions: 'Cat or dog.',
          reward: 0.01,
          ...fields,
        },
      }),
    );
    expect(await take(platform, again, right)).to.include({ status: 'claimed' });
  });

  const askedOf = async ({ poster }: { poster: { id: number } }): Promise<number> => {
    const found = await platform.query(
      `select id from event where agent_id = $1 and type = 'labor.delivered'`,
      [poster.id],
    );
    return found.length;
  };
});

type Claim = Record<string, unknown>;
const contentOf = (text: unknown) => (text as { content: string } | null)?.content;
const waitOf = ({ accepted_at: at, delivered_at: from }: Claim) =>
  Math.round((Date.parse(at as string) - Date.parse(from as string)) / 1_000);
const sayingOf = ({ judged_by: by, reason, status }: Claim) => JSON.stringify([by, reason, status]);
