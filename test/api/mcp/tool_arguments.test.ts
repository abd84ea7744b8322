import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { audit } from '../../../shared/composition/audit.ts';
import { TestPlatform } from '../../harness.ts';

type Agent = Awaited<ReturnType<TestPlatform['agent']>>;

/** The words of models and clients, who misname a field, spell a key otherwise or add their own. */
describe('the arguments of a tool', () => {
  let platform: TestPlatform;
  let buyer: Agent;
  let product: { id: number };
  before(async () => {
    platform = await TestPlatform.open();
    buyer = await platform.agent({ usd: 20 });
    const items = Array.from({ length: 40 }, () => `KEY-${randomUUID()}`);
    product = await platform.product(await platform.agent(), { price: 1, items });
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const post = async (body: object, headers = {}) => {
    const sent = { key: buyer.key, body, headers };
    return (await platform.request('POST /api/v1/mcp/call', sent)).body.structuredContent;
  };
  const call = (tool: string, params: unknown, headers = {}) => post({ tool, params }, headers);
  const rpc = async (name: string, args: object, { meta = {}, headers = {}, beside = {} } = {}) => {
    const { body } = await platform.request('POST /api/v1/mcp', {
      key: buyer.key,
      headers: { accept: 'application/json, text/event-stream', ...headers },
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: args, _meta: meta, ...beside },
      },
    });
    return body.result.structuredContent;
  };
  const balance = () => platform.balance(buyer);

  it('refuses fields of a tool that stand beside its arguments, and moves nothing', async () => {
    const before = await balance();
    const { body } = await platform.request('POST /api/v1/mcp', {
      key: buyer.key,
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: 'purchase_product',
          arguments: { product_id: product.id },
          max_total_due: 0.01,
        },
      },
    });
    expect(body.error.code).to.equal(-32602);
    expect(body.error.message).to.contain('/params/max_total_due is a field of the tool');
    expect(await balance()).to.equal(before);
    // Fields of MCP, and those that some clients add, are no fields of the tool.
    const beside = { task: { ttl: 60_000 }, toolCallId: '1' };
    expect((await rpc('purchase_product', { product_id: product.id }, { beside })).status).to.equal(
      'escrow',
    );
    expect((await post({ tool: 'get_wallet', details: true })).ignored).to.deep.equal(['details']);
  });

  for (const [tool, params, field, meant] of [
    ['purchase_product', { max_price: 0.01 }, 'max_price', 'max_total_due'],
    ['purchase_product', { dryRun: true }, 'dryRun', undefined],
    ['purchase_product', { quantity: 1, maxTotalDue: 0.5 }, 'maxTotalDue', 'max_total_due'],
    ['proxy_list', { country_code: 'DE' }, 'country_code', 'country'],
    ['set_policy', { daily_limit: 1 }, 'daily_limit', undefined],
    [
      'set_policy',
      { max_spend_per_transaction: 1 },
      'max_spend_per_transaction',
      'max_spend_per_tx',
    ],
    ['withdraw', { amount: 1, dry_run: true }, 'dry_run', undefined],
  ] as const) {
    it(`refuses ${field} of ${tool}, says what was meant, and moves nothing`, async () => {
      const before = await balance();
      const given = tool === 'purchase_product' ? { product_id: product.id, ...params } : params;
      const refused = await call(tool, given);
      expect(refused.error, JSON.stringify(refused)).to.equal('validation_error');
      const fields = refused.details.fields as { pointer: string; message: string }[];
      const { message } = fields.find(({ pointer }) => pointer === `/${field}`)!;
      if (meant) expect(message).to.contain(`did you mean ${meant}?`);
      else expect(message).to.match(/is not a field of this call(, which has |: did you mean |$)/);
      expect((await rpc(tool, given)).error).to.equal('validation_error');
      expect(await balance()).to.equal(before);
    });
  }

  it('are named by a read that does not use them', async () => {
    const params = { query: 'serial', max_results: 3, wait: 0, toolCallId: 'call_1', cursor: null };
    const { ignored, error } = await call('search_assets', params);
    expect([ignored, error]).to.deep.equal([['max_results'], undefined]);
    expect(await call('search_assets', { query: 'serial' })).not.to.have.property('ignored');
  });

  it('may be none, in each way to say so, and what clients add by themselves', async () => {
    for (const params of [undefined, null, [], '', {}, { random_string: 'x', sessionId: 'a' }]) {
      expect(await call('get_wallet', params), JSON.stringify(params)).to.have.property('balance');
    }
    expect((await call('get_wallet', 'all')).error).to.equal('validation_error');
    expect((await call('get_wallet', [1])).error).to.equal('validation_error');
    // Arguments that n8n sends with every call of a tool.
    const added = { toolCallId: 'call_0', sessionId: 's', action: 'sendMessage', chatInput: 'Buy' };
    const bought = await call('purchase_product', { product_id: product.id, ...added });
    expect(bought.status).to.equal('escrow');
  });

  it('are not the only thing that a call may say, and nothing beside them is left out', async () => {
    const args = { product_id: product.id };
    const before = await balance();
    for (const body of [
      { tool: 'purchase_product', params: args, max_total_due: 0.01 },
      { tool: 'purchase_product', params: args, request_id: 'r-1' },
      { tool: 'purchase_product', params: args, name: 'get_wallet' },
      { tool: 'purchase_product', params: args, parameters: { ...args, quantity: 2 } },
      { tool: 'purchase_product', params: {}, arguments: args },
    ]) {
      expect((await post(body)).error, JSON.stringify(body)).to.equal('validation_error');
    }
    expect(await balance()).to.equal(before);
    expect(await post({ tool: 'get_wallet', params: {}, verbose: true })).to.include({
      balance: before,
    });
  });

  it('carry the idempotency key by each name in use, beside them, in _meta and in the header', async () => {
    const args = { product_id: product.id };
    const key = randomUUID();
    const before = await balance();
    const first = await call('purchase_product', { ...args, idempotency_key: key });
    for (const again of [
      await call('purchase_product', { ...args, idempotencyKey: key }),
      await call('purchase_product', { ...args, 'idempotency-key': key }),
      await call('purchase_product', args, { 'idempotency-key': key }),
      await rpc('purchase_product', args, { headers: { 'idempotency-key': key } }),
      await rpc('purchase_product', args, { meta: { 'idempotency-key': key } }),
      await rpc('purchase_product', args, { meta: { idempotencyKey: key } }),
      await rpc('purchase_product', { ...args, quantity: null, idempotency_key: key }),
      await call('purchase_product', { ...args, request_id: key }),
      await post({ tool: 'purchase_product', params: args, idempotency_key: key }),
      await rpc('purchase_product', args, { beside: { idempotency_key: key } }),
      await post({ name: 'purchase_product', arguments: args, _meta: { idempotencyKey: key } }),
      // Beside a key it is a number of the client's own.
      await rpc('purchase_product', { ...args, request_id: 'r-1', idempotency_key: key }),
    ]) {
      expect(again).to.deep.equal(first);
    }
    expect(await balance()).to.be.closeTo(before - 1.1, 1e-9);
    for (const refused of [
      await call('purchase_product', { ...args, idempotency_key: key, idempotencyKey: 'other' }),
      await call('purchase_product', { ...args, idempotency_key: key }, { 'idempotency-key': 'b' }),
      await rpc(
        'purchase_product',
        { ...args, idempotency_key: key },
        { meta: { idempotencyKey: 'b' } },
      ),
      await rpc('purchase_product', args, {
        meta: { idempotencyKey: key, 'idempotency-key': 'b' },
      }),
      await rpc('purchase_product', { ...args, idempotency_key: 7 }),
      await rpc('purchase_product', { ...args, request_id: 7 }),
    ]) {
      expect(refused.error).to.equal('validation_error');
    }
    expect(await balance()).to.be.closeTo(before - 1.1, 1e-9);
  });
});
