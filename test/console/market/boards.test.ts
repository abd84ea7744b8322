import { expect } from 'chai';

import { anonymousProof } from '../../../api/console/anonymous.ts';
import { PAGES } from '../../../api/console/routes.ts';
import { readingsOf } from '../../../api/console/readings.ts';
import { TestPlatform } from '../../harness.ts';
import { BrowserLike } from '../browser_like.ts';

/** The least that may be set. */
const CALLS = 50;
const HOSTILE = '<img src=x onerror=alert(1)>';

describe('the boards of the market', () => {
  let platform: TestPlatform;
  let browser: BrowserLike;
  let poster: Awaited<ReturnType<TestPlatform['agent']>>;
  before(async () => {
    platform = await TestPlatform.open();
    browser = new BrowserLike(platform);
    poster = await platform.agent({ usd: 20 });
  });
  after(() => platform.close());

  const post = async (path: string, body: object) => {
    const reply = await platform.request(`POST /api/v1/${path}`, { key: poster.key, body });
    if (reply.status !== 200) throw new Error(reply.text);
    return reply.body;
  };

  it('say that nothing is there while nothing is', async () => {
    for (const [path, words] of [
      ['/market/tasks', 'No task is open'],
      ['/market/labor', 'No such work is open'],
      ['/market/datasets', 'No such dataset'],
    ]) {
      const { status, text } = await browser.get(path!);
      expect(status).to.equal(200);
      expect(text).to.contain(words);
    }
  });

  it('show open tasks and the call for each, and nothing of a task that is over', async () => {
    const { task_id: id } = await post('tasks', {
      title: `Count trees ${HOSTILE}`,
      description: HOSTILE,
      budget: 2.5,
    });
    const list = await browser.get('/market/tasks?query=trees');
    expect(list.text).to.contain(`/market/tasks/${id}`).and.contain('$2.50');
    const { text } = await browser.get(`/market/tasks/${id}`);
    expect(text).to.contain('task_bid').and.contain(`/api/v1/tasks/${id}/bids`);
    expect(text).to.contain('&lt;img src=x').and.not.contain('<img');
    // The name of its poster is for its bidders.
    expect(text).not.to.contain(poster.username);
    expect((await browser.get('/market/tasks?query=zebra')).text).to.contain('zebra');
    await post(`tasks/${id}/cancel`, {});
    const over = await browser.get(`/market/tasks/${id}`);
    expect([over.status, over.headers.get('cache-control')]).to.deep.equal([404, 'no-store']);
    expect(over.text).to.contain('no longer open').and.not.contain('Count trees');
    expect((await browser.get('/market/tasks')).text).not.to.contain('Count trees');
  });

  it('show open labor by kind, with reward and units, and nothing of what is over', async () => {
    const { task_id: id } = await post('labor', {
      kind: 'labeling',
      title: 'Label street signs',
      instructions: HOSTILE,
      reward: 0.01,
      units: [{ payload: 'secret unit' }],
      verification: 'manual',
    });
    const list = await browser.get('/market/labor?kind=labeling');
    expect(list.text).to.contain(`/market/labor/${id}`).and.contain('1 unit left');
    expect((await browser.get('/market/labor?kind=translation')).text).not.to.contain('street');
    const { text } = await browser.get(`/market/labor/${id}`);
    expect(text).to.contain('take_labor_task').and.contain(`/api/v1/labor/${id}/take`);
    expect(text).not.to.contain('secret unit').and.not.contain(poster.username);
    expect(text).not.to.contain('<img');
    await post(`labor/${id}/cancel`, {});
    expect((await browser.get(`/market/labor/${id}`)).status).to.equal(404);
  });

  it('show datasets with what is delivered, and never what is in them', async () => {
    const data = [{ city: 'Hammerfest', people: 1 }];
    const free = { title: 'Free cities', description: HOSTILE, type: 'json', data };
    const { dataset_id: id } = await post('datasets', free);
    const sold = { ...free, title: 'Sold cities', price: 2 };
    const { product_id: productId } = await post('datasets', sold);
    const { text } = await browser.get('/market/datasets');
    expect(text).to.contain(`access_dataset {&quot;dataset_id&quot;:${id}}`);
    expect(text).to.contain('1 row,').and.not.contain('Hammerfest').and.not.contain('<img');
    expect(text).to.contain(`/market/products/${productId}`);
    expect((await browser.get('/market/datasets?type=mysql')).text).not.to.contain('cities');
    const page = (await browser.get(`/market/datasets/${id}`)).text;
    expect(page).to.contain('<td>integer</td>').and.not.contain('Hammerfest');
    const shown = { ...free, title: 'Shown', licence: '<b>MIT</b>', preview_rows: 1 };
    const { dataset_id: other } = await post('datasets', shown);
    const preview = (await browser.get(`/market/datasets/${other}`)).text;
    expect(preview).to.contain('Hammerfest').and.contain('&lt;b>MIT').and.not.contain('<img');
    await platform.query(`update product set status = 'suspended' where id = $1`, [productId]);
    expect((await browser.get('/market/datasets')).text).not.to.contain('Sold cities');
  });

  it('are read without a key only by the pages: the API asks for one as before', async () => {
    for (const path of ['products', 'products/1', 'tasks', 'tasks/1', 'labor', 'datasets']) {
      const { status, body } = await platform.request(`GET /api/v1/${path}`);
      expect([status, body.error], path).to.deep.equal([401, 'authentication_required']);
    }
  });

  it('read nothing without a key but lists and objects that every agent is shown', () => {
    const { operations } = platform.context;
    const shown = [...operations.keys()].filter((name) => anonymousProof(name));
    expect(shown).to.have.members([
      'search_assets',
      'list_products',
      'get_product',
      'seller_record',
      'list_reviews',
      'task_browse',
      'get_task',
      'list_labor_tasks',
      'get_labor_task',
      'list_datasets',
      'get_dataset',
    ]);
    for (const name of shown) expect(operations.get(name)!.mode, name).to.equal('read');
    for (const page of PAGES.filter(({ access }) => access === 'public')) {
      for (const { name } of readingsOf(page)) {
        const isOpen = operations.get(name)!.access === 'public' || shown.includes(name);
        expect(isOpen, `${page.path} reads ${name}`).to.equal(true);
      }
    }
  });

  it('are limited like all calls without a key', async () => {
    const limited = await TestPlatform.open({
      workers: false,
      env: { RATE_LIMIT_PUBLIC: String(CALLS) },
    });
    try {
      const anybody = new BrowserLike(limited);
      const statuses: number[] = [];
      // More than two minutes may have, if another begins meanwhile.
      while (statuses.length <= 2 * CALLS && statuses.at(-1) !== 429) {
        statuses.push((await anybody.get('/market/tasks')).status);
      }
      expect(statuses.slice(0, -1).every((status) => status === 200)).to.equal(true);
      expect([statuses.at(-1), statuses.length > CALLS]).to.deep.equal([429, true]);
    } finally {
      await limited.close();
    }
  });
});
