import { isDeepStrictEqual } from 'node:util';

import { distance } from 'fastest-levenshtein';

import { invalid } from '../../../kernel/schema.ts';
import { clean } from '../../../kernel/text.ts';
import type { LaborKind, LaborTask } from '../labor_task.ts';

/** Default similarity for kinds whose answers are texts and may differ a little. */
const SIMILARITIES: { readonly [kind in LaborKind]?: number } = {
  transcription: 0.9,
  translation: 0.8,
};

/** Similarity from which two answers of a task agree; 1: they must be equal. */
export function similarityOf(kind: LaborKind, asked: number | undefined): number {
  const usual = SIMILARITIES[kind];
  if (asked !== undefined && asked !== 1 && usual === undefined) {
    throw invalid([
      {
        pointer: '/similarity',
        message: "must be absent or 1 unless kind is 'transcription' or 'translation'",
      },
    ]);
  }
  return asked ?? usual ?? 1;
}

/**
 * An answer as it is compared: without hidden characters and differences of case, character width
 * and spaces and, for texts, without punctuation. An answer that is empty then is compared as it
 * is.
 */
export function normalOf(kind: LaborKind, answer: string): string {
  const folded = clean(answer).normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, ' ').trim();
  if (SIMILARITIES[kind] === undefined) return folded;
  return (
    folded
      .replaceAll(/[\p{P}\p{S}]+/gu, '')
      .replaceAll(/ +/g, ' ')
      .trim() || folded
  );
}

/** Whether two normalized answers agree: this share of the longer one is equal in both. */
export function isSame(one: string, other: string, similarity: number): boolean {
  if (one === other) return true;
  const length = Math.max(one.length, other.length);
  const most = (1 - similarity) * length;
  // The distance is at least the difference of the lengths.
  if (similarity === 1 || Math.abs(one.length - other.length) > most) return false;
  return distance(one, other) <= most;
}

type Rules = Pick<LaborTask, 'kind' | 'similarity'>;

/** Whether two answers agree. With a schema they are JSON, whose formatting does not matter. */
export function agrees(
  { kind, similarity, verification }: Rules & Pick<LaborTask, 'verification'>,
  one: string,
  other: string,
): boolean {
  if (verification === 'schema') return isSameJson(one, other);
  return isSame(normalOf(kind, one), normalOf(kind, other), similarity);
}

function isSameJson(one: string, other: string): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(clean(one)), JSON.parse(clean(other)));
  } catch {
    return one === other; // Not JSON, or so deep that it cannot be compared.
  }
}

interface Plurality {
  /** The answer that agrees with the most others. */
  readonly answer: string;
  /** Whether each answer agrees with that one. */
  readonly agree: readonly boolean[];
}

/**
 * The answer that the most others agree with. Undefined: two that differ have equally many, or no
 * two answers agree.
 */
export function pluralityOf({ kind, similarity }: Rules, answers: readonly string[]) {
  const normal = answers.map((answer) => normalOf(kind, answer));
  const same = normal.map((one) => normal.map((other) => isSame(one, other, similarity)));
  const votes = same.map((row) => row.filter(Boolean).length);
  const best = votes.indexOf(Math.max(...votes));
  const agree = same[best] ?? [];
  const isDraw = votes.some((count, n) => !agree[n] && count === votes[best]);
  if (isDraw || votes[best]! < 2) return undefined;
  return { answer: answers[best]!, agree } satisfies Plurality;
}
