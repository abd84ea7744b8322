import { expect } from 'chai';

import { TestPlatform } from '../../../harness.ts';
import { problemsOfParameters } from '../../docs/strict_rules.ts';
import { forAll, forGemini, forStrictValidators, sizeForOpenAi, type Tool } from './profiles.ts';

const LISTS = ['', '/lean', '/core', '/buyer', '/worker'];

describe('lists of tools, as their readers take them', () => {
  let platform: TestPlatform;
  const lists = new Map<string, readonly Tool[]>();
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
    for (const list of LISTS) {
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
      const reply = await platform.request(`POST /api/v1/mcp${list}`, { body });
      lists.set(list, reply.body.result.tools);
    }
  });
  after(() => platform.close());

  for (const [reader, problemsOf] of Object.entries({ forAll, forGemini, forStrictValidators })) {
    it(`have no problem ${reader.replaceAll(/(?=[A-Z])/g, ' ')}`, () => {
      for (const [list, tools] of lists) {
        expect(tools, list).not.to.have.length(0);
        for (const tool of tools) expect(problemsOf(tool), `${list} ${tool.name}`).to.eql([]);
      }
    });
  }

  it('that clients are given are of at most 128 tools, which VS Code takes', () => {
    const more = "a new tool is bindings: { tool: 'by_name' }, which this list leaves out";
    for (const [list, tools] of lists) {
      expect(tools.length, `${list}: ${more}`).to.be.at.most(128);
    }
  });

  it('are functions of OpenAI by its strict rules, each field of which can hold a value', async () => {
    const { body } = await platform.request('GET /openai-schema.json');
    for (const { function: declared } of body) {
      const { name, parameters, strict } = declared;
      expect(sizeForOpenAi(parameters), name).to.deep.equal([]);
      if (!strict) continue;
      expect(problemsOfParameters(parameters), name).to.deep.equal([]);
      for (const [field, { type, properties = {} }] of Object.entries<Tool['inputSchema']>(
        parameters.properties,
      )) {
        const isEmpty = [type].flat().includes('object') && Object.keys(properties).length === 0;
        expect(isEmpty, `${name} ${field}`).to.equal(false);
      }
    }
  });

  it('are what the linter would find a problem in', () => {
    const tool = (inputSchema: Tool['inputSchema']): Tool => ({
      name: 'a',
      description: 'b',
      inputSchema,
    });
    const field = (schema: Tool['inputSchema']) =>
      tool({ type: 'object', properties: { f: schema }, required: [] });
    for (const wrong of [
      { type: 'array', items: { type: 'string' }, uniqueItems: true },
      { type: ['string', 'null'] },
      { type: 'string', format: 'email' },
      { type: 'integer', enum: [1, 2] },
      { type: 'number', exclusiveMinimum: 0 },
      { anyOf: [{ type: 'string' }, { type: 'number' }] },
      { type: 'string', properties: {} },
      { type: 'array' },
      { const: 'x' },
    ]) {
      expect(forGemini(field(wrong)), JSON.stringify(wrong)).not.to.deep.equal([]);
    }
    for (const wrong of [
      { type: 'string', format: 'no-such-format' },
      { type: 'string', minimum: 1 },
      { type: 'object', sometimes: true },
      { properties: { a: { type: 'string' } } },
    ]) {
      expect(forStrictValidators(field(wrong)), JSON.stringify(wrong)).not.to.deep.equal([]);
    }
    expect(forAll({ ...tool({ type: 'string' }), name: 'A-b' })).to.have.length(2);
  });
});
