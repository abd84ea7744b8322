import { distance } from 'fastest-levenshtein';

/**
 * The known name that an unknown one most likely means: in another style (`productId`), with a
 * typing error, or with common words (`max_price` for `max_total_due`). Undefined: none is near.
 */
export const nearestName = (name: string, known: readonly string[]): string | undefined =>
  nearestNames(name, known, 1)[0];

/** The known names most like an unknown one, nearest first; alone one that differs in style. */
export function nearestNames(name: string, known: readonly string[], max: number): string[] {
  const words = wordsOf(name);
  const near = known
    .map((one) => ({ one, score: likeness(words, wordsOf(one)) }))
    .filter(({ score }) => score >= LIKENESS_MIN)
    .toSorted((a, b) => b.score - a.score);
  const isSame = near[0]?.score === 1;
  return near.slice(0, isSame ? 1 : max).map(({ one }) => one);
}

const LIKENESS_MIN = 0.3;
/** Likeness of two words that differ by a typing error. */
const SLIP = 0.8;
const BEGINNING = 0.6;
const BEGINNING_CHARS = 3;

const wordsOf = (name: string): string[] =>
  name
    .slice(0, 64)
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter(Boolean);

/** Likeness from 0 to 1: the share of words that both have. */
function likeness(one: readonly string[], other: readonly string[]): number {
  const whole = wordLikeness(one.join(''), other.join(''));
  const of = (some: readonly string[], others: readonly string[]) =>
    some.reduce(
      (sum, word) => sum + Math.max(0, ...others.map((two) => wordLikeness(word, two))),
      0,
    );
  const shared = (of(one, other) + of(other, one)) / Math.max(1, one.length + other.length);
  return Math.max(whole, shared);
}

function wordLikeness(one: string, other: string): number {
  if (one === other) return 1;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (distance(one, other) <= long.length / 4) return SLIP;
  let same = 0;
  while (same < short.length && short[same] === long[same]) same += 1;
  return same >= Math.max(BEGINNING_CHARS, BEGINNING * short.length) ? BEGINNING : 0;
}

/** The known text that differs least from this one, by at most `max` changed characters. */
export function nearestTo(text: string, known: readonly string[], max: number): string | undefined {
  const near = known
    .map((one) => ({ one, changes: distance(text.slice(0, 255), one) }))
    .filter(({ changes }) => changes > 0 && changes <= max)
    .toSorted((a, b) => a.changes - b.changes);
  return near[0]?.one;
}
