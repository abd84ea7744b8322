import { invalid } from '../../../kernel/schema.ts';
import type { LaborKind } from '../labor_task.ts';
import { isOfTexts, isSame, readingOf, type Reading, type Rules } from './readings.ts';

/** Default similarity for kinds whose answers are texts and may differ a little. */
const SIMILARITIES: { readonly [kind in LaborKind]?: number } = {
  transcription: 0.9,
  translation: 0.8,
};

/** Similarity from which two answers of a task agree; 1: they must be equal. */
export function similarityOf(kind: LaborKind, asked: number | undefined): number {
  if (asked !== undefined && asked !== 1 && !isOfTexts({ kind })) {
    throw invalid([
      {
        pointer: '/similarity',
        message: "must be absent or 1 unless kind is 'transcription' or 'translation'",
      },
    ]);
  }
  return asked ?? SIMILARITIES[kind] ?? 1;
}

/** Whether two answers agree: two of workers, or one and the known answer of a gold unit. */
export const agrees = (rules: Rules, one: string, other: string): boolean =>
  isSame(readingOf(rules, one), readingOf(rules, other), rules.similarity);

/** Several answers to one unit, and which of them agree. */
interface Comparison {
  readonly readings: readonly Reading[];
  /** Whether each answer agrees with each. */
  readonly same: readonly (readonly boolean[])[];
  /** The number of answers that each agrees with, itself too. */
  readonly votes: readonly number[];
}

/** `wordsMax`: as many words of texts are compared. */
export function compared(rules: Rules, answers: readonly string[], wordsMax?: number): Comparison {
  const readings = answers.map((answer) => readingOf(rules, answer, wordsMax));
  const same: boolean[][] = readings.map(() => []);
  for (const [n, one] of readings.entries()) {
    for (let m = n; m < readings.length; m += 1) {
      const isEqual = isSame(one, readings[m]!, rules.similarity);
      same[n]![m] = isEqual;
      same[m]![n] = isEqual;
    }
  }
  return { readings, same, votes: same.map((row) => row.filter(Boolean).length) };
}

interface Plurality {
  /** The one given most often of the answers that agree with the most others. */
  readonly answer: string;
  /** Whether each answer agrees with that one. */
  readonly agree: readonly boolean[];
}

/**
 * The answer that the most others agree with, in whatever order they came. Undefined: two have
 * equally many others, and these are not the same, or no two answers agree.
 */
export function pluralityOf(rules: Rules, answers: readonly string[]) {
  const { readings, same, votes } = compared(rules, answers);
  const most = Math.max(...votes);
  const best = [...votes.keys()].filter((n) => votes[n] === most);
  const agree = same[best[0]!]!;
  if (most < 2 || best.some((n) => same[n]!.some((is, m) => is !== agree[m]))) return undefined;
  const equal = (n: number) => readings.filter(({ key }) => key === readings[n]!.key).length;
  // The last of the alphabet of equals: capitals and spaces come before.
  const [typical] = best.toSorted(
    (one, other) => equal(other) - equal(one) || (answers[one]! > answers[other]! ? -1 : 1),
  );
  return { answer: answers[typical!]!, agree } satisfies Plurality;
}
