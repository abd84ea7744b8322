import { answerText } from '../answer_text.ts';
import { pauseIn } from '../rpc/exchange.ts';
import { openProfile, type Profile } from '../rpc/profile.ts';
import { redacted, secretsIn, shownHost } from '../rpc/redact.ts';

/** One indexer. Its URL may hold a key, so no message repeats it. */
export interface Indexer {
  readonly host: string;
  /** Undefined: it has no such object. Throws if the answer is not an object. */
  ask<T extends object>(path: string): Promise<T | undefined>;
}

const ANSWER_MS_MAX = 10_000;
const TRIES_MAX = 3;

interface Options {
  readonly token?: string | undefined;
  /** Time from a question to the end of its answer. */
  readonly answerMsMax?: number;
  readonly profile?: Profile;
}

export function openIndexer(url: string, options: Options): Indexer {
  const { token, answerMsMax = ANSWER_MS_MAX } = options;
  const profile = options.profile ?? openProfile(shownHost(url));
  const headers: Record<string, string> = token === undefined ? {} : { [TOKEN_HEADER]: token };
  const own = secretsIn(url, headers);

  async function askOnce(path: string): Promise<object | 'refused' | undefined> {
    const turn = await profile.spacing.turn();
    profile.count({ requests: 1, calls: 1 });
    const overdue = new AbortController();
    const timer = setTimeout(() => overdue.abort(), answerMsMax);
    try {
      const answer = await fetch(url + path, {
        headers,
        redirect: 'error',
        signal: overdue.signal,
      });
      if (answer.status === 429) {
        turn.refused(pauseIn(answer.headers.get('retry-after')));
        profile.count({ refused: 1 });
        return 'refused';
      }
      turn.answered();
      if (answer.status === 404) return undefined;
      if (!answer.ok) throw new Error(`status ${answer.status}`);
      const value: unknown = JSON.parse(await answerText(answer));
      if (value === null || typeof value !== 'object') throw new Error('no object');
      return value;
    } catch (error) {
      const why = redacted((error as Error).message, own);
      throw new Error(`${profile.name} does not answer: ${why}`);
    } finally {
      clearTimeout(timer);
      overdue.abort(); // An answer that was not read to its end is closed.
    }
  }

  return {
    host: profile.name,
    async ask<T extends object>(path: string): Promise<T | undefined> {
      try {
        for (let tries = 0; tries < TRIES_MAX; tries += 1) {
          const answer = await askOnce(path);
          if (answer === 'refused') continue;
          profile.note(undefined);
          return answer as T | undefined;
        }
        throw new Error(`${profile.name} does not answer: status 429`);
      } catch (error) {
        profile.note((error as Error).message);
        throw error;
      }
    },
  };
}

const TOKEN_HEADER = 'x-indexer-api-token';
