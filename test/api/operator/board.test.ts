import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { BrowserLike, operator, owner } from '../../console/browser_like.ts';
import { TestPlatform } from '../../harness.ts';

const TOKEN = 'operator-token-of-the-tests';

describe('/admin/queues', () => {
  let platform: TestPlatform;
  let browser: BrowserLike;
  let signedIn: { readonly headers: { readonly cookie: string } };

  before(async () => {
    platform = await TestPlatform.open({ workers: false, env: { WAIT_MS: '0' } });
    browser = await operator(platform);
    signedIn = { headers: { cookie: `operator=${browser.cookies.get('operator')}` } };
  });
  after(() => platform.close());

  it('leads browsers to the page of signing in, and takes no token', async () => {
    const agent = await platform.agent();
    for (const headers of [
      {},
      { authorization: `Bearer ${agent.key}` },
      { authorization: `Bearer ${TOKEN}` },
      { authorization: `Basic ${Buffer.from(`x:${TOKEN}`).toString('base64')}` },
      { cookie: `operator=${'A'.repeat(43)}` },
      { cookie: `operator=${(await owner(platform)).browser.cookies.get('session')}` },
    ] as Record<string, string>[]) {
      const page = await new BrowserLike(platform).get('/admin/queues', headers);
      const where = '/admin/login?next=/admin/queues';
      expect([page.status, page.location]).to.deep.equal([303, where]);
      for (const path of ['/', '/api/queues', '/static/js/main.js', '/queue/money']) {
        const reply = await platform.request(`GET /admin/queues${path}`, { headers });
        const found = [reply.status, reply.body.error];
        expect(found, path).to.deep.equal([401, 'authentication_required']);
        expect(reply.headers.get('www-authenticate')).to.not.match(/Basic/);
      }
    }
    expect((await platform.request('GET /admin/queuesx')).status).to.equal(404);
  });

  it('shows its page to operators who have signed in', async () => {
    const { status, headers: sent, text } = await browser.get('/admin/queues');
    expect(status).to.equal(200);
    expect(sent.get('content-type')).to.contain('text/html');
    expect(sent.get('content-security-policy')).to.contain("default-src 'none'");
    expect(text).to.contain('<title>Agent Marketplace</title>');
    for (const [, path] of text.matchAll(/<script defer src="([^"]+)"/g)) {
      const script = await browser.get(`/admin/queues/${path}`);
      expect(script.status, path).to.equal(200);
      expect(script.headers.get('content-type')).to.contain('text/javascript');
    }
  });

  it('says so when Redis is away', async () => {
    const cut = await TestPlatform.open({ workers: false, redisUrl: 'redis://127.0.0.1:1' });
    try {
      const { cookies } = await operator(cut);
      const headers = { cookie: `operator=${cookies.get('operator')}` };
      const { status, body } = await cut.request('GET /admin/queues', { headers });
      expect([status, body.error]).to.deep.equal([503, 'service_unavailable']);
    } finally {
      await cut.close();
    }
  });

  it('shows ids and nothing of what was called', async () => {
    const [seller, buyer] = [await platform.agent(), await platform.agent({ usd: 5 })];
    const canary = `canary-${randomUUID()}`;
    const { id } = await platform.product(seller, { title: canary, items: [canary] });
    const { status, body: pending } = await platform.request('POST /api/v1/orders', {
      key: buyer.key,
      body: { product_id: id },
      headers: { 'idempotency-key': canary, 'x-request-id': canary },
    });
    expect(status).to.equal(202);
    const ask = (path: string) => platform.request(`GET /admin/queues/api${path}`, signedIn);
    const { body, text } = await ask('/queues?activeQueue=money&status=latest&jobsPerPage=10');
    expect(text).not.to.contain(canary).and.not.contain(buyer.key);
    const { jobs } = body.queues.find(({ name }: { name: string }) => name === 'money');
    expect(jobs).to.have.length(1);
    expect(Object.keys(jobs[0].data).toSorted()).to.deep.equal(['ids', 'inputVersion', 'replyTo']);
    expect(jobs[0].data.ids).to.deep.equal([pending.job_id]);
    const one = await ask(`/queues/money/${jobs[0].id}`);
    expect(one.status).to.equal(200);
    expect(one.text).not.to.contain(canary);
    expect(one.body.job.data).to.deep.equal(jobs[0].data);
  });

  it('changes nothing', async () => {
    const before = await platform.request('GET /admin/queues/api/queues', signedIn);
    const paths = [
      'pause',
      'resume',
      'empty',
      'obliterate',
      'clean/wait',
      'promote',
      'retry/failed',
    ];
    const ofQueue = [...paths, '1/retry', '1/clean', '1/promote', '1/update-data', 'add'];
    for (const path of ['pause', 'resume', ...ofQueue.map((one) => `money/${one}`)]) {
      for (const method of ['PUT', 'POST', 'PATCH', 'DELETE']) {
        const { status, body } = await platform.request(
          `${method} /admin/queues/api/queues/${path}`,
          {
            ...signedIn,
            body: {},
          },
        );
        expect([status, body.error], `${method} ${path}`).to.deep.equal([
          405,
          'method_not_allowed',
        ]);
      }
    }
    const after = await platform.request('GET /admin/queues/api/queues', signedIn);
    const counts = ({ body }: typeof before) =>
      body.queues.map(({ name, counts: c, isPaused }: Record<string, unknown>) => [
        name,
        c,
        isPaused,
      ]);
    expect(counts(after)).to.deep.equal(counts(before));
  });
});
