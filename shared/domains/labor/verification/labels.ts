import { folded } from './spelling.ts';

/** The labels of an answer, as they are compared. */
export interface LabelReading {
  readonly is: 'labels';
  readonly key: string;
  /** The sets of labels that it can mean, in one spelling. */
  readonly sets: readonly string[];
}

/** Maximum characters of a label in a list. Longer ones are sentences, which have commas. */
const LABEL_CHARS_MAX = 40;

/** Separators of labels, the strongest first. */
const SEPARATORS = [/[\r\n]+/u, /[;；؛]/u, /[,，、､،]/u];

/** A label is no number: 52.5, 13.4 is one place, and 1,5 is one number. */
const NAME = /[^\p{N}\p{P}\p{Z}\p{Sm}\p{Sc}]/u;

/** A text in one form of its characters and spaces. */
export const labelOf = (text: string): string => folded(text).replaceAll(/\s+/gu, ' ').trim();

/** Labels that were sent as a list. */
export const labelSet = (labels: readonly string[]): LabelReading => {
  const key = setOf(labels);
  return { is: 'labels', key, sets: [key] };
};

/** A text that is a label or several: it means both where the other answer tells which. */
export function labelsOf(text: string): LabelReading {
  const whole = setOf([text]);
  const separator = SEPARATORS.find((one) => one.test(text));
  const parts = separator ? text.split(separator).filter((part) => part.trim() !== '') : [];
  const areLabels = parts.every((part) => part.trim().length <= LABEL_CHARS_MAX && NAME.test(part));
  if (parts.length === 0 || !areLabels) return { is: 'labels', key: whole, sets: [whole] };
  const key = setOf(parts);
  return { is: 'labels', key, sets: [key, whole] };
}

const setOf = (labels: readonly string[]): string =>
  [...new Set(labels.map(labelOf))].toSorted().join('\n');

export const areSameLabels = (one: LabelReading, other: LabelReading): boolean =>
  one.sets.some((set) => other.sets.includes(set));
