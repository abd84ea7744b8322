import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';
import { buy } from '../orders/trade.ts';
import { formsOf, owner, type BrowserLike } from './browser_like.ts';

const WORDS = { title: 'Street names', description: 'Of Lisbon.', price: '1' };

/** The fields that a seller fills in for each kind, and the product that they list. */
const LISTED = [
  {
    kind: 'keys',
    filled: { ...WORDS, items: 'one\ntwo\n' },
    shows: ['title', 'description', 'category', 'price', 'items'],
    listed: { stock_kind: 'serial_pool', category: 'serial_key', in_stock: 2 },
  },
  {
    kind: 'api',
    filled: { ...WORDS, items: '{"base_url": "https://a.example", "key": "k-1"}' },
    shows: ['title', 'description', 'price', 'items'],
    listed: { stock_kind: 'serial_pool', category: 'api_service', in_stock: 1 },
  },
  {
    kind: 'unlimited',
    filled: { ...WORDS, category: 'mcp_server', content: 'https://a.example/file' },
    shows: ['title', 'description', 'category', 'price', 'content'],
    listed: { stock_kind: 'unlimited', category: 'mcp_server', in_stock: null },
  },
  {
    kind: 'counted',
    filled: { ...WORDS, category: 'dataset', content: 'All of it', quantity: '3' },
    shows: ['title', 'description', 'category', 'price', 'content', 'quantity'],
    listed: { stock_kind: 'counted', category: 'dataset', in_stock: 3 },
  },
] as const;

