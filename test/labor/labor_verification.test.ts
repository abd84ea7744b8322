import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';
import { expectRefusal } from '../orders/deal.ts';
import { runTimer } from '../orders/trade.ts';
import { done, type Agent } from '../tasks/board.ts';
import { endChecksSoon, ENDLESS } from '../verification/endless.ts';
import { claimsAs, claimsFallDue, deliver, judge, knownTo, labor, laborAs } from './pool.ts';
import { openPool, postLabor, take, unitsOf, walletOf, work } from './pool.ts';

/** A pattern that takes for ever where an engine backtracks. */
const CAT = {
  type: 'object',
  required: ['name'],
  properties: { legs: { const: 4 }, name: { type: 'string', pattern: '^(a+)+Felix$' } },
};
const FELIX = '{"name": "aaFelix", "legs": 4}';

describe('labor without its poster', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
    endChecksSoon(platform);
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const agents = (count: number): Promise<Agent[]> =>
    Promise.all(Array.from({ length: count }, () => platform.agent()));
  const statusesOf = async (agent: Agent, taskId: number) =>
    (await claimsAs(platform, agent, taskId)).map(({ status }) => status).toReversed();

  it('accepts by consensus what most workers of a unit say, and rejects what others say', async () => {
    const pool = await openPool(platform, {
      units: unitsOf('only'),
      verification: 'consensus',
      reward: 0.1,
    });
    const { taskId, poster } = pool;
    expect(await walletOf(platform, poster)).to.deep.equal([5, 0, 0.5]);
    const [one, two, three] = await agents(3);
    await knownTo(platform, pool, three!);
    expect(await work(platform, taskId, one!, ' CAT')).to.include({ status: 'verifying', paid: 0 });
    expect(await work(platform, taskId, two!, 'dog')).to.include({ status: 'verifying' });
    expect(await work(platform, taskId, three!, 'cat')).to.include({
      status: 'accepted',
      paid: 0.1,
    });
    expect(await statusesOf(poster, taskId)).to.deep.equal(['accepted', 'rejected', 'accepted']);
    expect(await walletOf(platform, one!)).to.deep.equal([0, 0.6, 0]);
    const [wrong] = await claimsAs(platform, two!, taskId);
    expect(wrong).to.include({ judged_by: 'consensus', is_final: false });
    expect((await laborAs(platform, poster, taskId)).status).to.equal('open');
    await claimsFallDue(platform, wrong!.claim_id as number);
    await runTimer(platform, 'settle_due_labor');
    expect((await laborAs(platform, poster, taskId)).status).to.equal('completed');
    expect(await walletOf(platform, poster)).to.deep.equal([5, 0.3, 0]);
  });

  it('asks one worker more when a consensus is a draw, and in the end the poster', async () => {
    const pool = await openPool(platform, {
      units: unitsOf('only'),
      verification: 'consensus',
      overlap: 2,
      max_overlap: 3,
    });
    const { poster, taskId } = pool;
    const workers = await agents(4);
    const [one, two, three, four] = workers;
    const first = await take(platform, taskId, one!);
    const second = await take(platform, taskId, two!);
    const early = await labor(platform, 'take', { taskId, key: three!.key });
    expectRefusal(early, 409, 'invalid_transition');
    done(await deliver(platform, { taskId, ...one! }, first.claim_id, 'cat'));
    done(await deliver(platform, { taskId, ...two! }, second.claim_id, 'dog'));
    expect(await work(platform, taskId, three!, 'cow')).to.include({ status: 'verifying' });
    const more = await labor(platform, 'take', { taskId, key: four!.key });
    expectRefusal(more, 409, 'invalid_transition');
    expect(await statusesOf(poster, taskId)).to.deep.equal(['verifying', 'verifying', 'verifying']);
    done(await judge(platform, pool, second.claim_id, 'accept'));
    done(await judge(platform, pool, first.claim_id, 'reject'));
    expect(await statusesOf(poster, taskId)).to.deep.equal(['rejected', 'accepted', 'verifying']);
  });

  it('asks the poster where a majority has no record: its workers may all be one', async () => {
    const pool = await openPool(platform, { units: unitsOf('only'), verification: 'consensus' });
    const { taskId, poster } = pool;
    const workers = await agents(3);
    const known = await platform.agent();
    await knownTo(platform, await openPool(platform), ...workers);
    for (const worker of workers) await work(platform, taskId, worker, 'nonsense');
    const claims = await claimsAs(platform, poster, taskId);
    const waiting = claims.map(({ status, submission }) => [status, submission]);
    const answer = { untrusted: true, content: 'nonsense' };
    expect(waiting).to.deep.equal(workers.map(() => ['verifying', answer]));
    expectRefusal(
      await labor(platform, 'take', { taskId, key: known.key }),
      409,
      'invalid_transition',
    );
    done(await judge(platform, pool, claims[0]!.claim_id as number, 'accept'));
    const judged = await statusesOf(poster, taskId);
    expect(judged, 'one answer is asked about once').to.deep.equal(workers.map(() => 'accepted'));
  });

  it('compares transcriptions by word error rate', async () => {
    const pool = await openPool(platform, {
      kind: 'transcription',
      units: unitsOf('only'),
      verification: 'consensus',
    });
    const { taskId, poster } = pool;
    for (const answer of [
      'The cat sat on the mat, and slept all day.',
      'the dog stood on the roof and barked all day',
      'The cat sat on that mat and slept all day',
    ]) {
      const [worker] = await agents(1);
      await knownTo(platform, pool, worker!);
      await work(platform, taskId, worker!, answer);
    }
    expect(await statusesOf(poster, taskId)).to.deep.equal(['accepted', 'rejected', 'accepted']);
  });

  it('accepts by a schema what fits it, at once, and takes nothing else', async () => {
    const fields = { verification: 'schema', json_schema: CAT, reward: 0.1 };
    const { taskId, poster } = await openPool(platform, { ...fields, units: unitsOf('a', 'b') });
    const [worker] = await agents(1);
    const shown = await laborAs(platform, worker!, taskId);
    expect(shown.json_schema).to.deep.equal({ untrusted: true, content: JSON.stringify(CAT) });
    const taken = await take(platform, taskId, worker!);
    expect(taken.json_schema).to.deep.equal(shown.json_schema);
    const answer = (text: string) =>
      deliver(platform, { taskId, ...worker! }, taken.claim_id, text);
    const misfit = await answer(`{"legs": 3, "name": "${'a'.repeat(3_000)}"}`);
    expectRefusal(misfit, 422, 'verification_failed');
    const { failures } = misfit.body.details;
    expect(failures.untrusted).to.equal(true);
    expect(failures.content.map(({ rule }: { rule: string }) => rule)).to.deep.equal([
      '#/properties/legs/const',
      '#/properties/name/pattern',
    ]);
    expectRefusal(await answer('cat'), 422, 'verification_failed');
    expect(await walletOf(platform, worker!)).to.deep.equal([0, 0.5, 0]);
    expect(done(await answer(FELIX))).to.include({ status: 'accepted', paid: 0.1 });
    expect(await walletOf(platform, worker!)).to.deep.equal([0, 0.6, 0]);
    const [claim] = await claimsAs(platform, worker!, taskId);
    expect(claim).to.include({ judged_by: 'schema', is_final: true });
    expectRefusal(await answer('cat'), 409, 'invalid_transition');
    const late = await take(platform, taskId, worker!);
    await claimsFallDue(platform, late.claim_id);
    const stale = await deliver(platform, { taskId, ...worker! }, late.claim_id, 'cat');
    expectRefusal(stale, 409, 'claim_expired');
    await work(platform, taskId, worker!, FELIX);
    expect(await walletOf(platform, poster)).to.deep.equal([5, 0.3, 0]);
  });

  it('is not posted where its schema is malformed, missing or of no use', async () => {
    const poster = await platform.agent();
    for (const [fields, pointer] of [
      [{ verification: 'schema', json_schema: { type: 'sea' } }, '/json_schema/type'],
      [{ verification: 'schema', json_schema: { pattern: '(?=a)' } }, '/json_schema'],
      [{ verification: 'schema' }, '/json_schema'],
      [{ json_schema: CAT }, '/json_schema'],
    ] as const) {
      const reply = await postLabor(platform, poster, fields);
      expectRefusal(reply, 422, 'validation_error');
      expect(reply.body.details.fields[0].pointer).to.equal(pointer);
    }
    expect(await walletOf(platform, poster)).to.deep.equal([0, 0.5, 0]);
  });

  it('is not posted where its schema takes no known answer of it, sent or uploaded', async () => {
    const poster = await platform.agent();
    const fitting = { payload: 'a', expected: FELIX };
    const schema = { verification: 'schema', json_schema: CAT };
    const refused = async (fields: object, said: RegExp) => {
      const reply = await postLabor(platform, poster, { ...schema, ...fields });
      expectRefusal(reply, 422, 'validation_error');
      expect(reply.body.details.fields[0].pointer).to.equal('/json_schema');
      expect(reply.body.message).to.match(said);
    };
    await refused(
      { units: [fitting, { payload: 'b', expected: '{"legs":3,"name":"Tom"}' }] },
      /at \/legs/,
    );
    await refused({ units: [fitting, { payload: 'b', expected: 'Felix' }] }, /"Felix" is not JSON/);
    await refused({ units: [fitting], json_schema: { not: {} } }, /must NOT be valid/);
    const jsonl = [fitting, { payload: 'b', expected: '7' }].map((u) => JSON.stringify(u));
    const uploaded = await platform.request('POST /api/v1/labor/uploads', {
      key: poster.key,
      body: { jsonl: jsonl.join('\n') },
    });
    const { upload_id } = done(uploaded);
    await refused({ units: undefined, upload_id }, /expected "7"/);
    expect(await walletOf(platform, poster)).to.deep.equal([0, 0.5, 0]);
    done(await postLabor(platform, poster, { ...schema, units: [fitting] }));
  });

  it('holds up nobody, however long the check of a schema would take', async () => {
    const fields = { verification: 'schema', json_schema: ENDLESS };
    const [slow, quick] = [await openPool(platform, fields), await openPool(platform)];
    const [slowest, other] = await agents(2);
    const { claim_id } = await take(platform, slow.taskId, slowest!);
    const endless = deliver(platform, { taskId: slow.taskId, ...slowest! }, claim_id, '1');
    const first = await Promise.race([endless, work(platform, quick.taskId, other!)]);
    expect(first).to.include({ status: 'verifying' });
    const reply = await endless;
    expectRefusal(reply, 422, 'verification_failed');
    const [failure] = reply.body.details.failures.content;
    expect(failure.message).to.match(/takes (longer than|too much memory)/);
    const [claim] = await claimsAs(platform, slowest!, slow.taskId);
    expect(claim).to.include({ status: 'claimed' });
  });
});
