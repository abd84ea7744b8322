import { answerText } from '../answer_text.ts';

/** One indexer. Its URL may hold a key, so no message repeats it. */
export interface Indexer {
  readonly host: string;
  /** Undefined: it has no such object. Throws if the answer is not an object. */
  ask<T extends object>(path: string): Promise<T | undefined>;
}

const ANSWER_MS_MAX = 10_000;

/** `answerMsMax`: time from a question to the end of its answer. */
export function openIndexer(
  url: string,
  { token, answerMsMax = ANSWER_MS_MAX }: { token?: string | undefined; answerMsMax?: number },
): Indexer {
  const { host } = new URL(url);
  const headers = token === undefined ? {} : { 'x-indexer-api-token': token };
  return {
    host,
    async ask<T extends object>(path: string): Promise<T | undefined> {
      const overdue = new AbortController();
      const timer = setTimeout(() => overdue.abort(), answerMsMax);
      try {
        const answer = await fetch(url + path, {
          headers,
          redirect: 'error',
          signal: overdue.signal,
        });
        if (answer.status === 404) return undefined;
        if (!answer.ok) throw new Error(`status ${answer.status}`);
        const value: unknown = JSON.parse(await answerText(answer));
        if (value === null || typeof value !== 'object') throw new Error('no object');
        return value as T;
      } catch (error) {
        throw new Error(`${host} does not answer: ${(error as Error).message}`);
      } finally {
        clearTimeout(timer);
        overdue.abort(); // An answer that was not read to its end is closed.
      }
    },
  };
}
