import { distance } from 'fastest-levenshtein';

/**
 * The name that was most likely meant by one that is not known: written otherwise (`productId`),
 * with a slip, or with words in common (`max_price`, of `quantity` and `max_total_due`). Undefined:
 * none is near.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const words = wordsOf(name);
  const scored = known.map((one) => ({ one, score: likeness(words, wordsOf(one)) }));
  const [best] = scored.toSorted((a, b) => b.score - a.score);
  return best && best.score >= LIKENESS_MIN ? best.one : undefined;
}

const LIKENESS_MIN = 0.3;
/** Of two words that are not the same. */
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

/** From 0 to 1: how much of both is in both. */
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
