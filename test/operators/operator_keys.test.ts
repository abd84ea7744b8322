import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { TestPlatform } from '../harness.ts';
import { BrowserLike, formsOf, operator } from '../console/browser_like.ts';

const ANN = { name: 'ann', secret: 'a-token-of-ann-for-the-tests-1' };
const BEN = { name: 'ben', secret: 'a-token-of-ben-for-the-tests-2' };

describe('a call of an operator with an Idempotency-Key', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({
      env: { OPERATOR_TOKENS: `${ANN.name}:${ANN.secret},${BEN.name}:${BEN.secret}` },
    });
  });
  after(() => platform.close());

  const give = (agentId: number, sent: object, { key = randomUUID() as string, by = ANN } = {}) =>
    platform.request(`POST /api/v1/admin/agents/${agentId}/goodwill`, {
      key: by.secret,
      body: { reference: randomUUID(), ...sent },
      headers: { 'idempotency-key': key },
    });
  const creditOf = async (agent: { key: string }) =>
    (await platform.request('GET /api/v1/wallet', agent)).body.credit;

  it('is done once, and refused for another decision, apart for each operator', async () => {
    const agent = await platform.agent();
    const before = await creditOf(agent);
    const key = randomUUID();
    const sent = { amount: 1, reference: 'ticket-1' };
    const [first, again] = [
      await give(agent.id, sent, { key }),
      await give(agent.id, sent, { key }),
    ];
    expect([first.status, again.text]).to.deep.equal([200, first.text]);
    expect(again.headers.get('idempotent-replayed')).to.equal('true');
    const other = await give(agent.id, { ...sent, amount: 5, reference: 'ticket-2' }, { key });
    expect([other.status, other.body.error]).to.deep.equal([422, 'idempotency_conflict']);
    expect(await creditOf(agent)).to.equal(before + 1);
    const ben = await give(agent.id, { amount: 2, reference: 'ticket-3' }, { key, by: BEN });
    expect(ben.status).to.equal(200);
    expect(await creditOf(agent)).to.equal(before + 3);
  });

  it('is done once whatever its key is, also where the answer was waited for in vain', async () => {
    const agent = await platform.agent();
    const before = await creditOf(agent);
    const keys = [
      'x'.repeat(255),
      `';drop/**/table/**/job;--`,
      'ben:1',
      '{"a":[1]}',
      '%00%0a',
      '..',
      '1',
    ];
    for (const [n, key] of keys.entries()) {
      const sent = { amount: 0.01, reference: `odd-${n}` };
      const [first, again] = [
        await give(agent.id, sent, { key }),
        await give(agent.id, sent, { key }),
      ];
      expect([key, first.status, again.text]).to.deep.equal([key, 200, first.text]);
    }
    expect(await creditOf(agent)).to.be.closeTo(before + keys.length * 0.01, 0.000_001);
    for (const refused of ['x'.repeat(256), 'a key']) {
      const { body } = await give(agent.id, { amount: 0.01 }, { key: refused });
      expect(body.error).to.equal('validation_error');
    }

    const key = randomUUID();
    const decide = (evidence: string, wait: number) =>
      platform.request(`POST /api/v1/admin/unclaimed/999999/decide?wait=${wait}`, {
        key: ANN.secret,
        body: { decision: 'refuse', evidence },
        headers: { 'idempotency-key': key },
      });
    await decide('Nobody wrote.', 0);
    const ended = await decide('Nobody wrote.', 20);
    expect(ended.status).to.equal(404);
    expect((await decide('Nobody wrote.', 20)).text).to.equal(ended.text);
    expect((await decide('Somebody wrote.', 0)).body.error).to.equal('idempotency_conflict');
  });

  it('is refused from a form that was sent before with another decision', async () => {
    const seller = await platform.agent();
    const { product_id } = (
      await platform.request('POST /api/v1/products', {
        key: seller.key,
        body: {
          title: 'A list of lakes',
          description: 'Lakes by depth.',
          category: 'dataset',
          price: 1,
          stock_kind: 'unlimited',
          content: 'Baikal',
        },
      })
    ).body;
    const statusOf = async () =>
      (await platform.query('select status from product where id = $1', [product_id]))[0].status;
    await platform.query(`update product set status = 'pending_review' where id = $1`, [
      product_id,
    ]);
    const browser: BrowserLike = await operator(platform, ANN);
    const page = await browser.get('/admin/decisions?kind=products');
    const form = formsOf(page.text).find(({ action }) => action === '/admin/do/review_product');
    const fields = { ...form!.fields, product_id: String(product_id) };
    const send = (decision: string) => browser.post(form!.action, { ...fields, decision });
    expect((await send('approve')).status).to.equal(303);
    expect(await statusOf()).to.equal('approved');
    const refused = await send('suspend');
    expect(refused.text).to.contain('This form was sent before with other values.');
    expect(await statusOf()).to.equal('approved');
    expect((await send('approve')).status).to.equal(303);
  });

  it('names no calls of agents where it is refused, in an answer or in a job', async () => {
    const unknown = await give(999_999, { amount: 1 });
    expect([unknown.status, unknown.body.next_actions]).to.deep.equal([404, []]);
    const route = 'POST /api/v1/admin/unclaimed/999999/decide?wait=20';
    const body = { decision: 'refuse', evidence: 'Nobody wrote.' };
    const job = await platform.request(route, { key: ANN.secret, body });
    expect([job.status, job.body.next_actions]).to.deep.equal([404, []]);
    const wrong = await platform.request(route, { key: `${ANN.secret}x`, body });
    expect([wrong.status, wrong.body.next_actions]).to.deep.equal([401, []]);
    const agents = await platform.request('GET /api/v1/wallet', { key: 'vnx_wrong' });
    expect(agents.body.next_actions).to.have.length(1);
  });
});
