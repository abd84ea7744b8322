// test:all: Chromium is started and pages are walked through.
import { expect } from 'chai';

import { act } from '../orders/deal.ts';
import { buy, meet } from '../orders/trade.ts';
import { PLAY_MONEY } from '../sandbox/time/open_sandbox.ts';
import { problemsOfLooks } from './axe.ts';
import { freshPage } from './chromium.ts';
import { inBrowser, signIn } from './in_browser.ts';

describe('forms of rules, reviews and time that are refused', function () {
  this.timeout(240_000);
  const at = inBrowser(PLAY_MONEY);

  it('can be read and used by everybody, and keep what was typed', async () => {
    const { buyer, seller, product } = await meet(at.platform, { items: ['a', 'b', 'c'] });
    const settled = await buy(at.platform, buyer, product);
    await act(at.platform, 'confirm_order', { orderId: settled, key: buyer.key });
    const open = await buy(at.platform, buyer, product);
    const { page, context, faults } = await freshPage(at.browser);
    page.setDefaultTimeout(20_000);
    const problems: string[] = [];
    const refused = async (
      [path, button, unfold]: readonly [path: string, button: string, unfold?: string],
      fields: Readonly<Record<string, string>>,
    ) => {
      await page.goto(at.platform.url + path);
      if (unfold) await page.getByText(unfold, { exact: true }).click();
      const fieldOf = (label: string) =>
        page.getByRole('textbox', { name: new RegExp(`^${label}( .optional.)?$`) });
      for (const [label, text] of Object.entries(fields)) await fieldOf(label).fill(text);
      await page.getByRole('button', { name: button, exact: true }).click();
      await page.getByRole('alert').waitFor();
      for (const [label, text] of Object.entries(fields)) {
        expect(await fieldOf(label).isVisible(), `${path}: ${label}`).to.equal(true);
        expect(await fieldOf(label).inputValue(), `${path}: ${label}`).to.equal(text);
      }
      problems.push(...(await problemsOfLooks(page, `${path}: ${button}`)));
    };
    await signIn(page, at, buyer);
    await refused(['/console/check', 'Save the rule'], {
      'Hours after the vault was first opened': '100',
    });
    const check = ['Save the check', 'Confirm what passes a check'] as const;
    await refused([`/console/orders/${open}`, ...check], {
      'Pattern found in each item': '(',
      'Hours until the seller is paid': '2',
    });
    await refused([`/console/orders/${open}`, 'Let time pass'], { Hours: '-3' });
    await refused([`/console/orders/${settled}`, 'Publish the review', 'Write a review'], {
      Rating: '9',
      Review: 'It works.',
    });
    await refused(['/console/requests', 'Save'], {
      'Errors above, in percent': '300',
      'Cost of an hour above': 'much',
    });
    await page.goto(`${at.platform.url}/console/orders/${settled}`);
    await page.getByText('Write a review', { exact: true }).click();
    await page.getByRole('textbox', { name: 'Rating' }).fill('2');
    await page.getByRole('button', { name: 'Publish the review' }).click();
    await page.getByText('Your review was published.').waitFor();
    await page.goto(`${at.platform.url}/console/buy/${product.id}?quantity=none`);
    await page.getByText('Enter a whole number').waitFor();
    problems.push(...(await problemsOfLooks(page, 'no number of units')));
    // One unit is left, and two are asked for.
    await page.goto(`${at.platform.url}/console/buy/${product.id}?quantity=2`);
    await page.getByRole('button', { name: /^Buy for/ }).click();
    await page.getByRole('alert').waitFor();
    problems.push(...(await problemsOfLooks(page, 'a refused purchase')));
    await page.getByRole('button', { name: 'Sign out' }).click();
    await signIn(page, at, seller);
    await refused([`/console/orders/${settled}`, 'Publish the answer', 'Answer the review'], {
      'Your answer': ' ',
    });
    expect(problems.join('\n')).to.equal('');
    expect(faults.filter((fault) => !/status of (400|401|403|409|422)/.test(fault))).to.deep.equal(
      [],
    );
    await context.close();
  });
});
