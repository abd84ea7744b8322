// test:all: Chromium is started and pages are walked through.
import { randomBytes } from 'node:crypto';

import { expect } from 'chai';

import { PAGES } from '../../api/console/routes.ts';
import { unclaimedRow } from '../deposits/unclaimed/unclaimed_row.ts';
import { eventually } from '../harness.ts';
import { act, openDeal } from '../orders/deal.ts';
import { done } from '../tasks/board.ts';
import { operator } from '../console/browser_like.ts';
import { coloursAt, problemsOfLooks } from './axe.ts';
import { freshPage } from './chromium.ts';
import { SHIFT_MAX, shiftOf } from './shift.ts';
import { give, inBrowser, signInOperator } from './in_browser.ts';

const START_LINK = `${Date.now()}.a-secret-of-the-tests-with-many-letters`;
const pages = PAGES.filter(({ access }) => access === 'operator');

describe('the console of operators in a browser', function () {
  this.timeout(240_000);
  const at = inBrowser({ START_LINK });

  async function dispute() {
    const deal = await openDeal(at.platform);
    await act(at.platform, 'dispute_order', { orderId: deal.orderId, key: deal.buyer.key });
    await act(at.platform, 'respond_dispute', { orderId: deal.orderId, key: deal.seller.key });
    return deal;
  }
  /** Somebody claims a payment of nobody. */
  async function claimed({ key }: { key: string }): Promise<void> {
    const tx_id = `0x${randomBytes(32).toString('hex')}`;
    await unclaimedRow(at.platform, tx_id);
    const statement = 'It is withdrawal 4711 of my account at the exchange.';
    const body = { rail: 'base', tx_id, statement };
    done(await at.platform.request('POST /api/v1/wallet/deposits/claims', { key, body }));
  }
  const statusOf = async (orderId: number) => {
    const [{ status }] = await at.platform.query('select status from orders where id = $1', [
      orderId,
    ]);
    return status as string;
  };

  for (const width of [1440, 390]) {
    it(`has no page that, light or dark, at ${width} px, some could not read or use`, async () => {
      const { orderId, buyer } = await dispute();
      const { id } = await at.platform.product(await at.platform.agent());
      await at.platform.query(`update product set status = 'pending_review' where id = $1`, [id]);
      await claimed(buyer);
      const [job] = await at.platform.query('select id from job order by id limit 1');
      const { page, context, faults } = await freshPage(at.browser, {
        viewport: { width, height: 900 },
      });
      const problems: string[] = [];
      const look = async (what: string) => {
        problems.push(...(await problemsOfLooks(page, what, coloursAt(width))));
      };
      await page.goto(`${at.platform.url}/start?code=${START_LINK}`);
      await page.getByRole('button', { name: 'Become the operator' }).waitFor();
      await look('/start');
      await page.goto(`${at.platform.url}/admin/login`);
      await give(page, 'operator', 'a wrong token');
      await page.getByRole('alert').waitFor();
      await look('/admin/login, refused');
      await signInOperator(page, at);
      if (width === 390) {
        await page.getByRole('link', { name: 'More' }).click();
        await page.getByRole('link', { name: 'Rails' }).waitFor();
        await look('More');
      }
      const paths = [
        ...pages.map(({ path }) => path.replace(':id', job.id)),
        `/admin/decisions?kind=order_disputes&id=${orderId}`,
        '/admin/decisions?kind=withdrawals',
        '/admin/decisions?kind=payments',
        `/admin/find?query=${orderId}`,
        `/admin/find?agent=${buyer.id}`,
      ];
      for (const path of paths) {
        await page.goto(at.platform.url + path);
        await look(path);
        await page.evaluate(() => document.fonts.ready);
        expect(await shiftOf(page), path).to.be.at.most(SHIFT_MAX);
      }
      await page.getByRole('button', { name: 'Suspend' }).first().click();
      await page.getByRole('dialog').waitFor();
      await look('a dialog');
      // A refused form comes back with what was wrong, at the form that it was sent by.
      await page.goto(`${at.platform.url}/admin/find?agent=${buyer.id}`);
      await page.getByLabel('Amount').fill('a lot');
      await page.getByLabel('Reference').fill('axe');
      await page.getByLabel('Note').last().fill('A test.');
      await page.getByRole('button', { name: 'Give credit' }).click();
      await page.getByRole('alert').waitFor();
      await look('a form with errors');
      expect(problems.join('\n')).to.equal('');
      // The wrong token and the wrong amount are answered so; nothing else is.
      expect(faults.filter((fault) => !/status of (401|403|422)/.test(fault))).to.deep.equal([]);
      await context.close();
    });
  }

  it('decides by keyboard alone, and opens the next one', async () => {
    const first = await dispute();
    const before = await at.platform.balance(first.buyer);
    await dispute();
    const { page, context, faults } = await freshPage(at.browser);
    await signInOperator(page, at);
    for (const [key, name] of [
      ['m', 'Money board'],
      ['q', 'Queues'],
      ['p', 'Machine'],
      ['f', 'Look up'],
      ['r', 'Rails'],
      ['d', 'Decisions'],
    ] as const) {
      await page.keyboard.press('g');
      await page.keyboard.press(key);
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await page.waitForLoadState('load');
    }
    await page.goto(`${at.platform.url}/admin/decisions?kind=order_disputes&id=${first.orderId}`);
    const verdict = page.getByLabel('Decision', { exact: true });
    for (const [key, value] of [
      ['s', 'split'],
      ['r', 'release'],
      ['b', 'refund'],
    ] as const) {
      // From the page as such: in the choice itself, letters are the browser's.
      await page.locator('main').focus();
      await page.keyboard.press(key);
      expect(await verdict.inputValue()).to.equal(value);
    }
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type('It does not open, as the buyer says.');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('dialog').waitFor();
    expect(await statusOf(first.orderId)).to.equal('disputed');
    await page.keyboard.press('Control+Enter');
    await page.getByText('The dispute is decided.').waitFor();
    expect(await statusOf(first.orderId)).to.equal('refunded');
    expect(await at.platform.balance(first.buyer)).to.be.closeTo(before + 1.1, 1e-9);
    expect(await page.getByRole('heading', { level: 2 }).first().innerText()).to.not.include(
      `#${first.orderId}`,
    );
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('changes in place when another decides, and keeps reasons with what they are about', async () => {
    const [one, two] = [await dispute(), await dispute()];
    const { page, context, faults } = await freshPage(at.browser);
    await signInOperator(page, at);
    const path = (id: number) => `/admin/decisions?kind=order_disputes&id=${id}`;
    await page.goto(at.platform.url + path(one.orderId));
    await page.locator('.live:not([hidden])').waitFor();
    const other = await operator(at.platform);
    const decide = async (orderId: number) => {
      const form = { verdict: 'refund', seller_amount: '', note: 'Decided elsewhere.' };
      const reply = await other.submit(
        await other.get(path(orderId)),
        '/admin/do/decide_dispute',
        form,
      );
      expect(reply.status).to.equal(303);
    };
    const ids = () =>
      page.locator('form[action$="decide_dispute"] input[name=order_id]').inputValue();
    // Nothing is typed: the one that was decided gives way to another.
    await decide(one.orderId);
    await eventually(ids, (id) => id !== String(one.orderId));
    await page.goto(at.platform.url + path(two.orderId));
    await page.locator('.live:not([hidden])').waitFor();
    await page.getByLabel('Reason').fill('These reasons are about this order.');
    await decide(two.orderId);
    await eventually(
      () => page.locator('#status').innerText(),
      (text) => text.includes('This page has changed'),
    );
    expect(await ids()).to.equal(String(two.orderId));
    expect(await page.getByLabel('Reason').inputValue()).to.include('These reasons');
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
