// test:all: Chromium is started, and words and boxes are marked.
import { expect } from 'chai';

import { claimsAs, openPool, unitsOf } from '../labor/pool.ts';
import { problemsOfLooks, TWO_LOOKS } from './axe.ts';
import { freshPage, type Page } from './chromium.ts';
import { inBrowser, signIn } from './in_browser.ts';

const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="200">' +
  '<rect width="400" height="200" fill="#8bd"/></svg>';

describe('units marked in a browser', function () {
  this.timeout(300_000);
  const at = inBrowser();

  /** A person with a unit of a new task. */
  async function begin(fields: object, options: Parameters<typeof freshPage>[1] = {}) {
    const pool = await openPool(at.platform, fields);
    const opened = await freshPage(at.browser, options);
    await signIn(opened.page, at, await at.platform.agent());
    await opened.page.goto(`${at.platform.url}/console/labor/${pool.taskId}/label`);
    await opened.page.getByRole('button', { name: 'Take a unit' }).click();
    await opened.page.getByRole('button', { name: 'Deliver' }).waitFor();
    return { ...pool, ...opened };
  }

  const answerTo = async ({ poster, taskId }: Awaited<ReturnType<typeof openPool>>) => {
    const [claim] = await claimsAs(at.platform, poster, taskId);
    return (claim!.submission as { content: string }).content;
  };

  const deliver = async (page: Page) => {
    await page.keyboard.press('Control+Enter');
    await page.getByText('Your answer was delivered.').waitFor();
  };

  it('have the words that were selected, by their place, with a number key', async () => {
    const opened = await begin({
      units: unitsOf('😀 Ada met Ada in Oslo'),
      template: { form: 'ner', labels: ['PER', 'LOC'] },
    });
    const { page, faults, context } = opened;
    const select = (from: number, to: number) =>
      page.evaluate(
        ([start, end]) => {
          (document.activeElement as HTMLElement).blur();
          const text = document.querySelector('#payload')!.firstChild!;
          getSelection()!.setBaseAndExtent(text, start!, text, end!);
        },
        [from, to],
      );
    // The second of two same names, with a space beside it; the face is two units of UTF-16.
    await select(11, 15);
    await page.keyboard.press('1');
    await select(18, 22);
    await page.keyboard.press('2');
    expect(await page.getByLabel('Answer').inputValue()).to.equal(
      'PER: Ada @10-13\nLOC: Oslo @17-21\n',
    );
    expect(await problemsOfLooks(page, 'words', TWO_LOOKS)).to.deep.equal([]);
    await deliver(page);
    expect(await answerTo(opened)).to.equal(
      '[{"start":10,"end":13,"label":"PER"},{"start":17,"end":21,"label":"LOC"}]',
    );
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  /** Selects from the first of one word to the end of another in the text, or everything. */
  const selectWords = (page: Page, from: string, to: string) =>
    page.evaluate(
      ([first, last]) => {
        (document.activeElement as HTMLElement).blur();
        if (first === '') return getSelection()!.selectAllChildren(document.body);
        const nodes = [...document.querySelector('#payload')!.childNodes];
        const at = (word: string) => nodes.find((node) => node.textContent!.includes(word))!;
        const [start, end] = [at(first!), at(last!)];
        getSelection()!.setBaseAndExtent(
          start,
          start.textContent!.indexOf(first!),
          end,
          end.textContent!.indexOf(last!) + last!.length,
        );
      },
      [from, to],
    );

  const HARD = [
    ['line one\r\nShe lives in York City 0', 'York', 'City', 'LOC: York City @23-32'],
    ['a\r\n \u200bYork\u202e City 0', 'York', 'City', 'LOC: York City @5-15'],
    ['{"in": "York"}', 'York', 'York', 'LOC: York @8-12'],
    [' \rYork\r\nCity\n', '', '', 'LOC: York City @2-12'],
  ] as const;

  it('have places of the text as it was posted, whatever is shown', async () => {
    for (const [payload, from, to, line] of HARD) {
      const opened = await begin({
        units: unitsOf(payload),
        template: { form: 'ner', labels: ['PER', 'LOC'] },
      });
      const { page, faults, context } = opened;
      await page.keyboard.press('2');
      await page.getByText('Select words in the text first').waitFor();
      await selectWords(page, from, to);
      await page.keyboard.press('2');
      expect(await page.getByLabel('Answer').inputValue()).to.equal(`${line}\n`);
      await page.getByLabel('Answer').focus();
      await deliver(page);
      const [, start, end] = /@(\d+)-(\d+)$/.exec(line)!;
      expect(JSON.parse(await answerTo(opened))).to.deep.equal([
        { start: Number(start), end: Number(end), label: 'LOC' },
      ]);
      expect(faults).to.deep.equal([]);
      await context.close();
    }
  });

  it('are delivered one by one, however long Enter is held', async () => {
    const opened = await begin({
      units: unitsOf('one', 'two', 'three'),
      template: { form: 'classification', labels: ['cat', 'dog'], several: true },
    });
    const { page, context } = opened;
    await page.keyboard.press('1');
    await page.keyboard.down('Enter');
    await page.getByText('two').waitFor();
    await page.waitForFunction(() => document.readyState === 'complete');
    for (let n = 0; n < 5; n += 1) await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    await page.keyboard.press('1');
    await page.keyboard.press('0');
    await page.keyboard.press('Enter');
    await page.getByText('three').waitFor();
    const claims = await claimsAs(at.platform, opened.poster, opened.taskId);
    const answers = claims.map(({ submission }) => (submission as { content: string })?.content);
    expect(answers).to.deep.equal([undefined, '[]', '["cat"]']);
    await context.close();
  });

  it('have boxes that were drawn in a picture, which is loaded when it is asked for', async () => {
    const opened = await begin({
      units: unitsOf('https://pictures.example.com/1.jpg'),
      template: { form: 'boxes', labels: ['cat', 'dog'] },
    });
    const { page, faults, context } = opened;
    const referrers: (string | undefined)[] = [];
    await page.route('https://pictures.example.com/**', (route) => {
      referrers.push(route.request().headers().referer);
      return route.fulfill({ contentType: 'image/svg+xml', body: PICTURE });
    });
    await page.getByRole('link', { name: 'Show pictures of pictures.example.com' }).click();
    const picture = page.locator('[data-picture]');
    await picture.waitFor();
    await page.waitForFunction(() => document.querySelector('img')?.complete);
    expect(referrers).to.deep.equal([undefined]);
    await picture.hover();
    const { x, y, width, height } = (await picture.boundingBox())!;
    const draw = async () => {
      await page.mouse.move(x + width * 0.75, y + height * 0.5);
      await page.mouse.down();
      await page.mouse.move(x + width * 0.25, y + height * 0.25);
      await page.mouse.up();
    };
    // The label is chosen by its number after the box, or before it for those that follow.
    await draw();
    await page.getByText('Choose the label of this box.').waitFor();
    await page.keyboard.press('2');
    await page.keyboard.press('1');
    await draw();
    expect(await picture.locator('rect').count()).to.equal(2);
    const lines = (await page.getByLabel('Answer').inputValue()).trim().split('\n');
    expect(lines.map((line) => line.split(':')[0])).to.deep.equal(['dog', 'cat']);
    expect(await problemsOfLooks(page, 'boxes', TWO_LOOKS)).to.deep.equal([]);
    await page.getByLabel('Answer').focus();
    await deliver(page);
    const [box] = JSON.parse(await answerTo(opened));
    expect(box.label).to.equal('dog');
    for (const [side, percent] of [
      ['x', 25],
      ['y', 25],
      ['width', 50],
      ['height', 25],
    ] as const) {
      expect(box[side], side).to.be.closeTo(percent, 1);
    }
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('are delivered without scripts too', async () => {
    const opened = await begin(
      {
        units: unitsOf('one', 'two'),
        template: { form: 'classification', labels: ['cat', 'dog'], several: true },
      },
      { javaScriptEnabled: false },
    );
    await opened.page.getByLabel('dog').check();
    await opened.page.getByRole('button', { name: 'Deliver' }).click();
    await opened.page.getByText('Your answer was delivered.').waitFor();
    await opened.page.getByText('two').waitFor();
    const claims = await claimsAs(at.platform, opened.poster, opened.taskId);
    expect(claims.at(-1)!.submission).to.deep.include({ content: '["dog"]' });
    await opened.context.close();
  });

  it('are left alone by keys where single keys are turned off', async () => {
    const { page, context } = await begin({
      units: unitsOf('one'),
      template: { form: 'classification', labels: ['cat', 'dog'] },
    });
    await page.evaluate(() => (document.documentElement.dataset.shortcuts = 'off'));
    await page.keyboard.press('2');
    expect(await page.locator('input:checked').count()).to.equal(0);
    await page.keyboard.press('Space');
    expect(await page.getByLabel('cat').isChecked()).to.equal(true);
    await context.close();
  });
});
