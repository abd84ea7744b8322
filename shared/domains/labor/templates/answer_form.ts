import { readJsonText } from '../../../kernel/reading/json_text.ts';
import { clean } from '../../../kernel/text.ts';
import { withStraightQuotes } from '../verification/spelling.ts';
import { choicesOf, keyOfLabel, type Template } from './template.ts';

/** A part of a text with its label: characters from `start` to before `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly label: string;
}

/** A rectangle of a picture with its label, in percent of the picture. */
export interface LabelledBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly label: string;
}

/** An answer as its form has it. Labels are spelled as in the template. */
type FormAnswer =
  | { readonly labels: readonly string[] }
  | { readonly spans: readonly Span[] }
  | { readonly boxes: readonly LabelledBox[] }
  | { readonly text: string };

interface FormFault {
  /** The rule that is broken, without the poster's words. */
  readonly fault: string;
}

/** Reads an answer by its form, or says what is wrong with it. */
export function formAnswerOf(
  template: Template,
  { payload, answer }: { readonly payload: string; readonly answer: string },
): FormAnswer | FormFault {
  if (template.form === 'ner') return spansOf(template, payload, answer);
  if (template.form === 'boxes') return boxesOf(template, answer);
  const choices = choicesOf(template);
  return choices.length > 0 ? chosenOf(template, answer) : { text: answer };
}

function chosenOf(template: Template, answer: string): FormAnswer | FormFault {
  const named = namesIn(answer);
  const labels = named?.map((name) => labelIn(template, name));
  const fault = template.several
    ? 'must be a JSON list of labels of the template, each once'
    : 'must be one label of the template';
  if (!labels?.every((label) => label !== undefined)) return { fault };
  if (new Set(labels).size < labels.length) return { fault };
  return template.several || labels.length === 1 ? { labels } : { fault };
}

/** The names in an answer: a JSON list, a JSON text, or the answer itself; quotes may be curly. */
function namesIn(answer: string): readonly string[] | undefined {
  const text = clean(answer);
  const straight = withStraightQuotes(text);
  if (!/^["[]/.test(straight)) return [text];
  const value = jsonIn(text) ?? jsonIn(straight);
  if (typeof value === 'string') return [value];
  return isListOf(value, (part): part is string => typeof part === 'string') ? value : undefined;
}

/** A label of the template, in its spelling there. */
const labelIn = (template: Template, name: unknown): string | undefined =>
  typeof name === 'string'
    ? choicesOf(template).find((label) => keyOfLabel(label) === keyOfLabel(name))
    : undefined;

const SPANS =
  'must be a JSON list of {"start", "end", "label"}, in the order of start and end, each once, ' +
  'with a label of the template and characters of the payload';

function spansOf(template: Template, payload: string, answer: string): FormAnswer | FormFault {
  const length = charactersOf(payload);
  const isSpan = (part: unknown): part is Span =>
    isObject(part, ['start', 'end', 'label']) &&
    Number.isInteger(part.start) &&
    Number.isInteger(part.end) &&
    Number(part.start) >= 0 &&
    Number(part.end) > Number(part.start) &&
    Number(part.end) <= length;
  const value = jsonIn(answer);
  if (!isListOf(value, isSpan)) return { fault: SPANS };
  const spans = value.flatMap(({ start, end, label }) => {
    const known = labelIn(template, label);
    return known === undefined ? [] : [{ start, end, label: known }];
  });
  const keys = spans.map(({ start, end, label }) => `${start} ${end} ${label}`);
  const isSorted = spans.every(({ start, end }, n) => {
    const before = spans[n - 1];
    return !before || before.start < start || (before.start === start && before.end <= end);
  });
  const isRight = spans.length === value.length && isSorted && new Set(keys).size === keys.length;
  return isRight ? { spans } : { fault: SPANS };
}

const BOXES =
  'must be a JSON list of {"x", "y", "width", "height", "label"}, in percent of the picture, with ' +
  'a label of the template';
/** Sums of decimals are not exact. */
const WHOLE = 100.001;

function boxesOf(template: Template, answer: string): FormAnswer | FormFault {
  const isBox = (part: unknown): part is LabelledBox => {
    if (!isObject(part, ['x', 'y', 'width', 'height', 'label'])) return false;
    const [x, y, width, height] = [part.x, part.y, part.width, part.height].map((one) =>
      typeof one === 'number' ? one : NaN,
    ) as [number, number, number, number];
    return x >= 0 && y >= 0 && width > 0 && height > 0 && x + width <= WHOLE && y + height <= WHOLE;
  };
  const value = jsonIn(answer);
  if (!isListOf(value, isBox)) return { fault: BOXES };
  const boxes = value.flatMap(({ label, ...box }) => {
    const known = labelIn(template, label);
    return known === undefined ? [] : [{ ...box, label: known }];
  });
  return boxes.length === value.length ? { boxes } : { fault: BOXES };
}

function jsonIn(text: string): unknown {
  const read = readJsonText(text.trim());
  return 'fault' in read ? undefined : read.value;
}

const isListOf = <T>(value: unknown, is: (part: unknown) => part is T): value is readonly T[] =>
  Array.isArray(value) && value.every((part) => is(part));

function isObject(value: unknown, names: readonly string[]): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const own = Object.keys(value);
  return own.length === names.length && names.every((name) => own.includes(name));
}

/** The number of characters of a text: a pair of surrogates is one. */
const charactersOf = (text: string): number =>
  text.replaceAll(/[\ud800-\udbff][\udc00-\udfff]/g, '.').length;
