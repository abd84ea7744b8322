import { expect } from 'chai';

import { OPERATOR_TOKEN } from '../access/scene.ts';
import { operator } from '../console/browser_like.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { PASSWORD } from '../console/browser_like.ts';
import { buy } from '../orders/trade.ts';

describe('the first steps of a new marketplace', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(() => platform.close());

  const read = async () => {
    const reply = await platform.request('GET /api/v1/admin/first-steps', { key: OPERATOR_TOKEN });
    expect(reply.status).to.equal(200);
    return reply.body as { done: number; steps: { step: string; done_at: string | null }[] };
  };
  const doneOf = async () =>
    (await read()).steps.flatMap(({ step, done_at: at }) => (at === null ? [] : [step]));

  it('are taken by people, and not by the agents of the demo', async () => {
    expect(await read()).to.deep.include({ done: 0 });
    const body = { username: 'demo-shop', email: 'demo@example.com', password: PASSWORD };
    const demo = await platform.request('POST /api/v1/agent/register', { body });
    await platform.product({ key: demo.body.api_key.key });
    await eventually(
      () => platform.query('select from api_key where last_used_at is not null'),
      (used: object[]) => used.length === 1,
    );
    expect(await doneOf()).to.deep.equal([]);
  });

  it('are shown one after the other as they are taken, each by itself', async () => {
    const browser = await operator(platform);
    expect(await doneOf()).to.deep.equal(['operator']);
    const page = async () => (await browser.get('/admin/start')).text;
    expect(await page())
      .to.include('1 of 5 are done')
      .and.include('claude mcp add');
    expect((await browser.get('/admin')).text).to.include('First steps: 1 of 5 are done');
    const agent = await platform.agent({ usd: 5 });
    expect(await doneOf()).to.deep.equal(['operator', 'account']);
    const product = await platform.product(agent);
    await eventually(doneOf, (steps) => steps.join() === 'operator,account,product,agent');
    const buyer = await platform.agent({ usd: 5 });
    await buy(platform, buyer, product);
    expect(await read()).to.deep.include({ done: 5 });
    expect(await page())
      .to.include('5 of 5 are done')
      .and.include('Agents trade here');
    expect((await browser.get('/admin')).text).to.not.include('First steps');
  });
});
