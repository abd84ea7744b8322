import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { TestPlatform } from '../../harness.ts';

const TOKEN = 'operator-token-of-the-tests';
const basic = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});

describe('/admin/queues', () => {
  let platform: TestPlatform;

  before(async () => {
    platform = await TestPlatform.open({ workers: false, env: { WAIT_MS: '0' } });
  });
  after(() => platform.close());

  it('asks browsers for the operator token, and refuses everybody else', async () => {
    const agent = await platform.agent();
    const attempts: [headers: Record<string, string>, code: string][] = [
      [{}, 'authentication_required'],
      [{ authorization: `Bearer ${agent.key}` }, 'invalid_key'],
      [basic('operator', agent.key), 'invalid_key'],
      [basic('operator', ''), 'authentication_required'],
      [basic(TOKEN, 'x'), 'invalid_key'],
    ];
    for (const path of ['', '/', '/api/queues', '/static/js/main.js', '?x', '/queue/money']) {
      for (const [headers, code] of attempts) {
        const reply = await platform.request(`GET /admin/queues${path}`, { headers });
        expect([reply.status, reply.body.error], path).to.deep.equal([401, code]);
        expect(reply.headers.get('www-authenticate')).to.match(/^Basic realm="/);
      }
    }
    expect((await platform.request('GET /admin/queuesx')).status).to.equal(404);
  });

  it('shows its page to operators, by Bearer and by Basic', async () => {
    for (const headers of [{ authorization: `Bearer ${TOKEN}` }, basic('anyone', TOKEN)]) {
      const {
        status,
        headers: sent,
        text,
      } = await platform.request('GET /admin/queues', { headers });
      expect(status).to.equal(200);
      expect(sent.get('content-type')).to.contain('text/html');
      expect(sent.get('content-security-policy')).to.contain("default-src 'none'");
      expect(text).to.contain('<title>Agent Marketplace</title>');
      for (const [, path] of text.matchAll(/<script defer src="([^"]+)"/g)) {
        const script = await platform.request(`GET /admin/queues/${path}`, { headers });
        expect(script.status, path).to.equal(200);
        expect(script.headers.get('content-type')).to.contain('text/javascript');
      }
    }
  });

  it('says so when Redis is away', async () => {
    const cut = await TestPlatform.open({ workers: false, redisUrl: 'redis://127.0.0.1:1' });
    try {
      const { status, body } = await cut.request('GET /admin/queues', { key: TOKEN });
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
    const ask = (path: string) => platform.request(`GET /admin/queues/api${path}`, { key: TOKEN });
    const { body, text } = await ask('/queues?activeQueue=money&status=latest&jobsPerPage=10');
    expect(text).not.to.contain(canary).and.not.contain(buyer.key);
    const { jobs } = body.queues.find(({ name }: { name: string }) => name === 'money');
    expect(jobs).to.have.length(1);
    expect(Object.keys(jobs[0].data).toSorted()).to.deep.equal(['ids', 'replyTo']);
    expect(jobs[0].data.ids).to.deep.equal([pending.job_id]);
    const one = await ask(`/queues/money/${jobs[0].id}`);
    expect(one.status).to.equal(200);
    expect(one.text).not.to.contain(canary);
    expect(one.body.job.data).to.deep.equal(jobs[0].data);
  });

  it('changes nothing', async () => {
    const before = await platform.request('GET /admin/queues/api/queues', { key: TOKEN });
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
            key: TOKEN,
            body: {},
          },
        );
        expect([status, body.error], `${method} ${path}`).to.deep.equal([
          405,
          'method_not_allowed',
        ]);
      }
    }
    const after = await platform.request('GET /admin/queues/api/queues', { key: TOKEN });
    const counts = ({ body }: typeof before) =>
      body.queues.map(({ name, counts: c, isPaused }: Record<string, unknown>) => [
        name,
        c,
        isPaused,
      ]);
    expect(counts(after)).to.deep.equal(counts(before));
  });
});
