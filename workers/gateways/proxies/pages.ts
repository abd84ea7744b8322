import type { HostPort } from '../../../shared/platform/egress/addresses.ts';
import type { PageResult } from '../../../shared/domains/proxies/gateway.ts';
import { openAnsweringPage } from './answering_page.ts';
import { AnswerTooLong } from './http_answer.ts';
import { textAt } from './text_at.ts';
import { targetOf, textThrough, type Target } from './text_through.ts';

const PAGE_CHARS_MAX = 65_536;
/** Characters kept of a proxy's answer beyond the length of the page: many are kept at a time. */
const MORE_CHARS_MAX = 4_096;
/** Time for which a page counts as unchanged after we looked. */
const CONFIRMED_MS = 5_000;
/** Time for which our copy of a page is used, or its absence is believed. */
const KEPT_MS = 60_000;

/** A page as we get it without a proxy. */
interface Page {
  readonly url: string;
  readonly target: Target;
  readonly text: string;
}

/**
 * Pages that do not change, requested through proxies that passed the judge: this finds proxies
 * that are honest only to the judge. The operator chooses the pages, so the egress guard is not
 * asked.
 */
export function openPages(urls: readonly string[], timeoutMs: number) {
  let confirmed = { url: '', until: 0, text: Promise.resolve<string | undefined>(undefined) };

  const answering = openAnsweringPage<Page>(urls, KEPT_MS, async (url) => {
    const text = await directly(url);
    return text === undefined ? undefined : { url, target: targetOf(url), text };
  });

  const directly = (url: string) =>
    textAt(url, { timeoutMs, charsMax: PAGE_CHARS_MAX }).catch(() => undefined);

  /** Looks once at a time, for all proxies whose page differs. */
  function isUnchanged({ url, text }: Pick<Page, 'url' | 'text'>): Promise<boolean> {
    const now = performance.now();
    if (confirmed.url !== url || now > confirmed.until) {
      confirmed = { url, until: now + CONFIRMED_MS, text: directly(url) };
    }
    return confirmed.text.then((got) => {
      if (got !== text) answering.forget();
      return got === text;
    });
  }

  return {
    current: answering.current,
    async ask({ url, target, text }: Page, proxy: HostPort): Promise<PageResult> {
      const limits = { timeoutMs, charsMax: text.length + MORE_CHARS_MAX };
      const got = await textThrough(proxy, { target }, limits).catch((error: unknown) =>
        error instanceof AnswerTooLong ? TOO_LONG : undefined,
      );
      if (got === text) return 'same';
      // If we get no page or another one ourselves by now, it is not the proxy's fault.
      if (!(await isUnchanged({ url, text }))) return 'unknown';
      return got === undefined ? 'none' : 'different';
    },
  };
}

/** Something longer than the page came. */
const TOO_LONG = Symbol('too long');
