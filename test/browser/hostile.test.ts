// test:all: Chromium is started and pages are walked through.
import { expect } from 'chai';

import { OPERATOR_TOKEN } from '../access/scene.ts';
import { PASSWORD } from '../console/browser_like.ts';
import { TestPlatform } from '../harness.ts';
import { excessWidth, problemsOfLooks, TWO_LOOKS } from './axe.ts';
import { freshPage, openChromium, type Browser, type Page } from './chromium.ts';

const MARKUP = '</h1></bdi><script>document.title="taken"</script><img src=x onerror=alert(1)>';
/** So long without a space, in letters that take much of a line, from right to left. */
const wordOf = (chars: number) => `\u202E${MARKUP}"'`.padEnd(chars, 'W');

type Agent = Awaited<ReturnType<TestPlatform['agent']>>;

describe('what others wrote, in a browser', function () {
  this.timeout(180_000);
  let platform: TestPlatform;
  let browser: Browser;
  let owner: Agent;
  let paths: { readonly owner: readonly string[]; readonly operator: readonly string[] };
  before(async () => {
    platform = await TestPlatform.open({ schedules: true });
    owner = await platform.agent({ usd: 50 });
    paths = await writeEverywhere();
    browser = await openChromium();
  });
  after(async () => {
    await browser?.close();
    await platform.close();
  });

  async function call({ key }: Agent, route: string, body: object = {}) {
    const reply = await platform.request(route, { key, body });
    if (reply.status !== 200) throw new Error(`${route}: ${reply.text.slice(0, 500)}`);
    return reply.body;
  }

  /** Another party writes as much as it may, wherever the owner or an operator reads it. */
  async function writeEverywhere() {
    const other = await platform.agent({ usd: 50 });
    const title = wordOf(120);
    const [sold, bought] = [
      await platform.product(owner, { title: 'Maps', price: 2 }),
      await platform.product(other, { title, description: wordOf(5_000), price: 1 }),
    ];
    const buy = async (by: Agent, { id }: { id: number }) =>
      (await call(by, 'POST /api/v1/orders', { product_id: id })).order_id as number;
    const [boughtId, soldId] = [await buy(owner, bought), await buy(other, sold)];
    for (const order_id of [boughtId, soldId]) {
      await call(other, 'POST /api/v1/messages', { order_id, text: wordOf(4_000) });
    }
    await call(other, `POST /api/v1/orders/${soldId}/dispute`, { reason: wordOf(2_000) });
    await call(owner, `POST /api/v1/orders/${boughtId}/dispute`, { reason: 'It is empty.' });
    const response = wordOf(2_000);
    await call(other, `POST /api/v1/orders/${boughtId}/dispute/respond`, { response });
    const task = { title: 'Count the trees', budget: 2 };
    const { task_id: taskId } = await call(owner, 'POST /api/v1/tasks', task);
    const bid = { bid_amount: 1.5, proposal: wordOf(2_000) };
    const { bid_id: bidId } = await call(other, `POST /api/v1/tasks/${taskId}/bids`, bid);
    await call(owner, `POST /api/v1/tasks/${taskId}/bids/${bidId}/accept`);
    await call(other, `POST /api/v1/tasks/${taskId}/submit`, { result: wordOf(10_000) });
    return {
      owner: [
        '/console',
        '/console/todo',
        '/console/orders',
        `/console/orders/${boughtId}`,
        `/console/orders/${soldId}`,
        '/console/disputes',
        '/console/work',
        `/console/work/${taskId}`,
        '/console/events',
      ],
      operator: [`/admin/decisions?kind=order_disputes&id=${boughtId}`],
    };
  }

  const go = (page: Page, path: string) => page.goto(platform.url + path);

  /** How many texts turn the direction of what stands beside them. A result is kept as it is. */
  const turned = (page: Page) =>
    page.evaluate(() => {
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      let found = 0;
      for (let at = texts.nextNode(); at; at = texts.nextNode()) {
        if (at.textContent!.includes('\u202E') && !at.parentElement!.closest('bdi')) found += 1;
      }
      return found;
    });

  async function signIn(page: Page, kind: 'console' | 'admin'): Promise<void> {
    const isOwner = kind === 'console';
    await go(page, `/${kind}`);
    await page.getByLabel('Name').fill(isOwner ? owner.username : 'operator');
    await page.locator('input[name=secret]').fill(isOwner ? PASSWORD : OPERATOR_TOKEN);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: isOwner ? 'Home' : 'Overview', level: 1 }).waitFor();
  }

  it('stays text, in its place, and moves nothing to the side', async () => {
    let seen = 0;
    for (const kind of ['console', 'admin'] as const) {
      const { page, context, faults } = await freshPage(browser, {
        viewport: { width: 390, height: 900 },
      });
      await signIn(page, kind);
      for (const path of paths[kind === 'console' ? 'owner' : 'operator']) {
        await go(page, path);
        for (const width of [320, 1440]) {
          await page.setViewportSize({ width, height: 900 });
          expect(await excessWidth(page), `${path} at ${width} px`).to.equal(0);
        }
        expect(await page.title(), path).to.match(/ · Agent Marketplace$/);
        expect(await page.locator('main script, main img').count(), path).to.equal(0);
        const text = await page.locator('main').innerText();
        seen += text.split(MARKUP).length - 1;
        expect(await turned(page), path).to.equal(0);
      }
      // Whatever the policy of the page forbids is said there.
      expect(faults).to.deep.equal([]);
      await context.close();
    }
    // The title of a list, of both orders, two messages, reason, answer, proposal, result.
    expect(seen).to.be.at.least(9);
  });

  it('is read by everybody, where what cannot be undone is asked once more, too', async () => {
    const { page, context, faults } = await freshPage(browser);
    await signIn(page, 'console');
    await go(page, paths.owner[3]!);
    expect(await problemsOfLooks(page, 'an order', TWO_LOOKS)).to.deep.equal([]);
    await go(page, paths.owner[7]!);
    await page.getByRole('button', { name: /^Approve/ }).click();
    await page.getByRole('dialog').waitFor();
    expect(await problemsOfLooks(page, 'a dialog')).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
