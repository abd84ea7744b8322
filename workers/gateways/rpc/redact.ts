import { clean } from '../../../shared/kernel/text.ts';

/** Bounds the work on a text that a provider made. */
const READ_MAX = 2_000;
const WORDS_MAX = 300;
/** Addresses and hashes of chains are public, and operators look them up. */
const PUBLIC = /^0x(?:[\da-f]{40}|[\da-f]{64})$/i;
const URLS = /\b[a-z][a-z\d+.-]{1,20}:\/\/[^\s"'<>)\]}]*/gi;
const IP_ADDRESSES = /\b\d{1,3}(?:\.\d{1,3}){3}\b/g;
const PAIRS = /(key|token|secret|password|authorization)(["']?\s?[:=]\s?["']?)[^\s"',;]+/gi;
const BEARERS = /\b(bearer|basic) [^\s"',;]+/gi;
/** Runs of the characters that keys are made of. */
const RUNS = /[\w-]{16,}/g;
const WORD_MAX = 40;
/** Shorter pieces of a URL are its version or the name of its network. */
const OWN_MIN = 6;

/**
 * The words of a provider without what may be a secret: it may repeat our URL, whose path or host
 * is a key, our headers and our address. Whatever looks like a key is taken for one. `own`: texts
 * that are secret whatever they look like.
 */
export function redacted(words: string, own: readonly string[] = []): string {
  return own
    .reduce((text, secret) => text.replaceAll(secret, '[hidden]'), clean(words.slice(0, READ_MAX)))
    .replace(URLS, '[URL]')
    .replace(BEARERS, '$1 [hidden]')
    .replace(PAIRS, '$1$2[hidden]')
    .replace(IP_ADDRESSES, '[address]')
    .replace(RUNS, hiddenRun)
    .slice(0, WORDS_MAX);
}

const hiddenRun = (run: string) => (isWord(run) || PUBLIC.test(run) ? run : '[hidden]');

/** Whether it is a word: no digits, and capitals as in `getBlockByNumber` or `NOT_FOUND`. */
const isWord = (run: string): boolean =>
  run.length <= WORD_MAX && (!/\d|[A-Z](?![a-z])/.test(run) || /^[A-Z]+(_[A-Z]+)+$/.test(run));

/** The pieces of a URL and of headers that may be keys. */
export function secretsIn(url: string, headers: Readonly<Record<string, string>>): string[] {
  const { username, password, pathname, searchParams } = new URL(url);
  const all = [username, password, ...pathname.split('/'), ...searchParams.values()];
  return [...all, ...Object.values(headers)].filter(({ length }) => length >= OWN_MIN);
}

/** The host of a URL as it may be shown: some providers have their key in it. */
export function shownHost(url: string): string {
  const { hostname, port } = new URL(url);
  return hostname.replace(RUNS, hiddenRun) + (port && `:${port}`);
}
