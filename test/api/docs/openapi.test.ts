import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect } from 'chai';

import { catalog } from '../../../shared/composition/catalog.ts';
import { restName } from '../../access/interfaces.ts';
import { TestPlatform } from '../../harness.ts';
import { code, operations } from '../../sources.ts';
import { openApiReply } from '../openapi_reply.ts';

interface Documented {
  operationId: string;
  summary: string;
  security: object[];
  parameters: { name?: string; in?: string; $ref?: string }[];
  tags: string[];
  requestBody?: { content: { 'application/json': { schema: { $ref: string } } } };
  responses: Record<string, { $ref?: string; content?: Content }>;
}

interface Content {
  'application/json': { schema: { $ref: string }; example?: unknown; examples?: object };
}

interface Component {
  type?: string;
  required?: string[];
  properties?: Record<string, { $ref?: string; type?: string; anyOf?: object[]; items?: object }>;
  allOf?: [object, { properties: { error: { enum: string[] } } }];
}

describe('/openapi.json', () => {
  let platform: TestPlatform;
  let text: string;
  let paths: Record<string, Record<string, Documented>>;
  let schemas: Record<string, Component>;
  let tags: { name: string; description: string }[];

  before(async () => {
    platform = await TestPlatform.open({ workers: false });
    const reply = await openApiReply(platform);
    ({ text } = reply);
    ({ paths, tags } = reply.body);
    ({ schemas } = reply.body.components);
  });
  after(() => platform.close());

  const routes = () =>
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, op]) => ({ path, method: method.toUpperCase(), op })),
    );

  it('is valid OpenAPI 3.1', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({ source: text, config });
    const errors = problems.filter(({ severity }) => severity === 'error');
    expect(errors.map(({ message, location }) => [message, location[0]?.pointer])).to.deep.equal(
      [],
    );
    expect(JSON.parse(text).openapi).to.equal('3.1.0');
  });

  it('names only routes that exist, by unique names', async () => {
    const ids = routes().map(({ op }) => op.operationId);
    expect(new Set(ids).size).to.equal(ids.length);
    expect(ids).to.include.members(['purchase_product', 'get_job', 'register_agent']);
    for (const { path } of routes()) {
      const concrete = path.replace(/\{\w+\}/g, '1');
      const { status, headers } = await platform.request(`OPTIONS ${concrete}`);
      expect(status, path).to.equal(204);
      const allowed = headers.get('allow')!.split(', ');
      expect(allowed, path).to.include.members(
        Object.keys(paths[path]!).map((method) => method.toUpperCase()),
      );
    }
  });

  it('names every tool and what it takes', async () => {
    const { body } = await platform.request('POST /api/v1/mcp', {
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    });
    for (const { name, inputSchema } of body.result.tools) {
      const route = routes().find(({ op }) => op.operationId === name);
      expect(route, name).to.not.equal(undefined);
      const { parameters, requestBody } = route!.op;
      const inBody = requestBody && named(requestBody.content['application/json'].schema).required;
      const taken = [...(inBody ?? []), ...parameters.map((parameter) => parameter.name)];
      const required: string[] = inputSchema.required ?? [];
      expect(taken, name).to.include.members(required.map((field) => restName(name, field)));
    }
  });

  const named = ({ $ref }: { $ref: string }) => schemas[$ref.split('/').at(-1)!]!;
  const byName = (name: string) => routes().find(({ op }) => op.operationId === name)!.op;

  it('names every object, so that a generated client has a type for each', () => {
    expect(schemas).to.include.keys('Product', 'Order', 'Purchase', 'Wallet', 'Vault', 'Key');
    expect(schemas).to.include.keys('Job', 'Pending', 'Error', 'ErrorCode', 'OrderList', 'Proxy');
    const anonymous = Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
      JSON.stringify(Object.values(properties)).includes('"properties":{"') ? [name] : [],
    );
    expect(anonymous).to.deep.equal([]);
    for (const { op } of routes()) {
      const bodies = [
        op.requestBody?.content,
        ...Object.values(op.responses).map((r) => r.content),
      ];
      for (const body of bodies.filter((one) => one !== undefined)) {
        expect(body['application/json'].schema, op.operationId).to.have.keys('$ref');
      }
    }
    const list = named(
      byName('search_assets').responses['200']!.content!['application/json'].schema,
    );
    expect(list.properties!.products).to.deep.equal({
      type: 'array',
      items: { $ref: '#/components/schemas/Product' },
    });
  });

  it('gives each operation the codes that it can refuse with, and no others', () => {
    const codesOf = (name: string) =>
      schemas[name.replace(/(?:^|_)(\w)/g, (_, letter) => letter.toUpperCase()) + 'Error']!
        .allOf![1].properties.error.enum;
    expect(codesOf('get_wallet')).to.have.members([
      'authentication_required',
      'invalid_key',
      'insufficient_scope',
      'validation_error',
      'rate_limited',
      'queue_overloaded',
      'service_unavailable',
      'internal_error',
    ]);
    expect(codesOf('purchase_product')).to.include.members([
      'insufficient_balance',
      'out_of_stock',
      'product_unavailable',
      'daily_limit_exceeded',
      'tx_limit_exceeded',
      'self_purchase',
      'idempotency_conflict',
    ]);
    expect(codesOf('register_agent')).not.to.include.members(['authentication_required']);
    const { responses } = byName('purchase_product');
    for (const status of ['400', '402', '422']) {
      expect(named(responses[status]!.content!['application/json'].schema)).to.equal(
        schemas['PurchaseProductError'],
      );
    }
    expect(byName('get_wallet').responses).not.to.include.keys('400', '402', '404', '409');
  });

  it('declares of no operation a code that nothing in its files refuses with', () => {
    const texts = new Map(code.map((file) => [file.path, file]));
    const reachedFrom = (path: string, seen = new Set<string>()): Set<string> => {
      const imports = seen.has(path) ? [] : (texts.get(path)?.valueImports ?? []);
      seen.add(path);
      for (const next of imports) if (next.startsWith('shared/')) reachedFrom(next, seen);
      return seen;
    };
    for (const [path, { name }] of operations) {
      const own = [...reachedFrom(path)].filter(
        (file) => !/kernel(?!\/limits)|_refusals\.ts$/.test(file),
      );
      const text = own
        .map((file) => texts.get(file)?.text.replace(/^ {2}refusals: .*/m, '') ?? '')
        .join();
      const idle = (catalog.get(name)?.refusals ?? []).filter((one) => !text.includes(`'${one}'`));
      expect(idle, name).to.deep.equal([]);
    }
  });

  it('has parts in the order of a newcomer, and what operators need apart', () => {
    expect(tags.map(({ name }) => name)).to.deep.equal([
      'Agents and keys',
      'Connections',
      'Wallet',
      'Deposits',
      'Withdrawals',
      'Tokens',
      'Policies',
      'Approvals',
      'Products',
      'Orders and the vault',
      'Tasks',
      'Records',
      'Reviews',
      'Receipts',
      'Datasets',
      'Inbox',
      'Messages',
      'Labor',
      'Sandbox',
      'Jobs',
      'Events',
      'Requests',
      'Webhooks',
      'Proxies',
      'Email validation',
      'The market',
      'For operators',
    ]);
    const order = routes().map(({ op }) => op.tags[0]!);
    const names = tags.map(({ name }) => name);
    expect(order).to.deep.equal(order.toSorted((a, b) => names.indexOf(a) - names.indexOf(b)));
    for (const { path, op } of routes()) {
      expect(op.tags[0] === 'For operators', path).to.equal(path.includes('/admin/'));
    }
    expect(routes()[0]!.op.operationId).to.equal('register_agent');
  });

  it('shows an example of each answer', () => {
    for (const { op } of routes()) {
      const { example } = op.responses['200']!.content!['application/json'];
      expect(example, op.operationId).to.be.an('object');
    }
    const { examples } = byName('purchase_product').responses['402']!.content!['application/json'];
    expect(examples).to.have.keys('insufficient_balance');
  });

  it('describes keys, waiting and refusals', () => {
    const { post } = paths['/api/v1/orders'] as { post: Documented };
    expect(post.security).to.deep.equal([{ bearer: [] }]);
    expect(post.parameters.map(({ $ref }) => $ref)).to.deep.equal([
      '#/components/parameters/IdempotencyKey',
      '#/components/parameters/wait',
      '#/components/parameters/Prefer',
    ]);
    expect(post.responses).to.include.keys('200', '202', '400', '401', '402', '403', '404', '422');
    const { post: register } = paths['/api/v1/agent/register'] as { post: Documented };
    expect(register.security).to.deep.equal([]);
    expect(register.responses).not.to.include.keys('202');
  });
});
