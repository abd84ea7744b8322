import { compared } from './answers.ts';
import type { Rules } from './readings.ts';

/** Words of long texts that are compared: a page has up to a thousand answers. */
const WORDS_MAX = 250;

/** Answers of several workers to one unit, as values: equal numbers are equal answers. */
export type Values = readonly number[];

/**
 * The answers to a unit as values: answers that agree have the value of the one that the most agree
 * with, in whatever order they came. Across units, answers have the same value if they are equal;
 * `known` are the values of other units.
 */
export function valuesOf(
  rules: Rules,
  answers: readonly string[],
  known: Map<string, number>,
): Values {
  const { readings, same, votes } = compared(rules, answers, WORDS_MAX);
  const order = [...readings.keys()].toSorted(
    (one, other) =>
      votes[other]! - votes[one]! || (readings[one]!.key < readings[other]!.key ? -1 : 1),
  );
  const firsts: number[] = [];
  const values: number[] = [];
  for (const n of order) {
    const first = firsts.find((one) => same[one]![n]) ?? n;
    if (first === n) firsts.push(n);
    const { is, key } = readings[first]!;
    const value = known.get(`${is} ${key}`) ?? known.size;
    known.set(`${is} ${key}`, value);
    values[n] = value;
  }
  return values;
}

/** The share of the pairs of answers to a unit that agree. Null: there is no pair. */
export function agreementOf(values: Values): number | null {
  if (values.length < 2) return null;
  const equal = counts(values).reduce((sum, count) => sum + count * (count - 1), 0);
  return equal / (values.length * (values.length - 1));
}

/**
 * Krippendorff's alpha for nominal data: 1 if all agree, 0 if they agree as often as by chance.
 * Units with fewer than two answers do not count. Null: no unit has two answers, or all answers to
 * all units are equal, so that agreement cannot be told from chance.
 */
export function alphaOf(units: readonly Values[]): number | null {
  const paired = units.filter((values) => values.length > 1);
  const all = paired.flat();
  if (all.length === 0) return null;
  const observed =
    paired.reduce((sum, values) => sum + values.length * (1 - agreementOf(values)!), 0) /
    all.length;
  const expected = 1 - agreementOf(all)!;
  return expected === 0 ? null : 1 - observed / expected;
}

function counts(values: Values): number[] {
  const found = new Map<number, number>();
  for (const value of values) found.set(value, (found.get(value) ?? 0) + 1);
  return [...found.values()];
}
