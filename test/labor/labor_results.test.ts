import { expect } from 'chai';

import { agreementOf, alphaOf } from '../../shared/domains/labor/verification/agreement.ts';
import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';
import { inQueue } from '../in_queue.ts';
import { expectRefusal } from '../orders/deal.ts';
import { done, type Agent } from '../tasks/board.ts';
import { deliver, knownTo, openPool, postLabor, take, unitsOf } from './pool.ts';
import { walletOf, work } from './pool.ts';

/**
 * Four observers and twelve units, 0 where one said nothing: K. Krippendorff, Computing
 * Krippendorff's Alpha-Reliability (2011), section C. Its alpha for nominal data is 0.743.
 */
const PUBLISHED = [
  [1, 2, 3, 3, 2, 1, 4, 1, 2, 0, 0, 0],
  [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, 0, 3],
  [0, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 0],
  [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, 0],
];

describe('the agreement of answers', () => {
  it('is what Krippendorff has published for his example', () => {
    const units = PUBLISHED[0]!.map((_, unit) =>
      PUBLISHED.map((said) => said[unit]!).filter((value) => value > 0),
    );
    expect(alphaOf(units)).to.be.closeTo(0.743, 0.0005);
    expect(agreementOf([1, 1, 2])).to.be.closeTo(1 / 3, 1e-9);
    expect([agreementOf([1]), alphaOf([[1], []]), alphaOf([[1, 1]])]).to.deep.equal([
      null,
      null,
      null,
    ]);
  });
});

