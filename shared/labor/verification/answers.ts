import { isDeepStrictEqual } from 'node:util';

import { distance } from 'fastest-levenshtein';

import { invalid } from '../../kernel/schema.ts';
import type { LaborKind, LaborTask } from '../labor_task.ts';

/** Of kinds whose answers are texts, and may differ a little: how alike they must be. */
const SIMILARITIES: { readonly [kind in LaborKind]?: number } = {
  transcription: 0.9,
  translation: 0.8,
};

/** How alike two answers of a task must be to be the same; 1: equal. */
export function similarityOf(kind: LaborKind, asked: number | undefined): number {
  const usual = SIMILARITIES[kind];
  if (asked !== undefined && asked !== 1 && usual === undefined) {
    throw invalid([{ pointer: '/similarity', message: 'is for transcription and translation' }]);
  }
  return asked ?? usual ?? 1;
}

/**
 * An answer as it is compared: case, widths of characters and spaces make no difference, and of
 * texts punctuation does not either. What is nothing then is compared as it is.
 */
export function normalOf(kind: LaborKind, answer: string): string {
  const folded = answer.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, ' ').trim();
  if (SIMILARITIES[kind] === undefined) return folded;
  return (
    folded
      .replaceAll(/[\p{P}\p{S}]+/gu, '')
      .replaceAll(/ +/g, ' ')
      .trim() || folded
  );
}

/** Whether two normal answers are the same: this part of the longer one is equal in both. */
export function isSame(one: string, other: string, similarity: number): boolean {
  if (one === other) return true;
  const length = Math.max(one.length, other.length);
  const most = (1 - similarity) * length;
  // The distance is at least the difference of the lengths.
  if (similarity === 1 || Math.abs(one.length - other.length) > most) return false;
  return distance(one, other) <= most;
}

type Rules = Pick<LaborTask, 'kind' | 'similarity'>;

/** Whether two answers are the same. What has a schema is JSON, whose spelling does not matter. */
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
    return isDeepStrictEqual(JSON.parse(one), JSON.parse(other));
  } catch {
    return one === other; // Not JSON, or so deep that it cannot be compared.
  }
}

export interface Plurality {
  /** The answer that most others are the same as. */
  readonly answer: string;
  /** For each answer whether it is the same as that. */
  readonly agree: readonly boolean[];
}

/**
 * What most of these answers say. Undefined: none is said by more than any that differs from it, or
 * nobody else says it.
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
