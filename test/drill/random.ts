/** Reproducible random numbers: the same seed gives the same numbers. */
export interface Random {
  /** 0 ≤ n < 1. */
  next(): number;
  /** A whole number, 0 ≤ n < limit. */
  below(limit: number): number;
  pick<T>(list: readonly T[]): T;
  /** One of the names, with a probability by its weight. */
  weighted<N extends string>(weights: Readonly<Record<N, number>>): N;
}

/** mulberry32: small, and good enough to choose what to break next. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    below,
    pick: (list) => list[below(list.length)]!,
    weighted<N extends string>(weights: Readonly<Record<N, number>>): N {
      const names = Object.keys(weights) as N[];
      let left = next() * names.reduce((sum, name) => sum + weights[name], 0);
      return names.find((name) => (left -= weights[name]) < 0) ?? names[0]!;
    },
  };
}

/** Each choice as often as its weight says, in a random order, again and again. */
export function deckOf<T>(random: Random, weights: ReadonlyMap<T, number>): () => T {
  const all = [...weights].flatMap(([choice, n]) => Array.from({ length: n }, () => choice));
  let deck: T[] = [];
  return () => {
    if (deck.length === 0) deck = [...all];
    return deck.splice(random.below(deck.length), 1)[0]!;
  };
}
