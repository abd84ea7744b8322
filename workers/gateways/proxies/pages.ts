import type { Agent } from 'node:http';

import type { PageResult } from '../../../shared/proxies/gateway.ts';
import { textAt } from './text_at.ts';

const PAGE_CHARS_MAX = 65_536;
/** So long a page is believed not to have changed since we looked. */
const CONFIRMED_MS = 5_000;
/** How long a page that we got ourselves is compared with; and until we look again for none. */
const KEPT_MS = 60_000;

/** A page as we get it without a proxy. */
interface Page {
  readonly url: string;
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
      if (text !== undefined) return { url, text };
    }
    return undefined;
  }

  const directly = (url: string) =>
    textAt(url, { timeoutMs, charsMax: PAGE_CHARS_MAX }).catch(() => undefined);

  /** One look for all proxies that differ at a time. */
  function isAsBefore({ url, text }: Page): Promise<boolean> {
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
    async ask({ url, text }: Page, agent: Agent): Promise<PageResult> {
      const asked = { agent, timeoutMs, charsMax: PAGE_CHARS_MAX };
      const got = await textAt(url, asked).catch(() => undefined);
      if (got === text) return 'same';
      // Not the proxy's fault where we get none, or another one, by now.
      if (!(await isAsBefore({ url, text }))) return 'unknown';
      return got === undefined ? 'none' : 'different';
    },
  };
}
