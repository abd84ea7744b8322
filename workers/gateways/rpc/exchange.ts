import { answerText } from '../answer_text.ts';

/** The answer of a provider to one request. */
export interface Answered {
  readonly status: number;
  /** The pause that it asks for; undefined: it names none. */
  readonly retryAfterMs: number | undefined;
  /** Undefined: it is no JSON. */
  readonly value: unknown;
}

/** Where a provider is, and what goes with each question. */
export interface Endpoint {
  readonly url: string;
  /** Time from a question to the end of its answer. */
  readonly answerMsMax: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends questions in one request. Throws if nothing comes back, without a word of the provider. */
export async function exchange(
  { url, answerMsMax, headers }: Endpoint,
  question: object,
): Promise<Answered> {
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
    const text = await answerText(response);
    const retryAfterMs = pauseIn(response.headers.get('retry-after'));
    return { status: response.status, retryAfterMs, value: jsonIn(text) };
  } finally {
    clearTimeout(timer);
    overdue.abort(); // An answer that was not read to its end is closed.
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Retry-After has seconds, or a date. */
export function pauseIn(text: string | null): number | undefined {
  if (text === null) return undefined;
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}
