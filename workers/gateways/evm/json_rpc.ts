/** One provider of a chain. Its URL may hold a key, so no message repeats it. */
export interface JsonRpc {
  /** Throws RpcRefusal for an error that it answers, and something else when it does not answer. */
  ask<T>(method: string, params: readonly unknown[]): Promise<T>;
}

/** What a provider answered instead of a result. */
export class RpcRefusal extends Error {}

const ANSWER_MS_MAX = 10_000;
/** A page of logs is the longest answer. */
const ANSWER_BYTES_MAX = 16 * 2 ** 20;

/** `answerMsMax` is from a question to the end of its answer. */
export function openJsonRpc(url: string, answerMsMax = ANSWER_MS_MAX): JsonRpc {
  let id = 0;
  return {
    async ask<T>(method: string, params: readonly unknown[]): Promise<T> {
      id += 1;
      const asked = id;
      const question = { jsonrpc: '2.0', id: asked, method, params };
      const answer = await post(url, question, answerMsMax);
      if (answer.error) throw new RpcRefusal(`${method}: ${answer.error.message ?? 'an error'}`);
      if (answer.id !== asked || !('result' in answer)) throw new Error(`${method}: no result`);
      return answer.result as T;
    },
  };
}

interface Answer {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message?: string };
}

async function post(url: string, question: object, answerMsMax: number): Promise<Answer> {
  let text: string;
  const overdue = new AbortController();
  const timer = setTimeout(() => overdue.abort(), answerMsMax);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(question),
      redirect: 'error',
      signal: overdue.signal,
    });
    text = await textOf(response);
  } catch (error) {
    throw new Error(`${new URL(url).host} does not answer: ${(error as Error).message}`);
  } finally {
    clearTimeout(timer);
    overdue.abort(); // What was not read to its end is not kept open.
  }
  try {
    return JSON.parse(text) as Answer;
  } catch {
    throw new Error(`${new URL(url).host} answers something that is no JSON`);
  }
}

/** Counted as it comes, because an answer need not say how long it is. */
async function textOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES_MAX) throw new Error('its answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
