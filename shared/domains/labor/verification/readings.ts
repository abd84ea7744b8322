import { clean } from '../../../kernel/text.ts';
import type { LaborTask } from '../labor_task.ts';
import {
  isList,
  isObject,
  isSameJson,
  jsonReadingOf,
  parseJson,
  type Json,
  type JsonReading,
} from './json_answers.ts';
import { areSameLabels, labelOf, labelSet, labelsOf, type LabelReading } from './labels.ts';
import { withStraightQuotes } from './spelling.ts';
import { isSameText, textOf, type TextReading } from './texts.ts';

/** An answer as it is compared. Equal keys: equal answers. */
export type Reading = TextReading | LabelReading | JsonReading;

/** The terms of a task that decide how its answers are compared. */
export type Rules = Pick<LaborTask, 'kind' | 'similarity'> &
  Partial<Pick<LaborTask, 'verification' | 'template'>>;

export const isOfTexts = ({ kind }: Pick<LaborTask, 'kind'>): boolean =>
  kind === 'transcription' || kind === 'translation';

/** Reads an answer: as JSON, as labels or as a text, of which `wordsMax` words are read. */
export function readingOf(
  rules: Omit<Rules, 'similarity'>,
  answer: string,
  wordsMax?: number,
): Reading {
  const text = clean(answer);
  const isStrict = rules.verification === 'schema';
  const straight = isStrict || isOfTexts(rules) ? text : withStraightQuotes(text);
  const json =
    isStrict || /^["[{]/.test(straight) ? (parseJson(text) ?? parseJson(straight)) : undefined;
  const hasBoxes = rules.kind === 'labeling';
  if (isStrict) {
    if (json === undefined) return { is: 'labels', key: answer, sets: [answer] };
    return jsonReadingOf(json, { fold: (part) => part.normalize('NFC'), hasBoxes });
  }
  if (isOfTexts(rules)) {
    const isJson = json !== undefined && (isList(json) ? json.some(isObject) : isObject(json));
    if (isJson) return jsonReadingOf(json, { fold: labelOf, hasBoxes });
    return textOf(text, { wordsMax, punctuation: rules.template?.punctuation });
  }
  if (isNames(json)) return labelSet(json);
  if (json === undefined || typeof json === 'string') return labelsOf(json ?? text);
  return jsonReadingOf(json, { fold: labelOf, hasBoxes });
}

const isNames = (json: Json | undefined): json is readonly string[] =>
  isList(json) &&
  json.length > 0 &&
  json.every((part) => typeof part === 'string' && labelOf(part) !== '');

/** Whether two answers agree. It is the same from both sides. */
export function isSame(one: Reading, other: Reading, similarity: number): boolean {
  if (one.is === 'text' && other.is === 'text') return isSameText(one, other, similarity);
  if (one.is === 'json' && other.is === 'json') return isSameJson(one, other);
  return one.is === 'labels' && other.is === 'labels' && areSameLabels(one, other);
}
