/** Well under the maximum age of a price. */
const FRESH_MS = 5_000;

/**
 * Asks one question at a time for each key: callers that ask the same meanwhile, or within
 * `freshMs` of the answer, share that answer. Failures are shared too, so that a hanging source is
 * not asked by everybody. Keys must be few.
 */
export function shareAnswers<T>(
  ask: (key: string) => Promise<T>,
  freshMs = FRESH_MS,
): (key: string) => Promise<T> {
  const answers = new Map<string, { readonly answer: Promise<T>; until: number }>();
  return (key) => {
    const last = answers.get(key);
    if (last && performance.now() < last.until) return last.answer;
    const current = { answer: ask(key), until: Infinity };
    answers.set(key, current);
    const settle = (forMs: number) => () => {
      current.until = performance.now() + forMs;
    };
    current.answer.then(settle(freshMs), settle(FRESH_MS));
    return current.answer;
  };
}