describe('selling in the console', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const pathOf = (kind: string) => `/console/selling/new?kind=${kind}`;
  const send = async (
    browser: BrowserLike,
    path: string,
    op: string,
    filled: Record<string, string | readonly string[]> = {},
  ) => browser.submit(await browser.get(path), `/console/do/${op}`, filled);
  const idIn = (location: string | null) => Number(/selling\/(\d+)/.exec(location ?? '')?.[1]);

  for (const { kind, filled, shows, listed } of LISTED) {
    it(`lists ${kind} by a form that asks for nothing else`, async () => {
      const { browser, agent } = await owner(platform);
      const page = await browser.get(pathOf(kind));
      const [form] = formsOf(page.text).filter(({ action }) => action.endsWith('create_product'));
      const asked = Object.keys(form!.fields).filter(
        (name) => !name.startsWith('_') && name !== 'stock_kind',
      );
      const fixed = kind === 'api' ? ['category'] : [];
      expect(asked.toSorted()).to.deep.equal(
        [...shows, ...fixed, 'release_hours', 'accepts_credit'].toSorted(),
      );
      const reply = await browser.submit(page, '/console/do/create_product', filled);
      expect(reply.status, reply.text.slice(0, 2_000)).to.equal(303);
      const id = idIn(reply.location);
      expect((await browser.get(reply.location!)).text).to.include('The product was listed.');
      const { body } = await platform.request(`GET /api/v1/products/${id}`, { key: agent.key });
      expect(body).to.include({ ...listed, release_hours: 72, accepts_credit: true });
      const orderId = await buy(platform, await platform.agent({ usd: 5 }), { id });
      expect((await browser.get('/console/sales')).text).to.include(`/console/orders/${orderId}`);
    });
  }

  it('lists a dataset of rows, one a line, and says which line is no row', async () => {
    const { browser, agent } = await owner(platform);
    const fill = { ...WORDS, data: '{"city": "Oslo"}\n{"city": "Bergen"}' };
    const wrong = await send(browser, pathOf('dataset'), 'create_dataset', {
      ...fill,
      data: '{"city": "Oslo"}\nBergen',
    });
    expect(wrong.status).to.equal(422);
    expect(wrong.text).to.include('Line 2: Write each row as a JSON object');
    const empty = await send(browser, pathOf('dataset'), 'create_dataset', {
      ...fill,
      data: '{"city": "Oslo"}\n{}',
    });
    expect(empty.text).to.include('Line 2: It is empty.');
    const listed = await send(browser, pathOf('dataset'), 'create_dataset', fill);
    expect(listed.location).to.equal('/console/selling?done=create_dataset');
    const { text } = await browser.get(listed.location!);
    expect(text).to.include('The dataset was added.');
    expect(text).to.include('2 rows').and.include('>active</span>');
    const pasted = '[\n  {"city": "Oslo"},\n  {"city": "Bergen"}\n]\n';
    for (const data of [pasted, pasted.replaceAll('\n', '')]) {
      const free = { ...fill, price: '', data };
      expect((await send(browser, pathOf('dataset'), 'create_dataset', free)).status).to.equal(303);
    }
    const { body } = await platform.request('GET /api/v1/datasets?mine=true', { key: agent.key });
    const shown = body.datasets.map((one: { price: number; row_count: number }) => [
      one.price,
      one.row_count,
    ]);
    expect(shown).to.deep.equal([
      [0, 2],
      [0, 2],
      [1, 2],
    ]);
  });

  it('takes units as a JSON list of several lines, and no unit that is nothing', async () => {
    const { browser, agent } = await owner(platform);
    const list = (items: string) =>
      send(browser, pathOf('keys'), 'create_product', { ...WORDS, items });
    const stock = async (items: string) => {
      const path = `GET /api/v1/products/${idIn((await list(items)).location)}/stock`;
      return (await platform.request(path, { key: agent.key })).body.available;
    };
    expect(await stock('[\n  "K-1",\n  {"user": "u", "key": "K-2"}\n]')).to.equal(2);
    expect(await stock('["user", "password"]')).to.equal(1);
    for (const nothing of ['{}', '[ ]']) {
      const refused = await list(`K-3\n${nothing}`);
      expect(refused.text, nothing).to.include('Line 2: It is empty.');
    }
  });

  it('says what credit means, and takes none where its seller wants none', async () => {
    const { browser } = await owner(platform);
    const page = await browser.get(pathOf('unlimited'));
    expect(page.text)
      .to.include('cannot be withdrawn')
      .and.include('only agents with cash can buy');
    const reply = await browser.submit(page, '/console/do/create_product', {
      ...WORDS,
      content: 'x',
      accepts_credit: 'false',
    });
    const id = idIn(reply.location);
    const newcomer = await platform.agent();
    const order = { key: newcomer.key, body: { product_id: id } };
    expect((await platform.request('POST /api/v1/orders', order)).body.error).to.equal(
      'insufficient_balance',
    );
    expect((await browser.get(`/console/selling/${id}`)).text).to.include('cash only');
    await send(browser, `/console/selling/${id}`, 'update_product', {
      price: '0.3',
      accepts_credit: ['false', 'true'],
    });
    const orderId = await buy(platform, newcomer, { id });
    const { text } = await browser.get('/console/sales');
    expect(text).to.include(`/console/orders/${orderId}`).and.include('Credit</th>');
  });

  it('says what happens next with a listing, and what it lacks', async () => {
    const { browser, agent } = await owner(platform);
    const { id } = await platform.product(agent, { title: 'Maps', items: ['a'], price: 0.1 });
    const path = `/console/selling/${id}`;
    const set = async (sql: string) => platform.query(`update product set ${sql} where id = ${id}`);
    const shown = async () => (await browser.get(path)).text;
    expect(await shown())
      .to.include('It is on sale. For each unit you get $0.10')
      .and.include('The title is too short');
    await buy(platform, await platform.agent(), { id });
    expect(await shown()).to.include('There are no units to sell');
    await set(`status = 'pending_review'`);
    expect(await shown()).to.include('An operator reviews it');
    await set(`status = 'rejected', review_note = 'Say for which country.'`);
    expect(await shown())
      .to.include('It was rejected')
      .and.include('Say for which country.');
    await set(`status = 'approved', active = false, review_note = null`);
    expect(await shown()).to.include('It is paused');
    const description = 'Maps of all streets of Lisbon as SVG, for printing, good for ever.';
    await send(browser, path, 'update_product', { title: 'Maps of Lisbon', description });
    await send(browser, path, 'add_stock', { items: 'b' });
    expect(await shown()).not.to.include('It still lacks');
  });

  it('archives a product for good by a button that asks, and is not the main one', async () => {
    const { browser, agent } = await owner(platform);
    const { id } = await platform.product(agent, { price: 0.1 });
    const path = `/console/selling/${id}`;
    const { text } = await browser.get(path);
    expect(text).to.match(/class="button"[^>]*>Archive it/);
    const forms = formsOf(text).filter(({ fields }) => fields.status?.[0] === 'archived');
    expect(forms).to.have.length(1);
    await browser.post(forms[0]!.action, forms[0]!.fields);
    const after = (await browser.get(path)).text;
    expect(after).to.include('archived for good').and.not.include('/do/update_product');
  });

  it('shows sales by state, those that are disputed first, and what can be withdrawn', async () => {
    const { browser, agent } = await owner(platform);
    const { id } = await platform.product(agent, { price: 0.2, items: ['a', 'b', 'c'] });
    const buyer = await platform.agent({ usd: 5 });
    const [paid, open, disputed] = [
      await buy(platform, buyer, { id }),
      await buy(platform, buyer, { id }),
      await buy(platform, buyer, { id }),
    ];
    const act = (orderId: number, action: string, body?: object) =>
      platform.request(`POST /api/v1/orders/${orderId}/${action}`, {
        key: buyer.key,
        ...(body && { body }),
      });
    expect((await act(paid, 'confirm')).status).to.equal(200);
    expect((await act(disputed, 'dispute', { reason: 'It is empty.' })).status).to.equal(200);
    const all = (await browser.get('/console/sales')).text;
    for (const orderId of [paid, open, disputed]) {
      expect(all).to.include(`/console/orders/${orderId}"`);
    }
    expect(all)
      .to.include('<h2 id="disputed">')
      .and.include('of credit, which cannot be withdrawn');
    const over = (await browser.get('/console/sales?status=completed')).text;
    expect(over).to.include(`/console/orders/${paid}"`);
    expect(over).not.to.include(`/console/orders/${open}"`);
  });
});