describe('units and results of labor', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const upload = ({ key }: { key: string }, body: object) =>
    platform.request('POST /api/v1/labor/uploads', { key, body });
  const results = async ({ key }: Agent, taskId: number, query = '') => {
    const page = done(
      await platform.request(`GET /api/v1/labor/${taskId}/results${query}`, { key }),
    );
    const lines: string[] = page.jsonl.content.trim().split('\n');
    return { ...page, lines: lines.map((line) => JSON.parse(line)) };
  };
  const line = (payload: string, expected?: string) => `${JSON.stringify({ payload, expected })}\n`;

  it('are uploaded as JSONL in parts, each once, and given to one task', async () => {
    const [poster, other] = [await platform.agent({ usd: 5 }), await platform.agent()];
    const first = done(await upload(poster, { jsonl: `${line('a')}\n${line('b', 'cat')}` }));
    expect(first).to.include({ units: 2, gold: 1 });
    const { upload_id } = first;
    const part = { upload_id, after: 2, jsonl: line('c') };
    expect(done(await upload(poster, part)).units).to.equal(3);
    const again = await upload(poster, part);
    expectRefusal(again, 409, 'invalid_transition');
    expect(again.body.details).to.deep.equal({ units: 3 });
    expectRefusal(await upload(other, part), 404, 'not_found');
    const post = (agent: { key: string }) =>
      postLabor(platform, agent, { units: undefined, upload_id, verification: 'gold' });
    expectRefusal(await post(other), 404, 'not_found');
    const { task_id, units } = done(await post(poster));
    expect(units).to.equal(3);
    expectRefusal(await post(poster), 404, 'not_found');
    const { lines } = await results(poster, task_id);
    expect(lines.map((one: { payload: string }) => one.payload)).to.deep.equal(['a', 'b', 'c']);
    expect(lines[1].expected).to.equal('cat');
  });

  it('are of one task, which has paid for all of them, whoever comes at the same moment', async () => {
    const poster = await platform.agent({ usd: 5 });
    const { upload_id } = done(await upload(poster, { jsonl: line('a') }));
    const post = () => postLabor(platform, poster, { units: undefined, upload_id });
    const lock = `select from labor_upload where upload_id = ${upload_id} for update`;
    const [first, part, second] = await inQueue(platform, lock, [
      post,
      () => upload(poster, { upload_id, after: 1, jsonl: line('b') }),
      post,
    ]);
    expectRefusal(part!, 404, 'not_found');
    expectRefusal(second!, 404, 'not_found');
    const { task_id, units } = done(first!);
    expect([units, (await results(poster, task_id)).lines.length]).to.deep.equal([1, 1]);
    expect(await walletOf(platform, poster)).to.deep.equal([5, 0.49, 0.01]);

    const later = done(await upload(poster, { jsonl: line('a') })).upload_id;
    const both = await inQueue(
      platform,
      `select from labor_upload where upload_id = ${later} for update`,
      [
        () => upload(poster, { upload_id: later, after: 1, jsonl: line('b') }),
        () => postLabor(platform, poster, { units: undefined, upload_id: later }),
      ],
    );
    expect(both.map(({ body }) => body.units)).to.deep.equal([2, 2]);
    expect((await results(poster, both[1]!.body.task_id)).lines).to.have.length(2);
    expect(await walletOf(platform, poster)).to.deep.equal([5, 0.47, 0.03]);
  });

  it('are refused by the line that is no unit', async () => {
    const poster = await platform.agent();
    for (const [jsonl, message] of [
      [`${line('a')}{"payload": 1}`, 'Line 2'],
      ['no', 'Line 1'],
      [' \n', 'at least one line'],
    ] as const) {
      const refused = await upload(poster, { jsonl });
      expectRefusal(refused, 422, 'validation_error');
      expect(refused.body.message).to.include(message);
    }
    const both = await postLabor(platform, poster, { upload_id: 1 });
    expectRefusal(both, 422, 'validation_error');
  });

  it('come as JSONL with the agreement of each unit, page after page, to the poster only', async () => {
    const pool = await openPool(platform, {
      units: unitsOf('a', 'b', 'c'),
      verification: 'consensus',
    });
    const { poster, taskId } = pool;
    const workers = await Promise.all([1, 2, 3].map(() => platform.agent()));
    await knownTo(platform, pool, workers[0]!);
    for (const [n, answers] of [
      ['cat', 'cat', 'Cat'],
      ['dog', 'cat', 'dog'],
    ].entries()) {
      for (const [who, answer] of answers.entries()) {
        const { claim_id, payload } = await take(platform, taskId, workers[who]!);
        expect(payload.content).to.equal('ab'[n]);
        done(await deliver(platform, { taskId, ...workers[who]! }, claim_id, answer));
      }
    }
    await work(platform, taskId, workers[0]!, 'cow');
    await work(platform, taskId, workers[1]!, 'cow');
    await take(platform, taskId, workers[2]!); // It has no answer yet.
    const page = await results(poster, taskId, '?limit=2');
    const brief = page.lines.map(({ answer, agreement, answers }: Result) => [
      answer,
      agreement,
      answers.map(({ status }) => status),
    ]);
    expect(brief).to.deep.equal([
      ['cat', 1, ['accepted', 'accepted', 'accepted']],
      ['dog', 0.3333, ['accepted', 'rejected', 'accepted']],
    ]);
    expect(page.alpha).to.equal(0.375);
    const one = await results(poster, taskId, '?limit=1');
    // The alpha of the task leaves out the third unit, which is not decided.
    expect([one.alpha, one.task_alpha, one.task_alpha_units]).to.deep.equal([null, 0.375, 2]);
    const read = page.lines[1].answers.map(({ submission }: Answer) => submission);
    expect(read, 'what it has paid for').to.deep.equal(['dog', null, 'dog']);
    const rest = await results(poster, taskId, `?limit=2&cursor=${page.next_cursor}`);
    expect(rest.lines[0]).to.include({ payload: 'c', answer: null, agreement: null });
    const [{ submission }] = rest.lines[0].answers;
    expect([rest.lines[0].answers.length, submission]).to.deep.equal([2, null]);
    expect([rest.has_more, rest.alpha, rest.task_alpha]).to.deep.equal([false, null, null]);
    const { key } = workers[0]!;
    const foreign = await platform.request(`GET /api/v1/labor/${taskId}/results`, { key });
    expectRefusal(foreign, 403, 'forbidden');
  });
});

interface Answer {
  readonly status: string;
  readonly submission: string | null;
}
interface Result {
  readonly answer: string | null;
  readonly agreement: number | null;
  readonly answers: readonly Answer[];
}
