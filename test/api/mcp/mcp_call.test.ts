import { expect } from 'chai';

import { asOwner } from '../../as_owner.ts';
import { TestPlatform } from '../../harness.ts';

describe('POST /api/v1/mcp/call', () => {
  let platform: TestPlatform;
  let agent: { key: string };

  before(async () => {
    platform = await TestPlatform.open();
    agent = await platform.agent({ usd: 10 });
  });
  after(() => platform.close());

  const call = (body: object | string, { key, ...headers }: { [name: string]: string } = {}) =>
    platform.request('POST /api/v1/mcp/call', { ...(key && { key }), body, headers });

  it('takes both forms and answers a tool result', async () => {
    const { key } = agent;
    const job_id = '00000000-0000-7000-8000-000000000000';
    for (const body of [
      { tool: 'get_job', params: { job_id } },
      { name: 'get_job', parameters: { job_id } },
    ]) {
      const { status, body: result } = await call(body, { key });
      expect(status).to.equal(404);
      expect(result.isError).to.equal(true);
      expect(result.structuredContent.error).to.equal('not_found');
      expect(JSON.parse(result.content[0].text)).to.deep.equal(result.structuredContent);
    }
    const wallet = await call({ tool: 'get_wallet' }, { key });
    expect(wallet.status).to.equal(200);
    expect(wallet.body.isError).to.equal(undefined);
    expect(wallet.body.structuredContent.balance).to.equal(10.5);
  });

  it('answers with the status REST would give', async () => {
    const { key } = agent;
    const purchase = (params: object) => ({ tool: 'purchase_product', params });
    const seller = await platform.agent();
    const { id: product_id } = await platform.product(seller, { price: 1 });
    const cases: [number, string, object, Record<string, string>?][] = [
      [401, 'authentication_required', purchase({ product_id })],
      [401, 'invalid_key', purchase({ product_id }), { key: 'vnx_wrong' }],
      [422, 'validation_error', purchase({}), { key }],
      [422, 'validation_error', purchase({ product_id, wait: 26 }), { key }],
      [400, 'self_purchase', purchase({ product_id }), { key: seller.key }],
    ];
    for (const [status, code, body, headers] of cases) {
      const answer = await call(body, headers);
      expect([answer.status, answer.body.structuredContent.error]).to.deep.equal([status, code]);
    }
    const pending = await call(purchase({ product_id, wait: 0 }), { key });
    expect(pending.status).to.equal(202);
    const { poll } = pending.body.structuredContent;
    expect(pending.headers.get('location')).to.equal(poll);
    const done = await platform.request(`GET ${poll}?wait=20`, { key });
    expect(done.body.status).to.equal('complete');
  });

  it('refuses an unknown tool with not_found, but without a key with 401', async () => {
    const unknown = await call({ tool: 'steal', params: {} }, { key: agent.key });
    expect([unknown.status, unknown.body.structuredContent.error]).to.deep.equal([
      404,
      'not_found',
    ]);
    const unkeyed = await call({ tool: 'steal', params: {} });
    expect(unkeyed.status).to.equal(401);
    expect(unkeyed.headers.get('www-authenticate')).to.contain('Bearer');
  });

  it('answers a caller without a valid key 401, whatever it sends', async () => {
    const large = JSON.stringify({ tool: 'get_wallet', params: { text: 'x'.repeat(300_000) } });
    const bodies = ['[]', '{', {}, { tool: 7 }, { tool: 'register_agent', params: 7 }, large];
    for (const body of bodies) {
      const wrong = await call(body, { key: 'vnx_wrong' });
      expect([wrong.status, wrong.body.structuredContent.error]).to.deep.equal([
        401,
        'invalid_key',
      ]);
    }
    for (const body of ['[]', '{', {}, { tool: 7 }, { tool: 'get_wallet', params: 7 }, large]) {
      const { status, body: result, headers } = await call(body);
      expect([status, result.structuredContent.error]).to.deep.equal([
        401,
        'authentication_required',
      ]);
      expect(headers.get('www-authenticate')).to.contain('Bearer');
    }
    // The two tools that need none.
    expect((await call({ tool: 'proxy_info' })).status).to.equal(200);
    expect((await call({ tool: 'register_agent', params: {} })).status).to.equal(422);
  });

  it('refuses what is not a call with validation_error, and text that cannot be stored', async () => {
    const noText = { tool: 'search_assets', params: { query: 'a\u0000b' } };
    const none = ['[]', '7', '{', {}, { tool: 7 }, { tool: 'get_wallet', params: [7] }];
    for (const body of [...none, noText]) {
      const { status, body: result } = await call(body, { key: agent.key });
      expect(status, JSON.stringify(body)).to.equal(422);
      expect(result.structuredContent.error).to.equal('validation_error');
    }
    for (const wait of [-1, 26, 0.5, 'soon', true]) {
      const purchase = { tool: 'purchase_product', params: { product_id: 1, wait } };
      const { status, body: result } = await call(purchase, { key: agent.key });
      expect(status, String(wait)).to.equal(422);
      expect(result.structuredContent.details.fields[0].pointer).to.equal('/wait');
    }
  });

  it('answers a fault without a word of what it was, by every way to call a tool', async () => {
    const { key } = agent;
    const post = (method: string, params: object) =>
      platform.request('POST /api/v1/mcp', {
        key,
        body: { jsonrpc: '2.0', id: 1, method, params },
      });
    await asOwner(platform, 'revoke select on ledger.treasury from market_app');
    const replies = [
      await post('tools/call', { name: 'get_wallet' }),
      await call({ tool: 'get_wallet' }, { key }),
      await post('resources/read', { uri: 'marketplace://wallet' }),
    ] as const;
    await asOwner(platform, 'grant select on ledger.treasury to market_app');
    const [called, alone, resource] = replies;
    expect(called.body.result).to.include({ isError: true });
    expect(called.body.result.structuredContent.error).to.equal('internal_error');
    expect([alone.status, alone.body.isError]).to.deep.equal([500, true]);
    expect(resource.body.error.data.error).to.equal('internal_error');
    for (const { text } of replies)
      expect(text).not.to.match(/treasury|permission|select|at \w+ \(/i);
  });

  it('takes an Idempotency-Key from the header too', async () => {
    const seller = await platform.agent();
    const { id: product_id } = await platform.product(seller, { price: 1 });
    const purchase = { tool: 'purchase_product', params: { product_id } };
    const headers = { key: agent.key, 'idempotency-key': 'from-the-header' };
    const [first, second] = [await call(purchase, headers), await call(purchase, headers)];
    expect(first.status).to.equal(200);
    expect(second.text).to.equal(first.text);
    expect(second.headers.get('idempotent-replayed')).to.equal('true');
  });
});
