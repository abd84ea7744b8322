/** Well under the age that a price may have. */
const FRESH_MS = 5_000;

/**
 * One question at a time a key: whoever asks the same meanwhile, or within `freshMs` after it was
 * answered, gets the same answer. So does whoever asks what failed, so that a source which hangs is
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
