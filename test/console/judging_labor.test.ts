import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';
import { claimsAs, labor, openPool, postLabor, unitsOf, work, walletOf } from '../labor/pool.ts';
import { expectRefusal } from '../orders/deal.ts';
import { done } from '../tasks/board.ts';
import { owner, type PageReply } from './browser_like.ts';

const JUDGE = '/console/do/judge_labor_claim';

describe('judging labor by hand', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  /** A signed-in poster, to whom these answers were delivered, each to another unit. */
  async function begin(...answers: readonly string[]) {
    const { agent, browser } = await owner(platform, { usd: 5 });
    const units = unitsOf(...answers.map((_, n) => `unit ${n}`));
    const { task_id: taskId } = done(await postLabor(platform, agent, { units }));
    const worker = await platform.agent();
    for (const answer of answers) await work(platform, taskId, worker, answer);
    return { agent, browser, taskId, worker, path: `/console/labor/${taskId as number}/judge` };
  }

  it('shows unit, answer and worker, the first due first, and then the next', async () => {
    const { browser, agent, taskId, worker, path } = await begin('<b>cat</b>', 'owl', 'dog');
    const todo = await browser.get('/console/todo');
    expect(todo.text).to.include(`href="${path}"`).and.not.include('Accept and pay');
    const first = await browser.get(path);
    expect(first.text).to.include('unit 0').and.include('&lt;b>cat&lt;/b>');
    expect(first.text).to.include(worker.username).and.include('2 deliveries wait after this');
    expect(first.text).to.not.include('unit 1');
    const before = await walletOf(platform, worker);
    await browser.submit(first, JUDGE);
    const second = await browser.get(path);
    expect(second.text).to.include('unit 1').and.not.include('unit 0');
    const rejecting = (page: PageReply): PageReply => {
      const [, form] = page.text.match(/<form[^>]*judge_labor_claim.*?<\/form>/gs)!;
      return { ...page, text: form! };
    };
    const empty = await browser.submit(rejecting(second), JUDGE);
    expect(empty.status).to.equal(422);
    // The list of what is wrong leads to its field.
    expect(empty.text).to.include('href="#judge_labor_claim-reason"');
    expect(empty.text).to.include('id="judge_labor_claim-reason"');
    const told = await browser.submit(rejecting(empty), JUDGE, { reason: 'It is a cat.' });
    expect(told.status).to.equal(303);
    expect((await browser.get(path)).text).to.include('unit 2');
    const statuses = (await claimsAs(platform, agent, taskId)).map(({ status }) => status);
    expect(statuses).to.deep.equal(['verifying', 'rejected', 'accepted']);
    // The poster's welcome credit is paid first.
    const after = await walletOf(platform, worker);
    expect(after[1]).to.equal(before[1] + 0.01);
  });

  it('shows an appeal with both reasons, in which the poster can give in', async () => {
    const { browser, agent, taskId, worker, path } = await begin('cat');
    const [claim] = await claimsAs(platform, agent, taskId);
    const id = Number(claim!.claim_id);
    const reject = { verdict: 'reject', reason: 'It is a dog.' };
    done(await labor(platform, `claims/${id}/judge`, { taskId, key: agent.key }, reject));
    const appeal = { claim_id: id, reason: 'Look again.' };
    done(await labor(platform, 'appeal', { taskId, key: worker.key }, appeal));
    expect((await browser.get(path)).text).to.include('Nothing of this task waits');
    const page = await browser.get(`${path}?of=appeals`);
    expect(page.text).to.include('It is a dog.').and.include('Look again.');
    await browser.submit(page, JUDGE);
    const [after] = await claimsAs(platform, agent, taskId);
    expect(after!.status).to.equal('accepted');
    expect((await browser.get(`${path}?of=others`)).status).to.equal(422);
  });

  it('is for the poster, also what waits in labor_claims', async () => {
    const { taskId, path, agent } = await begin('cat', 'dog', 'owl');
    const other = await owner(platform);
    expect((await other.browser.get(path)).status).to.equal(403);
    const at = `GET /api/v1/labor/${taskId as number}/claims?to_judge=true`;
    expectRefusal(await platform.request(at, { key: other.agent.key }), 403, 'forbidden');
    const page = done(await platform.request(`${at}&limit=2`, { key: agent.key }));
    expect([page.count, page.next_cursor, page.has_more]).to.deep.equal([2, null, true]);
    const contents = page.claims.map(
      ({ submission }: { submission: { content: string } }) => submission.content,
    );
    expect(contents).to.deep.equal(['cat', 'dog']);
    const next = await platform.request(`${at}&cursor=MQ`, { key: agent.key });
    expectRefusal(next, 422, 'validation_error');
  });

  it('shows nothing that a rule may decide yet', async () => {
    const { agent, browser } = await owner(platform, { usd: 5 });
    const fields = { units: unitsOf('one'), verification: 'consensus', overlap: 2 };
    const { task_id: taskId } = done(await postLabor(platform, agent, fields));
    await work(platform, taskId, await platform.agent(), 'cat');
    const { text } = await browser.get(`/console/labor/${taskId as number}/judge`);
    expect(text).to.include('Nothing of this task waits');
  });

  it('gives the results as files to a signed-in poster, and to nobody else', async () => {
    const { browser, taskId } = await begin('cat');
    const base = `/console/labor/${taskId as number}/results`;
    expect((await browser.get(base)).text).to.include(`href="${base}.jsonl"`);
    const other = await owner(platform);
    for (const [ending, type] of [
      ['jsonl', 'application/jsonl'],
      ['csv', 'text/csv'],
      ['json', 'application/json'],
      ['xml', 'application/xml'],
    ] as const) {
      const file = await browser.get(`${base}.${ending}`);
      expect(file.status, ending).to.equal(200);
      expect(file.headers.get('content-type')).to.include(type);
      expect(file.text).to.match(/cat|<TextArea/);
      expect((await other.browser.get(`${base}.${ending}`)).status).to.equal(403);
    }
    const { taskId: foreign } = await openPool(platform);
    expect((await browser.get(`/console/labor/${foreign}/results`)).status).to.equal(403);
  });

  it('shows words in their text, and boxes in words', async () => {
    const picture = 'https://p.example/1.jpg';
    for (const [template, payload, answer, shown] of [
      [
        { form: 'ner', labels: ['PER', 'LOC'] },
        'one\r\n<Ada> of York\u200b',
        '[{"start":6,"end":9,"label":"PER"},{"start":6,"end":18,"label":"LOC"}]',
        [
          'one\r\n&lt;<mark>Ada</mark><mark>> of York</mark><span class="code-point"',
          '<bdi>PER</bdi></strong>: <bdi>Ada</bdi> <span class="small dim">(6–9)',
          '<bdi>LOC</bdi></strong>: <bdi>Ada> of York</bdi>',
        ],
      ],
      [
        { form: 'boxes', labels: ['cat'] },
        picture,
        '[{"x":1,"y":2.5,"width":30,"height":40,"label":"cat"}]',
        ['cat</bdi></strong>: 1 % from the left, 2.5 % from the top, 30 % wide, 40 % high'],
      ],
      [{ form: 'boxes', labels: ['cat'] }, picture, '[]', ['None ([])']],
    ] as const) {
      const { agent, browser } = await owner(platform, { usd: 5 });
      const units = unitsOf(payload);
      const { task_id: taskId } = done(await postLabor(platform, agent, { units, template }));
      await work(platform, taskId, await platform.agent(), answer);
      const { text } = await browser.get(`/console/labor/${taskId as number}/judge`);
      for (const part of shown) expect(text).to.include(part);
    }
  });
});
