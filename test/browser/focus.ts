import { expect } from 'chai';

import type { Page } from './chromium.ts';

/** Name of the focused element, as a screen reader would say it. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement: at } = document;
    if (!(at instanceof HTMLElement)) return '';
    const label = at instanceof HTMLInputElement ? at.labels?.[0]?.innerText : undefined;
    return (at.getAttribute('aria-label') ?? label ?? at.innerText).trim();
  });

/** Goes on by Tab alone until the focus is there. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const passed: string[] = [];
  while (passed.length < 80) {
    await page.keyboard.press('Tab');
    const at = await focused(page);
    if (typeof name === 'string' ? at === name : name.test(at)) {
      expect(await isSeen(page), `${at} has a frame`).to.equal(true);
      return;
    }
    passed.push(at);
  }
  throw new Error(`Tab does not lead to ${String(name)}, but to ${passed.join(' | ')}`);
}

/** Whether what has the focus shows it, and is in the window. */
const isSeen = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const at = document.activeElement!;
    const { outlineStyle, outlineWidth } = getComputedStyle(at);
    const { top, bottom } = at.getBoundingClientRect();
    const isFramed = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0;
    return isFramed && bottom > 0 && top < innerHeight;
  });
