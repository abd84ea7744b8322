import axe from 'axe-core';

import type { Page } from './chromium.ts';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What axe finds, and what it cannot tell, on the page as it is. */
export async function problemsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async (tags) => {
    const { run } = (globalThis as unknown as { axe: typeof axe }).axe;
    const { violations, incomplete } = await run(document, { runOnly: tags });
    return [...violations, ...incomplete].map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`,
    );
  }, TAGS);
}

/** By how many pixels a page is wider than its window. */
export const excessWidth = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
