import { expect } from 'chai';

import { TestPlatform } from '../../harness.ts';

describe('REST', () => {
  let platform: TestPlatform;
  let seller: { key: string };
  let buyer: { key: string };
  let product_id: number;

  before(async () => {
    platform = await TestPlatform.open();
    seller = await platform.agent();
    buyer = await platform.agent({ usd: 1_000 });
    ({ id: product_id } = await platform.product(seller, {
      stock_kind: 'unlimited',
      content: 'It.',
    }));
  });
  after(() => platform.close());

  const buy = (headers: Record<string, string> = {}, query = '', body: object = { product_id }) =>
    platform.request(`POST /api/v1/orders${query}`, { key: buyer.key, body, headers });

  const operator = { key: 'operator-token-of-the-tests' };

  describe('every answer', () => {
    it('carries its request id, is not stored and is JSON', async () => {
      for (const route of ['GET /nowhere', 'GET /api/v1/wallet', 'GET /healthz']) {
        const { headers } = await platform.request(route, { key: buyer.key });
        expect(headers.get('x-request-id')).to.match(/^req_[0-9a-f]{32}$/);
        expect(headers.get('cache-control')).to.equal('no-store');
        expect(headers.get('content-type')).to.equal('application/json; charset=utf-8');
        expect(headers.get('x-content-type-options')).to.equal('nosniff');
        expect(headers.get('x-powered-by')).to.equal(null);
        expect(headers.get('etag')).to.equal(null);
      }
    });

    it("repeats the caller's request id if it is a valid one", async () => {
      const repeated = async (id: string) => {
        const { headers, body } = await platform.request('GET /nowhere', {
          headers: { 'x-request-id': id },
        });
        expect(body.request_id).to.equal(headers.get('x-request-id'));
        return body.request_id;
      };
      expect(await repeated('my-request.7')).to.equal('my-request.7');
      for (const id of ['', 'a b', 'x'.repeat(65), '"quoted"', 'vnx_a_key', 'x.vnxp_a_key']) {
        expect(await repeated(id)).to.match(/^req_/);
      }
    });
  });

  describe('paths', () => {
    it('answers an unknown path with not_found', async () => {
      for (const path of [
        '/nowhere',
        '/nowhere/',
        '/api/v1/orders//',
        '/API/v1/wallet',
        '/api/v1/ORDERS/x',
        '/%zz',
        '//wallet',
      ]) {
        const { status, body } = await platform.request(`GET ${path}`, { key: buyer.key });
        expect([status, body.error], path).to.deep.equal([404, 'not_found']);
      }
    });

    it('takes a slash at the end of any path, with the query behind it', async () => {
      const { body: order } = await buy();
      const listed = await platform.request('GET /api/v1/orders/?limit=1', buyer);
      expect([listed.status, listed.body.count]).to.deep.equal([200, 1]);
      const vault = await platform.request(`GET ${order.item_endpoint}/`, buyer);
      expect([vault.status, vault.body.order_id]).to.deep.equal([200, order.order_id]);
      const docs = await platform.request('GET /api-docs/');
      expect([docs.status, docs.headers.get('content-type')?.split(';')[0]]).to.deep.equal([
        200,
        'text/html',
      ]);
      const body = { product_id };
      expect((await platform.request('POST /api/v1/orders/', { ...buyer, body })).status).to.equal(
        200,
      );
    });

    it('answers another method with method_not_allowed and those that are allowed', async () => {
      for (const [route, allow] of [
        ['DELETE /api/v1/orders', 'GET, POST, OPTIONS'],
        ['PUT /api/v1/jobs/1', 'GET, OPTIONS'],
        ['POST /api/v1/products/mine', 'GET, PATCH, OPTIONS'],
      ] as const) {
        const { status, body, headers } = await platform.request(route, { key: buyer.key });
        expect([status, body.error], route).to.deep.equal([405, 'method_not_allowed']);
        expect(headers.get('allow')!.split(', '), route).to.have.members(allow.split(', '));
      }
    });

    it('runs no operation for HEAD, and pages without their body', async () => {
      for (const path of ['/api/v1/wallet', '/vault/1', '/api/v1/products/search?query=a']) {
        const { status, text } = await platform.request(`HEAD ${path}`, { key: buyer.key });
        expect([status, text], path).to.deep.equal([405, '']);
      }
      for (const path of ['/healthz', '/docs/owners', '/docs/rails/x402/']) {
        const { status, text } = await platform.request(`HEAD ${path}`);
        expect([status, text], path).to.deep.equal([200, '']);
      }
      const { headers } = await platform.request('POST /docs/owners');
      expect(headers.get('allow')).to.equal('HEAD, GET, OPTIONS');
    });

    it('answers OPTIONS with the methods that are allowed', async () => {
      const { status, headers } = await platform.request('OPTIONS /api/v1/orders/7');
      expect([status, headers.get('allow')]).to.deep.equal([204, 'GET, OPTIONS']);
    });

    it('serves an operation at its alias too', async () => {
      const { body: order } = await buy();
      const own = await platform.request(`GET ${order.item_endpoint}`, buyer);
      const alias = await platform.request(`GET /api/v1${order.item_endpoint}`, buyer);
      expect(own.status).to.equal(200);
      expect(alias.body).to.deep.equal(own.body);
    });
  });

  describe('authorization', () => {
    it('answers that a key is needed, before anything else', async () => {
      for (const authorization of ['', 'Bearer', 'Bearer a b', 'vnx_1', 'Basic dTpw', 'Digest x']) {
        const { status, body, headers } = await platform.request('POST /api/v1/orders?wait=99', {
          headers: { authorization },
          body: '{',
        });
        expect([status, body.error]).to.deep.equal([401, 'authentication_required']);
        expect(headers.get('www-authenticate')).to.equal('Bearer realm="agent-marketplace"');
      }
    });

    it('answers that a key is wrong', async () => {
      const { status, body, headers } = await platform.request('GET /api/v1/wallet', {
        key: 'vnx_wrong',
      });
      expect([status, body.error]).to.deep.equal([401, 'invalid_key']);
      expect(headers.get('www-authenticate')).to.equal(
        'Bearer realm="agent-marketplace", error="invalid_token"',
      );
    });

    it('takes Bearer in any case', async () => {
      const headers = { authorization: `bearer ${buyer.key}` };
      expect((await platform.request('GET /api/v1/wallet', { headers })).status).to.equal(200);
    });

    it("takes the operator's token as bearer token, and neither as password nor an agent's key", async () => {
      const route = 'GET /api/v1/admin/products';
      expect((await platform.request(route, operator)).status).to.equal(200);
      // A browser that knows the password sends it along with any form of any page.
      const basic = Buffer.from(`admin:${operator.key}`).toString('base64');
      const headers = { authorization: `Basic ${basic}` };
      for (const at of [route, 'POST /api/v1/admin/agents/1/goodwill']) {
        const { body } = await platform.request(at, { headers });
        expect(body.error).to.equal('authentication_required');
      }
      expect((await platform.request(route, buyer)).body.error).to.equal('invalid_key');
    });
  });

  describe('jobs', () => {
    it('are answered when they are finished', async () => {
      const { status, body, headers } = await buy();
      expect([status, body.status]).to.deep.equal([200, 'escrow']);
      expect(headers.get('vary')).to.equal('Prefer');
      expect(headers.get('location')).to.equal(null);
    });

    it('are answered with 202 and where to poll if the caller does not wait', async () => {
      for (const [headers, query, applied] of [
        [{ prefer: 'respond-async' }, '', 'respond-async'],
        [{ prefer: 'wait=0' }, '', 'wait=0'],
        [{ prefer: 'handling=strict, respond-async; foo=bar' }, '', 'respond-async'],
        [{ prefer: 'respond-async' }, '?wait=0', null],
      ] as const) {
        const answer = await buy(headers, query);
        expect(answer.status).to.equal(202);
        const { job_id } = answer.body;
        const poll = `/api/v1/jobs/${job_id}`;
        expect(answer.body).to.deep.equal({ status: 'pending', job_id, poll });
        expect(answer.headers.get('location')).to.equal(poll);
        expect(answer.headers.get('retry-after')).to.equal('1');
        expect(answer.headers.get('preference-applied')).to.equal(applied);
        expect(answer.headers.get('vary')).to.equal('Prefer');
        const { body } = await platform.request(`GET ${poll}?wait=25`, buyer);
        expect([body.status, body.result.status]).to.deep.equal(['complete', 'escrow']);
      }
    });

    it('are waited for from 0 to 25 seconds', async () => {
      for (const wait of ['26', '-1', '1.5', 'soon', '', '1&wait=2']) {
        const { status, body } = await buy({}, `?wait=${wait}`);
        expect([status, body.error], wait).to.deep.equal([422, 'validation_error']);
        expect(body.details.fields[0].pointer).to.equal('/wait');
      }
    });

    it('are waited for as long as the header asks, up to 25 seconds', async () => {
      for (const prefer of ['wait=25', 'wait=60', 'wait=soon', 'wait=', 'wait=-1', 'lights=off']) {
        expect((await buy({ prefer })).status, prefer).to.equal(200);
      }
      await platform.pauseWorkers();
      const { body } = await buy({ prefer: 'wait=0' });
      const polled = platform.request(`GET ${body.poll}`, {
        ...buyer,
        headers: { prefer: 'wait=60' },
      });
      await platform.resumeWorkers();
      expect((await polled).body.status).to.equal('complete');
    });

    it('are waited for, and reads are not', async () => {
      const { status, body } = await platform.request('GET /api/v1/wallet?wait=1', buyer);
      expect([status, body.details.fields[0].pointer]).to.deep.equal([422, '/wait']);
    });

    it('answer a caller that polls as soon as they are finished', async () => {
      await platform.pauseWorkers();
      const { body } = await buy({ prefer: 'respond-async' });
      const at = `GET ${body.poll}`;
      expect((await platform.request(at, buyer)).body.status).to.equal('pending');
      expect((await platform.request(`${at}?wait=1`, buyer)).body.status).to.equal('pending');
      const polled = platform.request(`${at}?wait=25`, buyer);
      await platform.resumeWorkers();
      expect((await polled).body.status).to.equal('complete');
    });

    it('that failed are shown with the error body and its status', async () => {
      const { body } = await buy({ prefer: 'respond-async' }, '', { product_id: 2 ** 31 - 1 });
      const { status, body: job } = await platform.request(`GET ${body.poll}?wait=25`, buyer);
      expect([status, job.status, job.http_status]).to.deep.equal([200, 'failed', 404]);
      expect(job.error).to.include({ success: false, error: 'not_found' });
    });
  });
});
