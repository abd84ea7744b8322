import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect } from 'chai';

import { TestPlatform } from '../../harness.ts';

interface Documented {
  operationId: string;
  summary: string;
  security: object[];
  parameters: { name?: string; in?: string; $ref?: string }[];
  requestBody?: { content: { 'application/json': { schema: { required: string[] } } } };
  responses: Record<string, object>;
}

describe('/openapi.json', () => {
  let platform: TestPlatform;
  let text: string;
  let paths: Record<string, Record<string, Documented>>;

  before(async () => {
    platform = await TestPlatform.open({ workers: false });
    const reply = await platform.request('GET /openapi.json');
    ({ text } = reply);
    ({ paths } = reply.body);
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
      const inBody = requestBody?.content['application/json'].schema.required ?? [];
      const named = [...inBody, ...parameters.map((parameter) => parameter.name)];
      expect(named, name).to.include.members(inputSchema.required ?? []);
    }
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
