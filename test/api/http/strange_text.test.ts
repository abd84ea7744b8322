// test:all: strange text in every field of every operation.
import { expect } from 'chai';

import { audit } from '../../../shared/composition/audit.ts';
import { eventually, TestPlatform } from '../../harness.ts';
import { expanded } from '../expanded.ts';
import type { Documented } from './fuzz_values.ts';

/** One character, and three in NFC, the form in which names are stored. */
const LONGER = '\u{1d160}';
/** Two characters, and one in NFC. */
const SHORTER = 'e\u0301';
const UNSEEN = '\u061c\u202e\u200b\u{e0041}\u2066';
/** Fillers of Hangul, an empty pattern of Braille, a mark on nothing, private use. */
const BLANK = '\u3164\uffa0\u2800\u034f\ue000';
const CONTROLS = '\n\u0007\t\u0085';
const NO_TEXT = ['a\u0000b', '\ud800', 'x\udc00y'];

type Body = Record<string, unknown>;
type Field = readonly [route: string, body: Body, field: string, max: number];
const PRODUCT = {
  title: 'x',
  description: 'x',
  category: 'api_service',
  price: 0.01,
  stock_kind: 'unlimited',
  content: 'x',
};
const TASK = { title: 'x', budget: 0.02 };
const LABOR = {
  kind: 'labeling',
  title: 'x',
  instructions: 'x',
  reward: 0.01,
  units: [{ payload: 'x' }],
};
/** Names and titles, which are cleaned: field and maximum. */
const NAMES: readonly Field[] = [
  ['POST /api/v1/agent/spawn', {}, 'agent_name', 31],
  ['POST /api/v1/agent/keys', { scopes: ['read'] }, 'name', 64],
  ['POST /api/v1/webhooks', { url: 'https://hook.example.com/' }, 'description', 200],
  ['POST /api/v1/products', PRODUCT, 'title', 120],
  ['POST /api/v1/tasks?wait=20', TASK, 'title', 120],
  ['POST /api/v1/labor?wait=20', LABOR, 'title', 120],
];
/** Texts, which are data and are stored as they were sent. */
const TEXTS: readonly Field[] = [
  ['POST /api/v1/products', PRODUCT, 'description', 5_000],
  ['POST /api/v1/tasks?wait=20', TASK, 'description', 10_000],
  ['POST /api/v1/labor?wait=20', LABOR, 'instructions', 10_000],
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

  /** Sends texts that are refused, with the reason, and texts that are stored, with their form. */
  async function measure(
    [route, body, field]: Field,
    refused: readonly (readonly [text: string, why: string])[],
    stored: readonly (readonly [text: string, form: string])[],
  ) {
    const before = await balance();
    for (const [text, why] of refused) {
      const reply = await send(route, { ...body, [field]: text });
      const { status, body: answer } = reply;
      expect([status, answer.error], reply.text).to.deep.equal([422, 'validation_error']);
      expect(reply.text).to.contain(why);
    }
    expect(await balance()).to.equal(before);
    for (const [text, form] of stored) {
      const reply = await send(route, { ...body, [field]: text });
      expect(reply.status, reply.text).to.be.oneOf([200, 201]);
      expect(reply.text).to.contain(form);
    }
  }
  const noText = NO_TEXT.map((one) => [one, 'characters that are not text'] as const);
  const unseen = [UNSEEN, BLANK, CONTROLS].map(
    (one) => [one, 'must have a visible character'] as const,
  );

  for (const field of NAMES) {
    const [route, , name, max] = field;
    it(`is measured as it is stored: ${name} of ${route}`, async () => {
      const tooLong = `must have at most ${max} characters`;
      await measure(
        field,
        [
          [LONGER.repeat(max), tooLong],
          [LONGER.repeat(Math.floor(max / 3) + 1), tooLong],
          ...unseen,
          ...noText,
        ],
        [LONGER.repeat(Math.floor(max / 3)), SHORTER.repeat(max)].map((text) => [
          text,
          text.normalize('NFC'),
        ]),
      );
    });
  }
  for (const field of TEXTS) {
    const [route, , name, max] = field;
    it(`is measured as it was sent: ${name} of ${route}`, async () => {
      const isOptional = route.includes('/tasks');
      await measure(
        field,
        [
          [LONGER.repeat(max + 1), `must have at most ${max} characters`],
          [SHORTER.repeat(max / 2 + 1), `must have at most ${max} characters`],
          ...(isOptional ? [] : unseen),
          ...noText,
        ],
        [LONGER.repeat(max), SHORTER.repeat(max / 2)].map((text) => [text, text]),
      );
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
