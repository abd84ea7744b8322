import { expect } from 'chai';

import { FRONT_PAGES } from '../../api/console/front/pages.ts';
import { MARKET_PAGES } from '../../api/console/market/pages.ts';
import { OPERATOR_PAGES } from '../../api/console/operator/pages.ts';
import { OWNER_PAGES } from '../../api/console/owner/pages.ts';
import { PRODUCT_KINDS } from '../../api/console/owner/selling/product_kinds.ts';
import { TestPlatform } from '../harness.ts';
import { act, openDeal } from '../orders/deal.ts';
import { BrowserLike, formsOf, operator, type PageReply } from './browser_like.ts';
import { busyOwner } from './busy_owner.ts';

/** Words of validators and of JSON pointers, which are for programs. */
const FOR_PROGRAMS =
  /\bmust (not|be|have|match|differ)\b|is missing|anyOf|(^|\s)\/\w+|expected:|_id\b|cursor of/i;

const MESSAGES = [
  /<div class="message owed"[^>]*>(.*?)<p class="small dim">/gs,
  /<strong class="problem">(.*?)<\/strong>/gs,
  /<h1 id="fault">(.*?)<p class="small dim">/gs,
];

/** Ways of filling in a form. */
const WAYS: readonly (readonly [what: string, fill: (name: string) => string | undefined])[] = [
  ['empty', () => ''],
  ['with an example', (name) => EXAMPLES[name] ?? 'Streets of Lisbon'],
  ['with nonsense', () => '\u00a7 -1e9 /x/y'],
  ['with too much', () => 'W'.repeat(70_000)],
  ['with what is no text', () => 'a\u0000b'],
  ['as it stands', () => undefined],
];

/** Values as the lines below the fields describe them. */
const EXAMPLES: Readonly<Record<string, string>> = {
  price: '2.50',
  budget: '0.02',
  amount: '1.00',
  seller_amount: '0.10',
  worker_amount: '0.10',
  threshold: '5',
  monthly_limit: '50',
  max_spend_per_tx: '5',
  daily_spend_limit: '10',
  approval_threshold: '5',
  new_seller_threshold: '1',
  quantity: '3',
  release_hours: '72',
  access_days: '30',
  data: '{"city": "Oslo", "people": 717710}',
  items: 'KEY-1\nKEY-2',
  url: 'https://example.com/events',
  expires_at: '2027-06-30',
  reference: 'TICKET-1',
  username: 'olga-the-first',
  email: 'olga@example.com',
  password: 'correct horse battery staple',
};

describe('every form', function () {
  this.timeout(240_000);
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(() => platform.close());

  /** The messages about a form, and about a page that is refused. */
  const problemsIn = ({ text }: PageReply) =>
    MESSAGES.flatMap((pattern) => [...text.matchAll(pattern)]).map(([, html]) =>
      html!.replaceAll(/<[^>]*>/g, ' '),
    );

  const actions = new Set<string>();
  async function submitAll(browser: BrowserLike, path: string): Promise<string[]> {
    const wrong: string[] = [];
    for (const [what, fill] of WAYS) {
      const { text } = await browser.get(path);
      const seen = new Set<string>();
      for (const { action, fields, typed } of formsOf(text)) {
        if (!/\/do\//.test(action) || seen.has(`${action} ${typed.join()}`)) continue;
        seen.add(`${action} ${typed.join()}`);
        actions.add(action);
        if (what !== 'as it stands' && typed.length === 0) continue;
        const filled = typed.flatMap((name) => {
          const value = fill(name);
          return value === undefined ? [] : [[name, value]];
        });
        const reply = await browser.post(action, { ...fields, ...Object.fromEntries(filled) });
        const said = problemsIn(reply);
        const where = `${path} ${action} ${what}: ${reply.status}`;
        if (reply.status >= 500) wrong.push(where);
        if (reply.status >= 400 && said.length === 0 && !/Prove that it is you/.test(reply.text)) {
          wrong.push(`${where} says nothing`);
        }
        for (const words of said)
          if (FOR_PROGRAMS.test(words)) wrong.push(`${where} says ${words}`);
        if (/undefined|NaN|\[object Object\]/.test(reply.text)) wrong.push(`${where} undefined`);
      }
    }
    return wrong;
  }

  it('of an owner is answered in words for people, however it is filled in', async () => {
    const { browser, pathOf } = await busyOwner(platform);
    const paths = OWNER_PAGES.flatMap((page) =>
      page.path.endsWith('/selling/new')
        ? PRODUCT_KINDS.map(({ name }) => `${page.path}?kind=${name}`)
        : [pathOf(page)],
    );
    const wrong: string[] = [];
    for (const path of paths) wrong.push(...(await submitAll(browser, path)));
    expect(wrong).to.deep.equal([]);
    expect(actions.size).to.be.greaterThan(20);
  });

  it('and every address with a filter that is not valid', async () => {
    const { browser, pathOf } = await busyOwner(platform);
    const junk = ['cursor', 'status', 'role', 'agent', 'kind', 'from', 'to', 'older', 'labor'];
    const query = junk.map((name) => `${name}=%2Fx`).join('&');
    const wrong: string[] = [];
    const refused = new Set<number>();
    const paths = [...OWNER_PAGES, ...MARKET_PAGES].flatMap((page) => [
      `${pathOf(page).replace(/:id$/, '1')}?${query}`,
      ...(page.path.includes(':') ? [page.path.replace(':id', 'x')] : []),
    ]);
    for (const path of paths) {
      const reply = await browser.get(path);
      refused.add(reply.status);
      const said = problemsIn(reply);
      if (![200, 404, 422].includes(reply.status)) wrong.push(`${path}: ${reply.status}`);
      if (reply.status !== 200 && said.length === 0) wrong.push(`${path} says nothing`);
      for (const words of said) if (FOR_PROGRAMS.test(words)) wrong.push(`${path} says ${words}`);
    }
    expect(wrong).to.deep.equal([]);
    expect([...refused]).to.have.members([200, 404, 422]);
  });

  it('of operators and of newcomers is too', async () => {
    const deal = await openDeal(platform);
    await act(platform, 'dispute_order', { orderId: deal.orderId, key: deal.buyer.key });
    const product = await platform.product(deal.seller);
    await platform.query(`update product set status = 'pending_review' where id = $1`, [
      product.id,
    ]);
    const browser = await operator(platform);
    const paths = [
      ...OPERATOR_PAGES.map(({ path }) => path).filter((path) => !path.includes(':')),
      `/admin/decisions?kind=order_disputes&id=${deal.orderId}`,
      `/admin/decisions?kind=products&id=${product.id}`,
      `/admin/find?query=${deal.buyer.username}`,
    ];
    const wrong: string[] = [];
    for (const path of paths) wrong.push(...(await submitAll(browser, path)));
    const newcomer = new BrowserLike(platform);
    for (const { path } of FRONT_PAGES.filter(({ does }) => does.length > 0)) {
      wrong.push(...(await submitAll(newcomer, path)));
    }
    expect(wrong).to.deep.equal([]);
  });
});
