import axe from 'axe-core';

import type { Page } from './chromium.ts';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Findings of axe, and what it cannot tell, on the page as it is. */
export async function problemsOf(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
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

type Look = readonly [colorScheme: 'light' | 'dark', width: number, height?: number];

const LOOKS: readonly Look[] = [
  ['light', 390],
  ['dark', 390],
  ['dark', 1440],
  ['light', 1440],
];

/** Each colour scheme and each width once. */
export const TWO_LOOKS: readonly Look[] = [
  ['dark', 390],
  ['light', 1440],
];

/**
 * Both colour schemes, which the style sheet alone decides, in a window of this size. Text that is
 * longer than the window is covered by the bar at the foot of a phone, and axe cannot tell its
 * contrast.
 */
export const coloursAt = (width: number, height = 900): readonly Look[] => [
  ['light', width, height],
  ['dark', width, height],
];

/**
 * Findings of axe on the page as it is, light and dark, on a screen and on a phone, and where it is
 * too wide. It is not loaded again, so what is open or was typed stays.
 */
export async function problemsOfLooks(page: Page, what: string, looks = LOOKS): Promise<string[]> {
  const problems: string[] = [];
  for (const [colorScheme, width, height = 900] of looks) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    const wide = await excessWidth(page);
    const found = [...(await problemsOf(page)), ...(wide > 0 ? [`${wide} px too wide`] : [])];
    problems.push(...found.map((one) => `${what}, ${colorScheme}, ${width} px: ${one}`));
  }
  return problems;
}
