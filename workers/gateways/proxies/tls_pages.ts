import { readFileSync } from 'node:fs';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';

import type { HostPort } from '../../../shared/platform/egress/addresses.ts';
import { openAnsweringPage } from './answering_page.ts';
import { AnswerTooLong } from './http_answer.ts';
import { textAt } from './text_at.ts';
import { targetOf, textThrough, type Target } from './text_through.ts';

const CHARS_MAX = 65_536;
/** Time for which a page is believed to answer, or not to, after we looked. */
const KEPT_MS = 60_000;
/** The same where a proxy has failed. */
const CONFIRMED_MS = 5_000;

/**
 * Pages by `https`, requested through proxies: this finds proxies that cannot pass TLS, or that
 * show a certificate of their own. Any answer under a valid certificate proves that TLS works. The
 * operator chooses the pages, so the egress guard is not asked.
 */
export function openTlsPages(
  urls: readonly string[],
  { timeoutMs, authority }: { timeoutMs: number; authority: string | undefined },
) {
  const secureContext = authority === undefined ? undefined : trusting(authority);
  let confirmed = { url: '', until: 0, answers: Promise.resolve(false) };

  const answering = openAnsweringPage<Target>(urls, KEPT_MS, async (url) =>
    (await answers(url)) ? targetOf(url) : undefined,
  );

  const answers = (url: string): Promise<boolean> =>
    textAt(url, { timeoutMs, charsMax: CHARS_MAX, secureContext }).then(
      () => true,
      () => false,
    );

  /** Looks once at a time, for all proxies that failed. */
  function stillAnswers(url: string): Promise<boolean> {
    const now = performance.now();
    if (confirmed.url !== url || now > confirmed.until) {
      confirmed = { url, until: now + CONFIRMED_MS, answers: answers(url) };
    }
    return confirmed.answers;
  }

  return {
    current: answering.current,
    /** Whether TLS works through this proxy; undefined: the fault may be the page's. */
    async works(target: Target, proxy: HostPort): Promise<boolean | undefined> {
      try {
        await textThrough(proxy, { target, secureContext }, { timeoutMs, charsMax: CHARS_MAX });
        return true;
      } catch (error) {
        if (error instanceof AnswerTooLong) return true;
        return (await stillAnswers(target.url)) ? false : undefined;
      }
    },
  };
}

/** Made once: the usual authorities take some milliseconds to read. */
const trusting = (file: string): SecureContext =>
  createSecureContext({ ca: [...rootCertificates, readFileSync(file, 'utf8')] });
