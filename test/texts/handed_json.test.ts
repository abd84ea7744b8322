import { expect } from 'chai';

import { TestPlatform } from '../harness.ts';
import { WAYS_IN } from './ways_in.ts';

/** Rows that every reader of JSON reads as they were sent. */
const KEPT = [
  '{"z":1,"a":2,"1e3":0,"é":1,"":3}',
  '{"0":1,"7":2,"19":3,"b":4,"a":5,"01":6}',
  '{"whole":1.0,"exponent":1E2,"tenth":0.1,"third":0.3333333333333333,"half":-0.5}',
  '{"big":9007199254740992,"zeros":100000000000000000000}',
  '{"most":1.7976931348623157e308,"least":5e-324,"zero":0.000000000000000000,"none":0e9}',
  '{"__proto__":{"a":1},"constructor":2,"toString":null,"list":[],"object":{},"not":false}',
  '{"text":"1610521604143693812 1e400","hash":"12e45678901234567890","t":"x"}',
  '{"deep":[[{"b":[1,2,{"3":4,"c":5}]}]]}',
];

const TWICE = 'twice in one object';

/** Rows that a reader would read as others: with the name and the reason that the refusal gives. */
const CHANGED: readonly (readonly [row: string, at: string, why: string])[] = [
  ['{"id":1610521604143693812}', 'id', 'does not hold exactly'],
  ['{"id":-9007199254740993}', 'id', 'does not hold exactly'],
  ['{"x":1e400}', 'x', 'does not hold exactly'],
  ['{"x":-1e400}', 'x', 'does not hold exactly'],
  ['{"x":1e-400}', 'x', 'does not hold exactly'],
  ['{"x":0.12345678901234567890}', 'x', 'does not hold exactly'],
  ['{"a":{"b":[1,12345678901234567]}}', 'a/b/1', 'does not hold exactly'],
  ['{"b":1,"2":2}', '2', 'where readers do not keep it'],
  ['{"2":1,"1":2}', '1', 'where readers do not keep it'],
  ['{"a":[{"x":1,"10":2}]}', 'a/0/10', 'where readers do not keep it'],
  ['{"a":1,"a":2}', 'a', TWICE],
  ['{"a":1,"\\u0061":2}', 'a', TWICE],
];

describe('JSON that one party hands to another', () => {
  let platform: TestPlatform;
  let seller: { key: string };
  let buyer: { key: string };
  before(async () => {
    platform = await TestPlatform.open();
    [seller, buyer] = await Promise.all([platform.agent(), platform.agent()]);
  });
  after(() => platform.close());

  for (const [way, send] of Object.entries(WAYS_IN)) {
    it(`arrives as it was sent by ${way}, in the order of its names`, async () => {
      const { body, isRefused } = await send(platform, seller.key, `[${KEPT.join(',\n')}]`);
      expect(isRefused, JSON.stringify(body)).to.equal(false);
      const route = `GET /api/v1/datasets/${body.dataset_id}/access`;
      const { text } = await platform.request(route, { key: buyer.key });
      const rows = KEPT.map((row) => JSON.stringify(JSON.parse(row)));
      expect(text).to.contain(`"data":[${rows.join(',')}]`);
      const call = { tool: 'access_dataset', params: { dataset_id: body.dataset_id } };
      const asTool = await platform.request('POST /api/v1/mcp/call', {
        key: buyer.key,
        body: call,
      });
      expect(asTool.text).to.contain(`"data":[${rows.join(',')}]`);
      expect(asTool.body.content[0].text).to.contain(`"data":[${rows.join(',')}]`);
    });

    it(`is refused by ${way}, with the row, if it would change`, async () => {
      const count = async () => (await platform.query('select from dataset')).length;
      const before = await count();
      for (const [row, at, why] of CHANGED) {
        const rows = `[{"ok":1},\n${row}]`;
        const sent = await send(platform, seller.key, rows);
        expect(sent.isRefused, `${row}: ${JSON.stringify(sent.body)}`).to.equal(true);
        // A body with a name twice is refused before it is read as a call.
        if (why === TWICE) continue;
        const told = JSON.stringify(sent.body);
        expect(told).to.contain(why);
        expect(told).to.contain(way === 'an upload' ? 'line 2' : `/data/1/${at}`);
      }
      expect(await count()).to.equal(before);
    });
  }

  it('is refused in goods and schemas too', async () => {
    const id = '1610521604143693812';
    const product = '"title":"x","description":"x","category":"api_service","price":0.01';
    const task = '"title":"x","budget":0.02,"verification_type":"json_schema"';
    const labor =
      '"title":"x","kind":"labeling","instructions":"x","reward":0.01,"verification":"schema",' +
      '"units":[{"payload":"x"}]';
    for (const [path, body, pointer] of [
      ['products', `{${product},"stock_kind":"unlimited","content":{"id":${id}}}`, '/content/id'],
      [
        'products',
        `{${product},"stock_kind":"serial_pool","items":["k",{"id":${id}}]}`,
        '/items/1/id',
      ],
      ['tasks', `{${task},"json_schema":{"const":${id}}}`, '/json_schema/const'],
      ['labor', `{${labor},"json_schema":{"const":${id}}}`, '/json_schema/const'],
    ] as const) {
      const reply = await platform.request(`POST /api/v1/${path}`, { key: seller.key, body });
      expect([reply.status, reply.body.details?.fields?.[0]?.pointer], reply.text).to.deep.equal([
        422,
        pointer,
      ]);
    }
  });
});
