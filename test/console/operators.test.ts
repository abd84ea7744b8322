import { expect } from 'chai';

import { OPERATOR_TOKEN } from '../access/scene.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { act, openDeal } from '../orders/deal.ts';
import { BrowserLike, formsOf, newKey, operator, owner } from './browser_like.ts';

const ANN = { name: 'ann', secret: 'a-token-of-ann-for-the-tests-1' };
const BEN = { name: 'ben', secret: 'a-token-of-ben-for-the-tests-2' };
const PAGES = [
  '',
  '/money',
  '/decisions',
  '/jobs',
  '/machine',
  '/find',
  '/rails',
  '/reviews',
].concat(['/log', '/start']);

describe('the console of operators', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({
      env: { OPERATOR_TOKENS: `${ANN.name}:${ANN.secret},${BEN.name}:${BEN.secret}` },
    });
  });
  after(() => platform.close());

  async function dispute(description = 'It opens what it is for.') {
    const deal = await openDeal(platform, { description });
    await act(platform, 'dispute_order', { orderId: deal.orderId, key: deal.buyer.key });
    await act(platform, 'respond_dispute', { orderId: deal.orderId, key: deal.seller.key });
    return deal;
  }
  const pageOf = (orderId: number) => `/admin/decisions?kind=order_disputes&id=${orderId}`;
  const statusOf = async (orderId: number) => {
    const [{ status }] = await platform.query('select status from orders where id = $1', [orderId]);
    return status as string;
  };
  const walletOf = (agent: { key: string }) => platform.balance(agent);
  const VERDICT = { verdict: 'refund', seller_amount: '', note: 'It did not open.' };
  const ROUTE = '/admin/do/decide_dispute';

  it('leads whoever has not signed in to the page of signing in', async () => {
    const browser = new BrowserLike(platform);
    for (const path of PAGES) {
      const { status, location } = await browser.get(`/admin${path}`);
      const next = encodeURIComponent(`/admin${path}`);
      expect([status, location]).to.deep.equal([303, `/admin/login?next=${next}`]);
    }
  });

  it('shows each page to an operator, with nothing of another host', async () => {
    await dispute();
    const ann = await operator(platform, ANN);
    for (const path of PAGES) {
      const page = await ann.get(`/admin${path}`);
      expect(page.status, path).to.equal(200);
      expect(page.headers.get('content-security-policy')).to.include("default-src 'none'");
      expect(page.headers.get('cache-control')).to.include('no-store');
      expect(page.text)
        .to.include('ann')
        .and.not.match(/(src|href)="https?:/);
      expect(page.text, path).to.not.include('cannot be read at the moment');
    }
    const { text } = await ann.get('/admin/money');
    expect(text).to.include('balanced').and.not.include('not balanced');
  });

  it('takes no key, no token and no cookie of an owner, and its cookie calls no API', async () => {
    const ann = await operator(platform, ANN);
    const { browser, agent } = await owner(platform);
    const token = ann.cookies.get('operator')!;
    for (const headers of [
      { authorization: `Bearer ${ANN.secret}` },
      { authorization: `Bearer ${OPERATOR_TOKEN}` },
      { authorization: `Basic ${Buffer.from(`ann:${ANN.secret}`).toString('base64')}` },
      { authorization: `Bearer ${agent.key}` },
      { cookie: `operator=${browser.cookies.get('session')}` },
      { cookie: `session=${token}` },
    ] as Record<string, string>[]) {
      const { status, location } = await new BrowserLike(platform).get('/admin/money', headers);
      expect([status, location?.split('?')[0]]).to.deep.equal([303, '/admin/login']);
    }
    for (const headers of [
      { cookie: `operator=${token}` },
      { authorization: `Bearer ${token}` },
    ] as Record<string, string>[]) {
      const { status } = await platform.request('GET /api/v1/admin/money', { headers });
      expect(status).to.equal(401);
    }
    const asOwner = await new BrowserLike(platform).get('/console', {
      cookie: `session=${token}; operator=${token}`,
    });
    expect(asOwner.location).to.match(/^\/console\/login/);
  });

  it('takes no form from another site, and changes nothing by it', async () => {
    const { orderId, buyer } = await dispute();
    const before = await walletOf(buyer);
    const ann = await operator(platform, ANN);
    const fields = { order_id: String(orderId), ...VERDICT, _key: newKey(), _back: '/admin' };
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': '', origin: 'https://elsewhere.example' },
      { 'sec-fetch-site': '' },
    ]) {
      const { status } = await ann.post(ROUTE, fields, headers);
      expect(status, JSON.stringify(headers)).to.equal(403);
    }
    expect(await statusOf(orderId)).to.equal('disputed');
    expect(await walletOf(buyer)).to.equal(before);
  });

  it('decides a dispute once, in the name of its operator, and opens the next', async () => {
    const { orderId, buyer } = await dispute();
    const before = await walletOf(buyer);
    const ann = await operator(platform, ANN);
    const page = await ann.get(pageOf(orderId));
    expect(page.text).to.include(`Order #${orderId}`).and.include('It opened for me.');
    const decided = await ann.submit(page, ROUTE, VERDICT);
    expect(decided.status).to.equal(303);
    const next = await ann.get(decided.location!);
    expect(next.status).to.equal(200);
    expect(formsOf(next.text).map(({ fields }) => fields.order_id?.[0])).to.not.include(
      String(orderId),
    );
    expect(await statusOf(orderId)).to.equal('refunded');
    expect(await walletOf(buyer)).to.be.closeTo(before + 1.1, 1e-9);
    const logged = await platform.query(
      `select operator, operation, error from audit_log where object_id = $1`,
      [String(orderId)],
    );
    expect(logged).to.deep.equal([{ operator: 'ann', operation: 'decide_dispute', error: null }]);
    expect((await ann.get('/admin/log')).text).to.include('It did not open.');
  });

  it('lets one of two decide who do so at once, and tells the other', async () => {
    const { orderId, buyer, seller } = await dispute();
    const before = (await walletOf(buyer)) + (await walletOf(seller));
    const [ann, ben] = await Promise.all([operator(platform, ANN), operator(platform, BEN)]);
    const pages = await Promise.all([ann, ben].map((who) => who!.get(pageOf(orderId))));
    const replies = await Promise.all([
      ann.submit(pages[0]!, ROUTE, VERDICT),
      ben.submit(pages[1]!, ROUTE, { ...VERDICT, verdict: 'release' }),
    ]);
    const statuses = replies.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).to.deep.equal([303, 409]);
    const refused = replies.find(({ status }) => status === 409)!;
    expect(refused.text).to.include('role="alert"');
    const status = await statusOf(orderId);
    const won = replies[0].status === 303 ? 'refunded' : 'completed';
    expect(status).to.equal(won);
    const after = (await walletOf(buyer)) + (await walletOf(seller));
    expect(after).to.be.closeTo(before + (won === 'refunded' ? 1.1 : 1), 1e-9);
    const logged = await platform.query(
      `select operator, error from audit_log where object_id = $1 order by error nulls first`,
      [String(orderId)],
    );
    expect(logged.map(({ error }: { error: string | null }) => error)).to.deep.equal([
      null,
      'invalid_transition',
    ]);
    const names = logged.map((entry: { operator: string }) => entry.operator);
    expect(names.toSorted()).to.deep.equal(['ann', 'ben']);
  });

  it('refuses a form without reasons, and gives it back as it was filled in', async () => {
    const { orderId } = await dispute();
    const ann = await operator(platform, ANN);
    const page = await ann.get(pageOf(orderId));
    const refused = await ann.submit(page, ROUTE, { ...VERDICT, verdict: 'split', note: 'Half.' });
    expect(refused.status).to.equal(422);
    expect(refused.text).to.include('role="alert"').and.include('Half.');
    expect(await statusOf(orderId)).to.equal('disputed');
  });

  it('shows what others wrote as text', async () => {
    const markup = '<script>alert(1)</script>';
    const seller = await platform.agent();
    const { id } = await platform.product(seller, { title: `A ${markup}`, description: markup });
    await platform.query(`update product set status = 'pending_review' where id = $1`, [id]);
    const ann = await operator(platform, ANN);
    const { text } = await ann.get(`/admin/decisions?kind=product_reviews&id=${id}`);
    expect(text).to.include('&lt;script>alert(1)').and.not.include(markup);
    const found = await ann.get(`/admin/find?query=${encodeURIComponent(markup)}`);
    expect(found.status).to.equal(200);
    expect(found.text).to.not.include(markup);
  });

  it('finds an order, suspends its buyer and lets it go on', async () => {
    const { orderId, buyer } = await openDeal(platform);
    const ann = await operator(platform, ANN);
    const found = await ann.get(`/admin/find?query=%23${orderId}`);
    expect(found.text).to.include('order.hold').and.include(`/admin/find?agent=${buyer.id}`);
    const path = `/admin/find?agent=${buyer.id}`;
    for (const [route, status] of [
      ['operator_suspend_agent', 'suspended'],
      ['operator_resume_agent', 'active'],
    ] as const) {
      const page = await ann.get(path);
      const reply = await ann.submit(page, `/admin/do/${route}`, { note: 'A test.' });
      expect(reply.status).to.equal(303);
      const [agent] = await platform.query('select status from agent where id = $1', [buyer.id]);
      expect(agent.status).to.equal(status);
    }
  });

  it('runs the audit and shows what it found', async () => {
    const ann = await operator(platform, ANN);
    const started = await ann.submit(await ann.get('/admin/money'), '/admin/do/run_audit');
    expect(started.status).to.equal(303);
    const [{ id }] = await platform.query(
      `select id from job where operation = 'run_audit' order by id desc limit 1`,
    );
    const page = await eventually(
      () => ann.get(`/admin/jobs/${id}`),
      ({ text }) => text.includes('&quot;holds&quot;') || text.includes('"holds"'),
    );
    expect(page.text).to.match(/holds(&quot;|"): true/);
    expect(page.text).to.include('by ann');
  });

  it('is over for one who does nothing for half an hour', async () => {
    const ann = await operator(platform, ANN);
    for (const [minutes, status] of [
      [29, 200],
      [31, 303],
    ]) {
      await platform.query(
        `update web_session set seen_at = now() - $1 * interval '1 minute' where operator = 'ann'`,
        [minutes],
      );
      expect((await ann.get('/admin')).status).to.equal(status);
    }
  });

  it('shows no page to one who is no operator any more', async () => {
    const ann = await operator(platform, ANN);
    await platform.query(`update web_session set operator = 'gone' where operator = 'ann'`);
    expect((await ann.get('/admin')).status).to.equal(303);
    const { orderId } = await dispute();
    const body = { order_id: String(orderId), ...VERDICT, _key: newKey(), _back: '/admin' };
    expect((await ann.post(ROUTE, body)).status).to.equal(401);
    expect(await statusOf(orderId)).to.equal('disputed');
  });
});
