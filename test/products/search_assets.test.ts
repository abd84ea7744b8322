import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { admin, urlAs } from '../databases.ts';
import { TestPlatform } from '../harness.ts';

/** A word that only one test uses, unlike every other and without other forms. */
const word = () => `qk${randomUUID().replace(/[^a-f]/g, '')}x${(words += 1)}w`;
let words = 0;

describe('search_assets', () => {
  let platform: TestPlatform;
  let reader: { key: string };
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
    reader = await platform.agent();
  });
  after(() => platform.close());

  const search = (fields: Record<string, string | number>) => {
    const query = Object.entries(fields)
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join('&');
    return platform.request(`GET /api/v1/products/search?${query}`, { key: reader.key });
  };
  const found = async (fields: Record<string, string | number>) => {
    const { status, text, body } = await search(fields);
    expect(status, text).to.equal(200);
    return body.products.map(({ product_id: id }: { product_id: number }) => id);
  };

  it('finds words in any form, a title before a description', async () => {
    const [seller, w] = [await platform.agent(), word()];
    const described = await platform.product(seller, { description: `${w} jogs.` });
    const titled = await platform.product(seller, { title: `Jogging ${w}` });
    const another = await platform.product(seller, { title: `Old ${w}.` });

    expect(await found({ query: `${w} jog` })).to.deep.equal([titled.id, described.id, another.id]);
    expect(await found({ query: `${w} -jog` })).to.deep.equal([another.id]);
    expect(await found({ query: `-"old ${w}" ${w}` })).to.deep.equal([titled.id, described.id]);
    expect(await found({ query: `"jogging ${w}"` })).to.deep.equal([titled.id]);
  });

  it('shows what has most of the words first, and nothing that has less than half', async () => {
    const [seller, [a, b, c]] = [await platform.agent(), [word(), word(), word()]];
    const one = await platform.product(seller, { title: `${a} ${a} ${a}` });
    const two = await platform.product(seller, { description: `${c} and ${a}` });
    const three = await platform.product(seller, { description: `${a}, ${b}, ${c}` });
    expect(await found({ query: `${a} ${b} ${c}` })).to.deep.equal([three.id, two.id]);
    expect(await found({ query: `${a} ${b}` })).to.deep.equal([three.id, one.id, two.id]);
  });

  it('finds a description in any form of its characters, by a query in any form', async () => {
    const [seller, w] = [await platform.agent(), word()];
    const forms = [
      '\u00e9',
      'e\u0301',
      '\u00ad\u00e9',
      'e\u0301\ufeff',
      '\u200b\u202ee\u0301\u{e0041}',
    ].map((letter) => `${w}${letter}b`);
    const all = new Set<number>();
    for (const description of forms) {
      all.add((await platform.product(seller, { description })).id);
    }
    for (const query of forms) {
      expect(new Set(await found({ query })), JSON.stringify(query)).to.deep.equal(all);
    }
    const persian = `\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645${w.replaceAll(/\d/g, '')}`;
    const { id } = await platform.product(seller, { description: persian });
    for (const query of [persian, persian.replace('\u200c', '')]) {
      expect(await found({ query }), JSON.stringify(query)).to.deep.equal([id]);
    }
  });

  it('finds products by the words of their category and by their seller', async () => {
    const [seller, other, w] = [await platform.agent(), await platform.agent(), word()];
    const contract = await platform.product(seller, { title: w, category: 'smart_contract' });
    const dataset = await platform.product(other, { title: w, category: 'dataset' });
    expect(await found({ query: `${w} smart contracts`, limit: 1 })).to.deep.equal([contract.id]);
    expect(await found({ query: `${w} smart_contract`, limit: 1 })).to.deep.equal([contract.id]);
    expect(await found({ query: `${w} data set`, limit: 1 })).to.deep.equal([dataset.id]);
    expect(await found({ query: seller.username })).to.deep.equal([contract.id]);
    expect(await found({ query: `${w} ${other.username}`, limit: 1 })).to.deep.equal([dataset.id]);
  });

  it('reads a misspelt word as the one that is on sale, and says so', async () => {
    const [seller, w] = [await platform.agent(), word()];
    const { id } = await platform.product(seller, { title: w });
    const turned = w[0] + w[2]! + w[1]! + w.slice(3);
    for (const misspelt of [w.slice(0, 4) + w.slice(5), `${w.slice(0, 4)}z${w.slice(4)}`, turned]) {
      const { body } = await search({ query: `${misspelt} -other` });
      expect(
        body.products.map((product: { product_id: number }) => product.product_id),
      ).to.deep.equal([id]);
      expect(body).to.include({ did_you_mean: `${w} -other`, note: null });
      expect(body.dropped).to.deep.equal([]);
    }
    expect((await search({ query: w })).body.did_you_mean).to.equal(null);
    const change = (body: object) =>
      platform.request(`PATCH /api/v1/products/${id}`, { key: seller.key, body });
    const renamed = word();
    await change({ title: renamed });
    expect((await search({ query: `${renamed}z` })).body.did_you_mean).to.equal(renamed);
    await change({ active: false });
    const { body } = await search({ query: `${renamed}z` });
    expect([body.count, body.did_you_mean]).to.deep.equal([0, null]);
  });

  it('says which words it dropped, and why it found nothing', async () => {
    const [seller, w, unknown] = [await platform.agent(), word(), word()];
    const { id } = await platform.product(seller, { title: w, price: 2 });
    const some = await search({ query: `${w} ${unknown}` });
    expect(some.body.products[0].product_id).to.equal(id);
    expect(some.body).to.deep.include({ dropped: [unknown], note: null });

    const none = await search({ query: `the ${unknown} "${w} ${unknown}"` });
    const dropped = [unknown, `"${w} ${unknown}"`];
    expect(none.body).to.deep.include({ count: 0, dropped, did_you_mean: null });
    expect(none.body.note).to.equal(
      `No product on sale has any of these words: ${dropped.join(', ')}.`,
    );
    const dear = await search({ query: w, max_price: 1, category: 'dataset' });
    expect(dear.body).to.deep.include({ count: 0, dropped: [] });
    expect(dear.body.note).to.include('none fits category and max_price');
  });

  it('narrows by category and price', async () => {
    const [seller, w] = [await platform.agent(), word()];
    const cheap = await platform.product(seller, { title: w, price: 1 });
    const dear = await platform.product(seller, { title: w, price: 1.000001 });
    const server = await platform.product(seller, { title: w, price: 1, category: 'mcp_server' });
    expect(await found({ query: w })).to.have.members([cheap.id, dear.id, server.id]);
    expect(await found({ query: w, max_price: 1 })).to.have.members([cheap.id, server.id]);
    expect(await found({ query: w, max_price: 1, category: 'mcp_server' })).to.deep.equal([
      server.id,
    ]);
    expect(await found({ query: w, max_price: 0 })).to.deep.equal([]);
  });

  it('shows only what is on sale', async () => {
    const [seller, w] = [await platform.agent(), word()];
    const { id } = await platform.product(seller, { title: w });
    expect(await found({ query: w })).to.deep.equal([id]);
    await platform.request(`PATCH /api/v1/products/${id}`, {
      key: seller.key,
      body: { active: false },
    });
    expect(await found({ query: w })).to.deep.equal([]);
  });

  it('pages through all matches, each once', async () => {
    const [seller, w] = [await platform.agent(), word()];
    const made: number[] = [];
    for (let n = 0; n < 5; n += 1) made.unshift((await platform.product(seller, { title: w })).id);
    const seen: number[] = [];
    for (let cursor = {}; cursor;) {
      const { body } = await search({ query: w, limit: 2, ...cursor });
      seen.push(...body.products.map(({ product_id: id }: { product_id: number }) => id));
      expect(body.has_more).to.equal(seen.length < 5);
      if (!body.has_more) break;
      cursor = { cursor: body.next_cursor };
    }
    expect(seen).to.deep.equal(made);
  });

  it('finds what lies under thousands of newer products, and the newest of thousands alike', async () => {
    const [seller, w, common] = [await platform.agent(), word(), word()];
    const old = await platform.product(seller, { title: w, description: common });
    let newest = 0;
    // In parts, because a statement has its time, which the machine may need for more.
    for (let part = 0; part < 10; part += 1) {
      const rows = await platform.query(
        `insert into product (seller_id, root_id, title, description, category, price, stock_kind,
                              status)
         select $1, $1, 'A title', $2, 'api_service', 1, 'unlimited', 'approved'
           from generate_series(1, 1010) returning id`,
        [seller.id, common],
      );
      newest = Number(rows.at(-1).id);
    }
    // Autovacuum analyses within a minute: how common a word is decides how it is looked for.
    await admin(urlAs(platform.postgres, platform.name, 'market_owner'), 'analyze product');
    expect(await found({ query: w })).to.deep.equal([old.id]);
    expect(await found({ query: `${w} or nothing` })).to.deep.equal([old.id]);
    expect(await found({ query: common, category: 'serial_key' })).to.deep.equal([old.id]);
    expect(await found({ query: common, limit: 2 })).to.deep.equal([newest, newest - 1]);
  });

  it('looks at the start of titles when a query has only words too common to search for', async () => {
    const seller = await platform.agent();
    const the = await platform.product(seller, { title: 'The Who, %live_' });
    const other = await platform.product(seller, { title: 'Who else' });
    expect(await found({ query: 'the' }))
      .to.include(the.id)
      .and.not.include(other.id);
    expect(await found({ query: 'The who' })).to.deep.equal([the.id]);
    expect(await found({ query: 'the%' })).to.deep.equal([]);
    expect(await found({ query: '?!' })).to.deep.equal([]);
  });

  it('answers any query, however odd', async () => {
    const odd = [
      "'",
      '"',
      'a & | ! b',
      '<->',
      '-x',
      '-the',
      ':*',
      '\\',
      '%',
      '\u200b',
      'ä'.repeat(200),
    ];
    for (const query of odd) expect((await search({ query })).status, query).to.equal(200);
    const beyond = 'OTk5OTk5OTk5OTk5=search_assets';
    expect((await search({ query: 'x', cursor: beyond })).body.count).to.equal(0);
  });

  it('refuses no query and values out of range, and keys without read', async () => {
    const wrong: Record<string, string | number>[] = [
      {},
      { query: '' },
      { query: 'x'.repeat(201) },
      { query: 'x', category: 'y' },
      { query: 'x', max_price: -1 },
      { query: 'x', limit: 101 },
      { query: 'x', cursor: '?' },
    ];
    for (const fields of wrong) {
      const { status, body } = await search(fields);
      expect([status, body.error], JSON.stringify(fields)).to.deep.equal([422, 'validation_error']);
    }
    const key = await platform.keyOf(await platform.agent(), ['sell']);
    const { body } = await platform.request('GET /api/v1/products/search?query=x', { key });
    expect(body.error).to.equal('insufficient_scope');
  });
});
