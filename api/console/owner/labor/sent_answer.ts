import { keyOfLabel } from '../../../../shared/domains/labor/templates/template.ts';
import { readJsonText } from '../../../../shared/kernel/reading/json_text.ts';
import { Refusal } from '../../../../shared/kernel/refusal.ts';
import type { FormFields } from '../../page_state.ts';
import { oneOf } from '../../session/form.ts';
import { WordsInText } from './words_in_text.ts';

/** The forms of answers that are lists, and the choice that stands for an empty one. */
export const NONE = {
  several: 'None of these',
  spans: 'The text has none',
  boxes: 'The picture has none',
} as const;
export type ListForm = keyof typeof NONE;

/**
 * The form of an answer with the fields of a person as the text that is delivered. An empty list is
 * delivered only where its person says that there is nothing: Enter alone delivers nothing.
 */
export function withSentAnswer(given: FormFields): FormFields {
  const form = oneOf(given, '_form');
  if (!Object.hasOwn(NONE, form)) return given;
  const none = NONE[form as ListForm];
  const isNone = given._none !== undefined;
  const parts = partsOf(form as ListForm, given);
  if (parts.length === 0 && !isNone) throw wrong(`choose "${none}" if that is so`);
  if (parts.length > 0 && isNone) throw wrong(`"${none}" was chosen, and something else too`);
  return { ...given, submission: [JSON.stringify(parts)] };
}

function partsOf(form: ListForm, given: FormFields): readonly unknown[] {
  if (form === 'several') return given._label ?? [];
  const lines = oneOf(given, '_lines')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => labelledLine(line, given._choice ?? []));
  return form === 'boxes' ? lines.map(boxOf) : spansIn(lines, payloadIn(given));
}

/** The payload as it is: a field of a form would change its line breaks, so it is JSON there. */
function payloadIn(given: FormFields): string {
  const read = readJsonText(oneOf(given, '_payload'));
  if ('fault' in read || typeof read.value !== 'string') throw wrong('the form has no text');
  return read.value;
}

interface Line {
  readonly label: string;
  readonly rest: string;
}

/** A line of a label, a colon and the rest. The longest label counts: one may begin another. */
function labelledLine(line: string, labels: readonly string[]): Line {
  const text = line.trim();
  const [found] = [...text.matchAll(/[:：]/g)].toReversed().flatMap(({ index }) => {
    const label = labels.find((one) => keyOfLabel(one) === keyOfLabel(text.slice(0, index)));
    return label === undefined ? [] : [{ label, rest: text.slice(index + 1).trim() }];
  });
  if (!found) throw wrong(`"${text}" does not begin with a label and a colon`);
  return found;
}

/** Finds the words of each line in the text. */
function spansIn(lines: readonly Line[], payload: string) {
  const words = new WordsInText(payload);
  const spans = lines.map(({ label, rest }) => {
    const found = words.find(rest);
    if (!found) throw wrong(`"${rest}" does not stand in the text there`);
    return { ...found, label };
  });
  return spans.toSorted((one, other) => one.start - other.start || one.end - other.end);
}

function boxOf({ label, rest }: Line) {
  const numbers = rest.split(/[\s;]+/).map((text) => {
    const [, digits] = /^(.+?)%?$/.exec(text) ?? [];
    return Number(digits?.replace(',', '.') ?? NaN);
  });
  const [x, y, width, height] = numbers;
  if (numbers.length !== 4 || !numbers.every(Number.isFinite)) {
    throw wrong(`"${rest}" is not four numbers: left, top, width and height`);
  }
  return { x, y, width, height, label };
}

const wrong = (fault: string) =>
  new Refusal(
    'verification_failed',
    `Nothing was delivered: ${fault}. Correct it, and send again.`,
  );
