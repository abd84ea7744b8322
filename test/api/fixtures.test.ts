import { expect } from 'chai';

import { TestPlatform, type Reply } from '../harness.ts';
import { expanded } from './expanded.ts';
import { launch, MASTER_KEYS, urlOf, type ApiProcess } from './api_process.ts';

describe('an operation of the fixtures', function () {
  this.timeout(60_000);

  let platform: TestPlatform;
  let api: ApiProcess;
  let url: string;
  let key: string;

  before(async () => {
    platform = await TestPlatform.open({ workers: false, env: { MASTER_KEYS } });
    api = launch(platform, {}, 'test/api/fixture_api.ts');
    url = await urlOf(api);
    ({ key } = await platform.agent());
  });
  after(async () => {
    api.child.kill('SIGKILL');
    await platform.close();
  });

  type Answer = Pick<Reply, 'status' | 'headers' | 'body'>;
  async function send(path: string, init: RequestInit = {}): Promise<Answer> {
    const response = await fetch(url + path, init);
    return { status: response.status, headers: response.headers, body: await response.json() };
  }
  const get = async (path: string) => (await send(path)).body;
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    send(path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const callTool = (tool: string, params: object) => post('/api/v1/mcp/call', { tool, params });

  describe('whose fields REST names differently', () => {
    const path = '/api/v1/test/7/agents';
    const pointersOf = (body: { details: { fields: { pointer: string }[] } }) =>
      body.details.fields.map(({ pointer }) => pointer);

    it('takes the names of REST in a body, and its own in a tool call', async () => {
      const sent = { agent_name: 'ada', permissions: 'read,buy' };
      const rest = await post(path, sent);
      const input = { parent: 7, name: 'ada', scopes: ['read', 'buy'] };
      expect([rest.status, JSON.parse(rest.body.text)]).to.deep.equal([200, input]);
      const tool = await callTool('test_dialect', input);
      expect(tool.body.structuredContent).to.deep.equal(rest.body);
    });

    it('takes null of an optional field for "not given"', async () => {
      const { body } = await post(path, { agent_name: 'ada', permissions: null });
      expect(JSON.parse(body.text)).to.deep.equal({ parent: 7, name: 'ada' });
    });

    it('reads its path and its query by the types of REST', async () => {
      const { body } = await post(`${path}?permissions=7`, { agent_name: 'ada', parent_id: '7' });
      expect(JSON.parse(body.text)).to.deep.equal({ parent: 7, name: 'ada', scopes: ['7'] });
      const wrong = await post('/api/v1/test/x/agents', { agent_name: 'ada' });
      expect([wrong.status, pointersOf(wrong.body)]).to.deep.equal([422, ['/parent_id']]);
    });

    it('refuses by the names and the bounds of REST', async () => {
      for (const [body, pointers] of [
        [{ name: 'ada' }, ['/agent_name']],
        [{ agent_name: 'longer' }, ['/agent_name']],
        [{ agent_name: 'a\u0000' }, ['/agent_name']],
      ] as const) {
        const answer = await post(path, body);
        expect([answer.status, answer.body.error]).to.deep.equal([422, 'validation_error']);
        expect(pointersOf(answer.body), JSON.stringify(body)).to.have.members(pointers);
      }
      const { body } = await post(path, { agent_name: 'ada', scopes: ['read'] });
      expect(body.ignored).to.deep.equal(['scopes']);
      const tool = await callTool('test_dialect', { parent: 7, name: 'longer' });
      expect(tool.status).to.equal(200);
    });

    it('is documented with the names of REST, and listed as a tool with its own', async () => {
      const { paths } = expanded(await get('/openapi.json'));
      const { parameters, requestBody } = paths['/api/v1/test/{parent_id}/agents'].post;
      expect(parameters.map(({ name }: { name: string }) => name)).to.deep.equal(['parent_id']);
      const { schema } = requestBody.content['application/json'];
      expect(Object.keys(schema.properties)).to.deep.equal(['agent_name', 'permissions']);
      expect(schema.required).to.deep.equal(['agent_name']);
      const list = await post('/api/v1/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' });
      const isIt = ({ name }: { name: string }) => name === 'test_dialect';
      const fields = Object.keys(list.body.result.tools.find(isIt).inputSchema.properties);
      expect(fields).to.deep.equal(['parent', 'name', 'scopes']);
      const functions = await get('/openai-schema.json');
      const declared = functions.find((one: { function: { name: string } }) => isIt(one.function));
      expect(Object.keys(declared.function.parameters.properties)).to.deep.equal(fields);
    });
  });

  it('is listed with the keywords of its schema that ours do not need', async () => {
    const list = await post('/api/v1/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const tools: { name: string; inputSchema: object }[] = list.body.result.tools;
    const { inputSchema } = tools.find(({ name }) => name === 'json_schema_2020_12_tool')!;
    expect(inputSchema).to.include({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      additionalProperties: false,
    });
    expect(inputSchema).to.deep.include({
      allOf: [{ anyOf: [{ required: ['name'] }, { required: ['address'] }] }],
    });
    expect(inputSchema).to.have.nested.property('$defs.address.$anchor', 'address');
  });

  describe('that is deferred', () => {
    const status = 'approval_required';

    it('is answered 202 by REST, with where to poll', async () => {
      const headers = { 'idempotency-key': 'deferred' };
      const first = await post('/api/v1/test/deferred', {}, headers);
      expect([first.status, first.body.status]).to.deep.equal([202, status]);
      expect(first.body.poll).to.match(/^\/api\/v1\/jobs\/[0-9a-f-]{36}$/);
      expect(first.headers.get('location')).to.equal(first.body.poll);
      expect(first.headers.get('retry-after')).to.equal('1');
      const second = await post('/api/v1/test/deferred', {}, headers);
      expect([second.status, second.body]).to.deep.equal([202, first.body]);
      expect(second.headers.get('idempotent-replayed')).to.equal('true');
    });

    it('is no error to a tool call', async () => {
      const single = await callTool('test_deferred', {});
      expect([single.status, single.body.structuredContent.status]).to.deep.equal([202, status]);
      expect(single.body).not.to.have.property('isError');
      const message = await post('/api/v1/mcp', {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'test_deferred' },
      });
      expect(message.body.result.structuredContent).to.include({ status });
      expect(message.body.result).not.to.have.property('isError');
    });
  });
});
