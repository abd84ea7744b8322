import { expect } from 'chai';

import { audit } from '../../../shared/composition/audit.ts';
import { eventually, TestPlatform } from '../../harness.ts';
import { expanded } from '../expanded.ts';
import type { Documented } from './fuzz_values.ts';

/** One character, and three in the form in which it is stored (NFC). */
const LONGER = '\u{1d160}';
/** Two characters, and one in NFC. */
const SHORTER = 'e\u0301';
const UNSEEN = '\u061c\u202e\u200b\u{e0041}\u2066';
/** Fillers of Hangul, an empty pattern of Braille, a mark on nothing, private use. */
const BLANK = '\u3164\uffa0\u2800\u034f\ue000';
const NO_TEXT = ['a\u0000b', '\ud800', 'x\udc00y'];

type Body = Record<string, unknown>;
/** What stores a text that others are shown, with the field and the most that it holds. */
const STORES: readonly [route: string, body: Body, field: string, max: number][] = [
  ['POST /api/v1/agent/spawn', {}, 'agent_name', 31],
  ['POST /api/v1/agent/keys', { scopes: ['read'] }, 'name', 64],
  ['POST /api/v1/webhooks', { url: 'https://hook.example.com/' }, 'description', 200],
  ...(['title', 'description'] as const).map((field): [string, Body, string, number] => [
    'POST /api/v1/products',
    {
      title: 'x',
      description: 'x',
      category: 'api_service',
      price: 0.01,
      stock_kind: 'unlimited',
      content: 'x',
    },
    field,
    { title: 120, description: 5_000 }[field],
  ]),
  ['POST /api/v1/tasks?wait=20', { title: 'x', budget: 0.02 }, 'title', 120],
  ['POST /api/v1/tasks?wait=20', { title: 'x', budget: 0.02 }, 'description', 10_000],
  ...(['title', 'instructions'] as const).map((field): [string, Body, string, number] => [
    'POST /api/v1/labor?wait=20',
    { kind: 'labeling', title: 'x', instructions: 'x', reward: 0.01, units: [{ payload: 'x' }] },
    field,
    { title: 120, instructions: 10_000 }[field],
  ]),
];

describe('text that is stored longer, shorter or not at all', () => {
  let platform: TestPlatform;
  let agent: { id: number; key: string };
  before(async () => {
    platform = await TestPlatform.open();
    agent = await platform.agent({ usd: 100 });
  });
  after(() => platform.close());

  const send = (route: string, body: Body) => platform.request(route, { key: agent.key, body });
  const balance = async () =>
    (await platform.request('GET /api/v1/wallet', { key: agent.key })).body.total_balance;

  for (const [route, body, field, max] of STORES) {
    it(`is measured as it is stored: ${field} of ${route}`, async () => {
      const before = await balance();
      for (const [text, why] of [
        [LONGER.repeat(max), `must have at most ${max} characters`],
        [LONGER.repeat(Math.floor(max / 3) + 1), `must have at most ${max} characters`],
        [UNSEEN, 'must have a visible character'],
        [BLANK, 'must have a visible character'],
        ...NO_TEXT.map((one) => [one, 'characters that are not text'] as const),
      ] as const) {
        if ([UNSEEN, BLANK].includes(text) && route.includes('/tasks') && field === 'description')
          continue;
        const reply = await send(route, { ...body, [field]: text });
        expect([reply.status, reply.body.error], reply.text).to.deep.equal([
          422,
          'validation_error',
        ]);
        expect(reply.text).to.contain(why);
      }
      expect(await balance()).to.equal(before);
      for (const text of [LONGER.repeat(Math.floor(max / 3)), SHORTER.repeat(max)]) {
        const reply = await send(route, { ...body, [field]: text });
        expect(reply.status, reply.text).to.be.oneOf([200, 201]);
        expect(reply.text).to.contain(text.normalize('NFC'));
      }
    });
  }

  it('is no failure in any field of any operation, by REST and as a tool', async () => {
    const { paths } = expanded((await platform.request('GET /openapi.json')).body);
    for (const [path, methods] of Object.entries<Record<string, Documented>>(paths)) {
      for (const [method, op] of Object.entries(methods)) {
        const isOperators = path.includes('/admin/');
        const key = isOperators ? 'operator-token-of-the-tests' : (await platform.agent()).key;
        const route = `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '1')}`;
        const sent = op.requestBody?.content['application/json'];
        const texts = Object.entries(sent?.schema.properties ?? {}).filter(
          ([, { type }]) => type === 'string',
        );
        for (const [name, { maxLength = 300 }] of texts) {
          for (const text of [LONGER.repeat(Math.min(maxLength, 20_000)), UNSEEN, ...NO_TEXT]) {
            const body = { ...sent!.example, [name]: text };
            const reply = await platform.request(route, { key, body });
            expect(reply.body.error, `${route} ${name}`).not.to.equal('internal_error');
            if (isOperators) continue;
            const call = { tool: op.operationId, params: body };
            const asTool = await platform.request('POST /api/v1/mcp/call', { key, body: call });
            expect(asTool.body.error, `${op.operationId} ${name}`).not.to.equal('internal_error');
          }
        }
        for (const { name, in: where } of op.parameters) {
          if (where !== 'query') continue;
          for (const text of ['%00', '%ED%A0%80', encodeURIComponent(LONGER.repeat(200))]) {
            const reply = await platform.request(`${route}?${name}=${text}`, { key });
            expect(reply.body.error, `${route} ${name}`).not.to.equal('internal_error');
          }
        }
      }
    }
    await eventually(
      () => platform.query(`select from job where status = 'pending' and agent_id > 0`),
      (rows) => rows.length === 0,
    );
    const faults = 'select operation, fault from job where fault is not null';
    expect(await platform.query(faults)).to.deep.equal([]);
    expect(await audit(platform.context.database)).to.deep.equal([]);
  }).timeout(300_000);
});
