import { expect } from 'chai';

import { TestPlatform } from '../../harness.ts';
import { problemsOfParameters, type Schema } from './strict_rules.ts';

interface Declared {
  type: string;
  function: {
    name: string;
    description: string;
    strict: boolean;
    parameters: Schema;
  };
}

describe('/openai-schema.json', () => {
  let platform: TestPlatform;
  let functions: Declared[];
  let agent: { key: string };

  before(async () => {
    platform = await TestPlatform.open();
    agent = await platform.agent({ usd: 10 });
    functions = (await platform.request('GET /openai-schema.json')).body;
  });
  after(() => platform.close());

  it('declares every tool, and nothing else', async () => {
    const { body } = await platform.request('POST /api/v1/mcp', {
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    });
    const tools = body.result.tools.map(({ name }: { name: string }) => name);
    expect(functions.map((one) => one.function.name)).to.deep.equal(tools);
  });

  it('keeps the strict rules in every function but those that mean something by null', () => {
    for (const declared of functions) {
      const { name, description, parameters, strict } = declared.function;
      expect(declared.type).to.equal('function');
      expect(name).to.match(/^[\w-]{1,64}$/);
      expect(description.length).to.be.within(20, 1_024);
      if (strict) expect(problemsOfParameters(parameters), name).to.deep.equal([]);
    }
    const others = functions.filter((one) => !one.function.strict);
    expect(others.map((one) => one.function.name)).to.deep.equal(['set_policy']);
  });

  it('describes in words what the strict rules do not allow as keywords', () => {
    const search = functions.find((one) => one.function.name === 'search_assets')!;
    const { limit, category } = search.function.parameters.properties!;
    expect(limit).to.deep.equal({
      type: ['integer', 'null'],
      description: '20 if absent. (minimum 1, maximum 100)',
    });
    expect(category).to.deep.include({ type: ['string', 'null'] });
  });

  it('takes null for "not given" in every tool', async () => {
    for (const { function: declared } of functions) {
      const { name, parameters } = declared;
      const isNullable = ({ type = [], anyOf = [] }: Schema) =>
        type.includes('null') || anyOf.some((one) => one.type === 'null');
      const nulls = Object.entries(parameters.properties!)
        .filter(([, schema]) => isNullable(schema))
        .map(([field]) => [field, null]);
      const call = async (params: object) => {
        const { status, body } = await platform.request('POST /api/v1/mcp/call', {
          key: agent.key,
          body: { tool: name, params },
        });
        return { status, details: body.structuredContent.details };
      };
      expect(await call(Object.fromEntries(nulls)), name).to.deep.equal(await call({}));
    }
  });

  it('sells by a call with nulls, by tool and by REST, and refuses null in a required field', async () => {
    const { id: product_id } = await platform.product(await platform.agent(), {
      stock_kind: 'unlimited',
      content: 'It.',
    });
    const params = { product_id, quantity: null, idempotency_key: null, wait: null };
    const { key } = agent;
    const tool = await platform.request('POST /api/v1/mcp/call', {
      key,
      body: { tool: 'purchase_product', params },
    });
    expect(tool.body.structuredContent).to.include({ status: 'escrow', quantity: 1 });
    const rest = await platform.request('POST /api/v1/orders', {
      key,
      body: { product_id, quantity: null },
    });
    expect([rest.status, rest.body.quantity]).to.deep.equal([200, 1]);
    const refused = await platform.request('POST /api/v1/orders/preview', {
      key,
      body: { product_id: null },
    });
    expect(refused.status).to.equal(422);
    expect(refused.body.details.fields).to.deep.equal([
      { pointer: '/product_id', message: 'must be integer' },
    ]);
  });
});
