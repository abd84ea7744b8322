import Ajv from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect } from 'chai';

import { TestPlatform } from '../../harness.ts';
import { buy } from '../../orders/trade.ts';

const BASE = 'https://market.example.com';

const strict = (required: string[], properties: object) => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});
const text = { type: 'string', minLength: 1 };
const url = { type: 'string', format: 'uri' };
const seller = strict([], {
  name: text,
  links: { type: 'array', items: strict(['type', 'url'], { type: text, title: text, url }) },
});
const description = { ...strict([], { plain: text, html: text }), minProperties: 1 };

/** A product of a feed, as far as it is used here (Agentic Commerce Protocol, 2026-04-17). */
const PRODUCT = strict(['id', 'variants'], {
  id: text,
  title: text,
  description,
  url,
  variants: {
    type: 'array',
    items: strict(['id', 'title'], {
      id: text,
      title: text,
      description,
      url,
      price: strict(['amount', 'currency'], {
        amount: { type: 'integer', minimum: 0 },
        currency: { type: 'string', pattern: '^[A-Z]{3}$' },
      }),
      availability: strict([], { available: { type: 'boolean' }, status: text }),
      categories: { type: 'array', items: strict(['value'], { value: text, taxonomy: text }) },
      condition: { type: 'array', items: text },
      seller,
      marketplace: seller,
    }),
  },
});

describe('the product feed', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({ env: { PUBLIC_URL: BASE } });
  });
  after(() => platform.close());

  it('has what is on sale, in the form that the protocol specifies', async () => {
    const agent = await platform.agent();
    const whole = await platform.product(agent, { title: 'A licence', price: 2.5 });
    const tiny = await platform.product(agent, { title: 'A lookup', price: 0.0004 });
    const sold = await platform.product(agent, { price: 0.01, items: ['a'] });
    await buy(platform, await platform.agent(), sold);
    const off = await platform.product(agent, { active: false });
    const many = 101;
    for (let n = 0; n < many; n += 1) await platform.product(agent);

    const { status, body, headers } = await platform.request('GET /feeds/market/products');
    expect([status, headers.get('cache-control')]).to.deep.equal([200, 'public, max-age=600']);
    const ajv = formats.default(new Ajv.default({ allErrors: true }));
    const fits = ajv.compile(PRODUCT);
    for (const one of body.products) expect(fits(one), ajv.errorsText(fits.errors)).to.equal(true);
    const of = (id: number) =>
      body.products.find((one: { id: string }) => one.id === `product_${id}`);
    expect(of(off.id)).to.equal(undefined);
    expect(of(whole.id).url).to.equal(`${BASE}/market/products/${whole.id}`);
    expect(of(whole.id).variants[0].price).to.deep.equal({ amount: 250, currency: 'USD' });
    expect(of(tiny.id).variants[0]).not.to.have.property('price');
    expect(of(sold.id).variants[0].availability).to.deep.equal({
      available: false,
      status: 'out_of_stock',
    });
    expect(body.products).to.have.length(many + 3);

    const file = await platform.request('GET /feeds/market/products.jsonl');
    const lines = file.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).to.deep.equal(body.products);
    const { body: metadata } = await platform.request('GET /feeds/market');
    expect(metadata.id).to.equal('market');
    expect(new Date(metadata.updated_at).getTime()).to.be.at.most(Date.now());
  });
});
