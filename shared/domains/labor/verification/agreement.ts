import { isSame, normalOf } from './answers.ts';
import type { LaborTask } from '../labor_task.ts';

/** Answers of several workers to one unit, as values: equal numbers are equal answers. */
export type Values = readonly number[];

/** Maximum characters compared of a long text. */
const CHARS_MAX = 500;

/**
 * The answers to a unit as values: answers that agree have the value of the first. Across units,
 * answers have the same value if they are equal; `known` are the values of other units.
 */
export function valuesOf(
  { kind, similarity }: Pick<LaborTask, 'kind' | 'similarity'>,
  answers: readonly string[],
  known: Map<string, number>,
): Values {
  const firsts: string[] = [];
  return answers.map((answer) => {
    const normal = normalOf(kind, answer).slice(0, CHARS_MAX);
    const first = firsts.find((one) => isSame(one, normal, similarity)) ?? normal;
    if (first === normal) firsts.push(normal);
    const value = known.get(first) ?? known.size;
    known.set(first, value);
    return value;
  });
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
