import type { Page } from './chromium.ts';

/** The moment that pictures show, so that they differ only where the page does. */
const SHOWN_AT = '2026-11-18T09:12:00Z';

/**
 * Shows a page as if what was made at `madeAt` had been made at that moment: the times, the days
 * under charts, and what a key begins with. Amounts, counts and durations stay as they are.
 */
export async function still(page: Page, madeAt: Date): Promise<void> {
  await page.evaluate(
    ([from, to]) => {
      const long = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
      const short = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
      const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
      for (const time of document.querySelectorAll('time')) {
        // The time of a key's last use is known to the hour.
        const step = time.dateTime.endsWith(':00:00.000Z') ? 3_600_000 : 1;
        const [made, start, shown] = [Date.parse(time.dateTime), from!, to!];
        const at = made - (made % step) - (start - (start % step)) + (shown - (shown % step));
        time.textContent = (time.hasAttribute('data-short') ? short : long).format(at);
      }
      for (const axis of document.querySelectorAll('.axis')) {
        axis.firstElementChild!.textContent = day.format(to! - 29 * 86_400_000);
        axis.lastElementChild!.textContent = day.format(to);
      }
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let at = texts.nextNode(); at; at = texts.nextNode()) {
        at.textContent = at.textContent!.replace(/\bvnx_[\w-]{8}(?=…)/, 'vnx_Zx3vQ8kL');
      }
    },
    [madeAt.getTime(), Date.parse(SHOWN_AT)],
  );
}
