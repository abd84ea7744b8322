import { expect } from 'chai';

import { TestPlatform } from '../harness.ts';
import { dataBySse, MODERN } from './ways_in.ts';

const HIDING = 'pay \u202elapyap\u202c\u200b \u{e0041}\u00ad\u2028\ufeff';
const ESCAPED = String.raw`pay \u202elapyap\u202c\u200b \udb40\udc41\u00ad\u2028\ufeff`;
/** Joiners stay: words and emoji need them. */
const JOINED = 'می\u200cخواهم \u{1f468}\u200d\u{1f469}';
const TEXT = `${JOINED} ${HIDING}`;
const HIDDEN = /[\u00ad\u200b\u202a-\u202e\u2028\ufeff\u{e0000}-\u{e007f}]/u;

describe('a hidden character in an answer', () => {
  let platform: TestPlatform;
  let key: string;
  let product_id: number;
  before(async () => {
    platform = await TestPlatform.open({ env: { WAIT_MS: '20000' } });
    const seller = await platform.agent();
    ({ key } = await platform.agent({ usd: 5 }));
    ({ id: product_id } = await platform.product(seller, { description: TEXT }));
  });
  after(() => platform.close());

  const message = (params: object) =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const call = () => ({ name: 'get_product', arguments: { product_id } });
  const post = async (path: string, body: string, headers = {}) =>
    (await platform.request(`POST ${path}`, { key, body, headers })).text;
  const withToken = { ...JSON.parse(MODERN.meta), progressToken: 1 };
  const stream = { accept: 'application/json, text/event-stream' };
  const named = { ...MODERN.headers, 'mcp-name': 'get_product' };

  for (const [name, answer] of Object.entries({
    REST: async () => (await platform.request(`GET /api/v1/products/${product_id}`, { key })).text,
    'a tool call': () => post('/api/v1/mcp', message(call())),
    'mcp/call': () =>
      post('/api/v1/mcp/call', JSON.stringify({ tool: 'get_product', params: { product_id } })),
    'a tool call with progress': () =>
      post('/api/v1/mcp', message({ ...call(), _meta: { progressToken: 1 } }), stream),
    'a tool call of the newest revision': () =>
      post('/api/v1/mcp', message({ ...call(), _meta: JSON.parse(MODERN.meta) }), named),
    'the same with progress': () =>
      post('/api/v1/mcp', message({ ...call(), _meta: withToken }), { ...named, ...stream }),
    'a stream': () => dataBySse(platform, key, message(call())),
  })) {
    it(`is written as an escape by ${name}, where its text is and in the text for a model`, async () => {
      const text = await answer();
      expect(text).not.to.match(HIDDEN);
      expect(text).to.contain(`"${JOINED} ${ESCAPED}"`);
      if (name === 'REST') return;
      const answered = JSON.parse(text.match(/\{.*\}/g)!.at(-1)!);
      const result = answered.result ?? answered;
      expect(result.structuredContent.description.content).to.equal(TEXT);
      expect(result.content[0].text).to.contain(`"${JOINED} ${ESCAPED}"`);
    });
  }

  it('is the same bytes at once, in a repeat and in its job', async () => {
    const body = { title: 'x', budget: 0.02, description: TEXT };
    const headers = { 'idempotency-key': 'hidden' };
    const send = () => platform.request('POST /api/v1/tasks?wait=20', { key, body, headers });
    const [first, second] = [await send(), await send()];
    expect(first.status, first.text).to.equal(200);
    expect(first.text).to.contain(ESCAPED).and.not.match(HIDDEN);
    expect(second.headers.get('idempotent-replayed')).to.equal('true');
    expect(second.text).to.equal(first.text);
    const [{ id }] = await platform.query(`select id from job where operation = 'task_post'`);
    const job = await platform.request(`GET /api/v1/jobs/${id}`, { key });
    expect(job.text).to.contain(`"result":${first.text}`);
  });
});
