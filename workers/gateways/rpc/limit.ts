/** The size of something that a provider takes, which is learned: it shrinks on a refusal. */
export interface Limit {
  /** The size to ask for now. */
  readonly value: number;
  /** One of this size was answered. */
  answered(size: number): void;
  /** One of this size was refused. `named`: the limit that the provider names. */
  refused(size: number, named?: number): void;
}

/** Answers of the full size after which a larger one is tried, before anything was refused. */
const FIRST_NEEDED = 2;
/** The same after a refusal; each further refusal doubles it, because it costs a request. */
const NEEDED = 50;
const NEEDED_MAX = 3_200;
/** A limit grows by this part of it, once something was refused. */
const GROWTH = 10;

/** Grows by doubling until a first refusal, and then in small steps and ever more seldom. */
export function openLimit({ start, max }: { start: number; max: number }): Limit {
  let value = start;
  let needed = FIRST_NEEDED;
  let streak = 0;
  let named: number | undefined;
  return {
    get value() {
      return value;
    },
    answered(size) {
      if (size < value || value >= max) return;
      streak += 1;
      if (streak < needed) return;
      streak = 0;
      const isLearned = needed > FIRST_NEEDED;
      value = Math.min(max, value + (isLearned ? Math.ceil(value / GROWTH) : value));
    },
    refused(size, said) {
      streak = 0;
      // Several may be in flight when the first is refused.
      if (size > value || value === 1) return;
      needed = needed < NEEDED ? NEEDED : Math.min(needed * 2, NEEDED_MAX);
      // A number that was tried and refused says nothing about the limit.
      const isNamed = said !== undefined && said < size && size !== named;
      named = isNamed ? said : undefined;
      value = Math.max(1, isNamed ? said : Math.floor(size / 2));
    },
  };
}
