import type { HostPort } from '../../../shared/platform/egress/addresses.ts';
import type { PageResult } from '../../../shared/proxies/gateway.ts';
import { TooLong } from './http_answer.ts';
import { textAt } from './text_at.ts';
import { targetOf, textThrough, type Target } from './text_through.ts';

const PAGE_CHARS_MAX = 65_536;
/** Of what a proxy answers, which is kept for many at a time: so much more than the page. */
const MORE_CHARS_MAX = 4_096;
/** So long a page is believed not to have changed since we looked. */
const CONFIRMED_MS = 5_000;
/** How long a page that we got ourselves is compared with; and until we look again for none. */
const KEPT_MS = 60_000;

/** A page as we get it without a proxy. */
interface Page {
  readonly url: string;
  readonly target: Target;
  readonly text: string;
}

/**
 * Pages that do not change, asked for through proxies that the judge has answered through: a proxy
 * that is honest to the judge alone is found so. They are the operator's choice, so the egress
 * guard is not asked.
 */
export function openPages(urls: readonly string[], timeoutMs: number) {
  let found: Promise<Page | undefined> | undefined;
  let until = 0;
  let confirmed = { url: '', until: 0, text: Promise.resolve<string | undefined>(undefined) };

  /** One that answers us; undefined: none does. */
  function current(): Promise<Page | undefined> {
    if (!found || performance.now() > until) {
      until = performance.now() + KEPT_MS;
      found = find();
    }
    return found;
  }

  async function find(): Promise<Page | undefined> {
    const from = Math.floor(Math.random() * urls.length);
    for (const url of [...urls.slice(from), ...urls.slice(0, from)]) {
      const text = await directly(url);
      if (text !== undefined) return { url, target: targetOf(url), text };
    }
    return undefined;
  }

  const directly = (url: string) =>
    textAt(url, { timeoutMs, charsMax: PAGE_CHARS_MAX }).catch(() => undefined);

  /** One look for all proxies that differ at a time. */
  function isAsBefore({ url, text }: Pick<Page, 'url' | 'text'>): Promise<boolean> {
    const now = performance.now();
    if (confirmed.url !== url || now > confirmed.until) {
      confirmed = { url, until: now + CONFIRMED_MS, text: directly(url) };
    }
    return confirmed.text.then((got) => {
      if (got !== text) until = 0;
      return got === text;
    });
  }

  return {
    current,
    async ask({ url, target, text }: Page, proxy: HostPort): Promise<PageResult> {
      const limits = { timeoutMs, charsMax: text.length + MORE_CHARS_MAX };
      const got = await textThrough(proxy, { target }, limits).catch((error: unknown) =>
        error instanceof TooLong ? TOO_LONG : undefined,
      );
      if (got === text) return 'same';
      // Not the proxy's fault where we get none, or another one, by now.
      if (!(await isAsBefore({ url, text }))) return 'unknown';
      return got === undefined ? 'none' : 'different';
    },
  };
}

/** Something else than the page came, and more. */
const TOO_LONG = Symbol('too long');
