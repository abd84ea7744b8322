import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';
import { done } from '../tasks/board.ts';
import { claimsAs, openPool, postLabor, take, unitsOf, walletOf } from '../labor/pool.ts';
import { owner, type BrowserLike } from './browser_like.ts';

const ANIMALS = { form: 'classification', labels: ['cat', 'dog'] };
const TAKE = '/console/do/take_labor_task';
const DELIVER = '/console/do/deliver_labor_task';
const RELEASE = '/console/do/labor_release';

describe('labeling by hand', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const pathOf = (taskId: number) => `/console/labor/${taskId}/label`;

  /** A person with a unit of a new task. */
  async function begin(fields: object) {
    const pool = await openPool(platform, fields);
    const { agent, browser } = await owner(platform);
    const path = pathOf(pool.taskId);
    const taken = await browser.submit(await browser.get(path), TAKE);
    expect(taken.location).to.equal(`${path}?done=take_labor_task`);
    return { ...pool, agent, browser, path };
  }

  const send = async (
    { browser, path }: { browser: BrowserLike; path: string },
    filled: Record<string, string | readonly string[]>,
    action = DELIVER,
  ) => browser.submit(await browser.get(path), action, filled);

  it('takes a unit, delivers it and has the next one, until none is left', async () => {
    const units = unitsOf('It <b>purrs</b>', 'It barks');
    const at = await begin({ template: ANIMALS, units, verification: 'manual' });
    const first = await at.browser.get(at.path);
    expect(first.text).to.include('It &lt;b>purrs&lt;/b>').and.not.include('It barks');
    expect(first.text).to.match(/<span data-left="\d+">15 minutes<\/span>/);
    const next = await send(at, { submission: 'cat' });
    expect(next.location).to.equal(`${at.path}?done=deliver_labor_task`);
    expect((await at.browser.get(at.path)).text).to.include('It barks');
    // Nothing is left: the answer was delivered, and the page says why there is no other unit.
    const last = await send(at, { submission: 'dog' });
    expect(last.text).to.include('Your answer was delivered.').and.include('has no unit for you');
    const claims = await claimsAs(platform, at.poster, at.taskId);
    expect(claims.map(({ status, submission }) => [status, submission])).to.deep.equal([
      ['verifying', { untrusted: true, content: 'dog' }],
      ['verifying', { untrusted: true, content: 'cat' }],
    ]);
  });

  it('delivers once what is sent twice, and takes one unit', async () => {
    const at = await begin({ template: ANIMALS, units: unitsOf('one', 'two', 'three') });
    const page = await at.browser.get(at.path);
    for (let n = 0; n < 2; n += 1) await at.browser.submit(page, DELIVER, { submission: 'cat' });
    const claims = await claimsAs(platform, at.poster, at.taskId);
    expect(claims.map(({ status }) => status)).to.deep.equal(['claimed', 'verifying']);
  });

  it('says in seconds when a short lease ends', async () => {
    const at = await begin({ template: ANIMALS, units: unitsOf('one'), lease_seconds: 30 });
    const { text } = await at.browser.get(at.path);
    expect(text).to.match(/<span data-left="\d+">\d+ seconds?<\/span> left, until/);
  });

  it('skips a unit, and gives one back', async () => {
    const at = await begin({ template: ANIMALS, units: unitsOf('one', 'two', 'three') });
    await send(at, {}, RELEASE);
    expect((await at.browser.get(at.path)).text).to.include('two');
    const page = await at.browser.get(at.path);
    const [form] = page.text.match(/<form[^>]*labor_release.*?<\/form>/gs)!.slice(-1);
    const back = await at.browser.submit({ ...page, text: form! }, RELEASE);
    expect(back.location).to.equal(`/console/labor/${at.taskId}?done=labor_release`);
    const claims = await claimsAs(platform, at.poster, at.taskId);
    expect(claims.map(({ status }) => status)).to.deep.equal(['released', 'released']);
  });

  it('does nothing second that a session alone may not do', async () => {
    const at = await begin({ template: ANIMALS, units: unitsOf('one') });
    await platform.query(
      `update web_session set proved_at = now() - interval '11 minutes' where agent_id = $1`,
      [at.agent.id],
    );
    const back = { _back: `/console/agents/${at.agent.id}`, _then: 'set_policy' };
    const policy = { '_then.agent_id': String(at.agent.id), '_then.daily_spend_limit': '9' };
    const reply = await send(at, { submission: 'cat', ...back, ...policy });
    expect(reply.status).to.equal(303);
    const { body } = await platform.request(`GET /agent/monitor/${at.agent.id}`, at.agent);
    expect(body.policy.daily_spend_limit).to.equal(null);
  });

  const FORMS = [
    [{ ...ANIMALS, several: true }, 'x', { _label: ['cat', 'dog'] }, '["cat","dog"]'],
    [{ ...ANIMALS, several: true }, 'x', { _none: 'true' }, '[]'],
    [
      { form: 'ner', labels: ['PER', 'PER:title'] },
      '😀 Ada and Dr Ada: both',
      { _lines: 'PER: Ada\r\nper:title: Dr\n PER: Ada \nPER: Ada @2-5' },
      '[{"start":2,"end":5,"label":"PER"},{"start":2,"end":5,"label":"PER"},' +
        '{"start":10,"end":12,"label":"PER:title"},{"start":13,"end":16,"label":"PER"}]',
    ],
    [
      { form: 'boxes', labels: ['cat'] },
      'https://pictures.example/1.jpg',
      { _lines: 'cat: 1 2.5 30 40' },
      '[{"x":1,"y":2.5,"width":30,"height":40,"label":"cat"}]',
    ],
    [{ form: 'boxes', labels: ['cat'] }, 'https://pictures.example/1.jpg', { _none: 'true' }, '[]'],
  ] as const;

  it('makes the answer in the form of the template', async () => {
    for (const [template, payload, filled, submission] of FORMS) {
      const at = await begin({ template, units: unitsOf(payload) });
      // The third form marks the same words twice: that is refused, and kept.
      const isDouble = submission.split('"start":2,').length > 2;
      const reply = await send(at, filled);
      if (isDouble) {
        expect(reply.status).to.equal(422);
        expect(reply.text).to.include('PER: Ada @2-5');
        continue;
      }
      const [claim] = await claimsAs(platform, at.poster, at.taskId);
      expect(claim!.submission).to.deep.include({ content: submission });
    }
  });

  const WRONG = [
    [{ form: 'ner', labels: ['PER'] }, 'Ada', 'PER: Bob', '&quot;Bob&quot; does not stand in'],
    [{ form: 'ner', labels: ['PER'] }, 'Ada', 'LOC: Ada', 'does not begin with a label'],
    [
      { form: 'boxes', labels: ['cat'] },
      'https://p.example/1.jpg',
      'cat: 1 2 3',
      'is not four numbers',
    ],
    [
      { form: 'boxes', labels: ['cat'] },
      'https://p.example/1.jpg',
      'cat: 90 2 30 4',
      'does not fit the template',
    ],
  ] as const;

  it('says what is wrong, keeps what was typed, and leaves the unit', async () => {
    for (const [template, payload, lines, words] of WRONG) {
      const at = await begin({ template, units: unitsOf(payload) });
      const before = await walletOf(platform, at.agent);
      const reply = await send(at, { _lines: lines });
      expect(reply.status).to.equal(422);
      expect(reply.text).to.include(words).and.include(lines);
      expect(await walletOf(platform, at.agent)).to.deep.equal(before);
      const [claim] = await claimsAs(platform, at.poster, at.taskId);
      expect(claim!.status).to.equal('claimed');
    }
  });

  it('keeps an answer whose lease has ended, and offers another unit', async () => {
    const at = await begin({ units: unitsOf('one', 'two') });
    const page = await at.browser.get(at.path);
    await platform.query(`update labor_claim set due_at = now() where task_id = $1`, [at.taskId]);
    const late = await at.browser.submit(page, DELIVER, { submission: 'My long answer' });
    expect(late.status).to.equal(409);
    expect(late.text).to.include('This was not delivered').and.include('My long answer');
    expect(late.text).to.include('Take a unit');
  });

  it('shows JSON with a line for each value, and its numbers as they are', async () => {
    const payload = '{"id":1610521604143693812,"tags":[],"text":"a, {b}"}';
    const at = await begin({ units: unitsOf(payload) });
    expect((await at.browser.get(at.path)).text).to.include(
      '{\n  &quot;id&quot;: 1610521604143693812,\n  &quot;tags&quot;: [],\n  &quot;text&quot;: ',
    );
  });

  it('shows units of its person, none of the agents below, and none to the poster', async () => {
    const { agent, browser } = await owner(platform, { usd: 1 });
    const { taskId } = await openPool(platform);
    const { api_key } = done(
      await platform.request('POST /api/v1/agent/spawn', {
        key: agent.key,
        body: { agent_name: 'scout' },
      }),
    );
    await take(platform, taskId, { key: api_key.key });
    const page = await browser.get(pathOf(taskId));
    expect(page.text).to.include('Take a unit').and.not.include('>Deliver<');
    await take(platform, taskId, agent);
    expect((await browser.get(pathOf(taskId))).text).to.include('>Deliver<');
    const own = done(await postLabor(platform, agent)).task_id;
    expect((await browser.get(pathOf(own))).text).to.include('Your own tree of agents posted');
  });
});
