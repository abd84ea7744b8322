import { answerText } from '../answer_text.ts';

/** One provider of a chain. Its URL may hold a key, so no message repeats it. */
export interface JsonRpc {
  /** Throws RpcRefusal for an error in the answer, and another error without an answer. */
  ask<T>(method: string, params: readonly unknown[]): Promise<T>;
  /** Sends several questions in one request; answers in their order. Throws if one is refused. */
  askAll(questions: readonly Question[]): Promise<readonly unknown[]>;
}

export type Question = readonly [method: string, params: readonly unknown[]];

/** An error that a provider answered instead of a result. */
export class RpcRefusal extends Error {}

const ANSWER_MS_MAX = 10_000;

/**
 * `answerMsMax`: time from a question to the end of its answer. `headers` go with each question; no
 * message repeats them.
 */
export function openJsonRpc(
  url: string,
  answerMsMax = ANSWER_MS_MAX,
  headers: Readonly<Record<string, string>> = {},
): JsonRpc {
  const post = <T>(question: object) => postTo<T>({ url, answerMsMax, headers }, question);
  let id = 0;
  const requestOf = ([method, params]: Question) => {
    id += 1;
    return { jsonrpc: '2.0', id, method, params };
  };
  return {
    async ask<T>(method: string, params: readonly unknown[]): Promise<T> {
      const request = requestOf([method, params]);
      return resultIn(await post<Answer>(request), request) as T;
    },
    async askAll(questions) {
      const requests = questions.map(requestOf);
      const answers = await post<Answer[] | Answer>(requests);
      // A single answer to all of them is a refusal.
      if (!Array.isArray(answers)) {
        throw new RpcRefusal(
          `it takes no batch: ${answers.error?.message ?? 'no list of answers'}`,
        );
      }
      const byId = new Map(answers.map((answer) => [answer.id, answer]));
      return requests.map((request) => resultIn(byId.get(request.id) ?? {}, request));
    },
  };
}

function resultIn(answer: Answer, { id, method }: { id: number; method: string }): unknown {
  if (answer.error) throw new RpcRefusal(`${method}: ${answer.error.message ?? 'an error'}`);
  if (answer.id !== id || !('result' in answer)) throw new Error(`${method}: no result`);
  return answer.result;
}

interface Answer {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message?: string };
}

interface Provider {
  readonly url: string;
  readonly answerMsMax: number;
  readonly headers: Readonly<Record<string, string>>;
}

async function postTo<T>({ url, answerMsMax, headers }: Provider, question: object): Promise<T> {
  let text: string;
  const overdue = new AbortController();
  const timer = setTimeout(() => overdue.abort(), answerMsMax);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(question),
      redirect: 'error',
      signal: overdue.signal,
    });
    text = await answerText(response);
  } catch (error) {
    throw new Error(`${new URL(url).host} does not answer: ${(error as Error).message}`);
  } finally {
    clearTimeout(timer);
    overdue.abort(); // An answer that was not read to its end is closed.
  }
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new Error(`${new URL(url).host} answers something that is no JSON`);
  }
}
