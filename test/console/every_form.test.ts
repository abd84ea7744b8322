// test:all: all forms of all consoles.
import { expect } from 'chai';

import { FRONT_PAGES } from '../../api/console/front/pages.ts';
import { MARKET_PAGES } from '../../api/console/market/pages.ts';
import { OPERATOR_PAGES } from '../../api/console/operator/pages.ts';
import { OWNER_PAGES } from '../../api/console/owner/pages.ts';
import { PRODUCT_KINDS } from '../../api/console/owner/selling/product_kinds.ts';
import type { TestPlatform } from '../harness.ts';
import { openSandbox } from '../sandbox/time/open_sandbox.ts';
import { act, openDeal } from '../orders/deal.ts';
import { BrowserLike, operator } from './browser_like.ts';
import { busyOwner } from './busy_owner.ts';
import { faultsOf, FormFiller } from './fill_forms.ts';

describe('every form', function () {
  this.timeout(240_000);
  let platform: TestPlatform;
  before(async () => {
    platform = await openSandbox();
  });
  after(() => platform.close());

  it('of an owner is answered in words for people, however it is filled in', async () => {
    const { browser, pathOf } = await busyOwner(platform);
    const paths = OWNER_PAGES.flatMap((page) =>
      page.path.endsWith('/selling/new')
        ? PRODUCT_KINDS.map(({ name }) => `${page.path}?kind=${name}`)
        : [pathOf(page)],
    );
    const filler = new FormFiller(browser);
    for (const path of paths) await filler.fillIn(path);
    expect(filler.wrong).to.deep.equal([]);
    expect(filler.actions.size).to.be.greaterThan(40);
  });

  it('of the account, of signing in and of the market too', async () => {
    const { browser, pathOf } = await busyOwner(platform);
    const filler = new FormFiller(browser);
    for (const path of ['/console/account', '/console/account/closing']) await filler.fillIn(path);
    const newcomer = new FormFiller(new BrowserLike(platform));
    for (const path of ['/console/login', '/admin/login', '/mail/forgot', '/docs'])
      await newcomer.fillIn(path);
    for (const page of [...FRONT_PAGES, ...MARKET_PAGES]) {
      await newcomer.fillIn(pathOf(page));
      if (page.path.includes(':')) await filler.fillIn(pathOf(page));
    }
    expect([...filler.wrong, ...newcomer.wrong]).to.deep.equal([]);
    expect(filler.actions.size + newcomer.actions.size).to.be.greaterThan(10);
  });

  it('and every address with a filter that is not valid', async () => {
    const { browser, pathOf } = await busyOwner(platform);
    const junk = ['cursor', 'status', 'role', 'agent', 'kind', 'from', 'to', 'older', 'labor'];
    const query = junk.map((name) => `${name}=%2Fx`).join('&');
    const wrong: string[] = [];
    const refused = new Set<number>();
    const paths = [...OWNER_PAGES, ...MARKET_PAGES].flatMap((page) => [
      `${(page.access === 'public' ? page.path : pathOf(page)).replace(/:id$/, '1')}?${query}`,
      ...(page.path.includes(':') ? [page.path.replace(':id', 'x')] : []),
    ]);
    for (const path of paths) {
      const reply = await browser.get(path);
      refused.add(reply.status);
      if (![200, 404, 422].includes(reply.status)) wrong.push(`${path}: ${reply.status}`);
      wrong.push(...faultsOf(reply).map((fault) => `${path}: ${fault}`));
    }
    expect(wrong).to.deep.equal([]);
    expect([...refused]).to.have.members([200, 404, 422]);
  });

  it('of operators is too', async () => {
    const deal = await openDeal(platform);
    await act(platform, 'dispute_order', { orderId: deal.orderId, key: deal.buyer.key });
    const product = await platform.product(deal.seller);
    await platform.query(`update product set status = 'pending_review' where id = $1`, [
      product.id,
    ]);
    const filler = new FormFiller(await operator(platform));
    const paths = [
      ...OPERATOR_PAGES.map(({ path }) => path).filter((path) => !path.includes(':')),
      `/admin/decisions?kind=order_disputes&id=${deal.orderId}`,
      `/admin/decisions?kind=products&id=${product.id}`,
      `/admin/find?query=${deal.buyer.username}`,
    ];
    for (const path of paths) await filler.fillIn(path);
    expect(filler.wrong).to.deep.equal([]);
  });
});
