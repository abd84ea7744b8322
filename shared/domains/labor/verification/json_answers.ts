import { readJsonText } from '../../../kernel/reading/json_text.ts';
import { decimalOf } from '../../../kernel/reading/unkept.ts';
import { areSameBoxes, boxList, type Box, type BoxList } from './boxes.ts';

/** An answer that is JSON, as it is compared. */
export interface JsonReading {
  readonly is: 'json';
  readonly key: string;
  /** Its value in one spelling, with a mark for each list of boxes. */
  readonly shape: string;
  readonly boxes: readonly BoxList[];
}

/** A value of JSON whose numbers are decimals: a double does not hold all digits of an id. */
export type Json = null | boolean | string | Decimal | readonly Json[] | { [name: string]: Json };

class Decimal {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Reads JSON. Undefined: the answer is none, has a name twice, or is too deep to be compared. */
export function parseJson(text: string): Json | undefined {
  if ('fault' in readJsonText(text)) return undefined;
  // The first character of each text says whether it was a number.
  const marks: unknown = JSON.parse(text.replaceAll(TEXT_OR_NUMBER, marked));
  return isTooDeep(marks) ? undefined : valueOf(marks);
}

const TEXT_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;
const marked = (part: string) => (part.startsWith('"') ? `"t${part.slice(1)}` : `"n${part}"`);

/** Deeper values are compared as texts. */
const DEPTH_MAX = 100;

function isTooDeep(value: unknown, left = DEPTH_MAX): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return left === 0 || Object.values(value).some((part) => isTooDeep(part, left - 1));
}

function valueOf(value: unknown): Json {
  if (typeof value === 'string') {
    return value.startsWith('n') ? new Decimal(decimalOf(value.slice(1))) : value.slice(1);
  }
  if (Array.isArray(value)) return value.map((part) => valueOf(part));
  if (typeof value !== 'object' || value === null) return value as null | boolean;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name.slice(1), valueOf(inner)]),
  );
}

interface Rules {
  /** Texts of the answer are compared in this form. */
  readonly fold: (text: string) => string;
  /** Four numbers are a box, also without a name. */
  readonly hasBoxes: boolean;
}

export function jsonReadingOf(value: Json, { fold, hasBoxes }: Rules): JsonReading {
  const boxes: BoxList[] = [];
  const shape = shapeOf(value, hasBoxes);
  const key = [shape, ...boxes.map((list) => list.key)].join('\n');
  return { is: 'json', key, shape, boxes };

  function shapeOf(inner: Json, isBox: boolean): string {
    const found = boxesIn(inner, { isBox, labelOf: plain });
    if (found === undefined) return written(inner, shapeOf);
    boxes.push(boxList(found));
    return '#';
  }

  function plain(inner: Json): string {
    return written(inner, plain);
  }

  /** Names in the order of the alphabet, without spaces. */
  function written(inner: Json, write: (part: Json, isBox: boolean) => string): string {
    if (inner instanceof Decimal) return inner.text;
    if (typeof inner === 'string') return JSON.stringify(fold(inner));
    if (isList(inner)) return `[${inner.map((part) => write(part, false)).join(',')}]`;
    if (!isObject(inner)) return String(inner);
    const named = Object.entries(inner)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, part]) => `${JSON.stringify(name)}:${write(part, BOX_NAMES.test(name))}`);
    return `{${named.join(',')}}`;
  }
}

export const isSameJson = (one: JsonReading, other: JsonReading): boolean =>
  one.key === other.key ||
  (one.shape === other.shape &&
    one.boxes.length === other.boxes.length &&
    one.boxes.every((list, n) => areSameBoxes(list, other.boxes[n]!)));

/** The names under which four numbers are a box: x, y, width and height. */
const BOX_NAMES = /^b?box(es)?$/i;
const FORMS = [
  ['x', 'y', 'width', 'height'],
  ['x', 'y', 'w', 'h'],
  ['x1', 'y1', 'x2', 'y2'],
] as const;

interface BoxRules {
  readonly isBox: boolean;
  readonly labelOf: (rest: Json) => string;
}

/** The boxes that a value is: one, or a list of nothing else. */
function boxesIn(value: Json, rules: BoxRules): readonly Box[] | undefined {
  const one = boxOf(value, rules);
  if (one !== undefined) return [one];
  if (!isList(value) || value.length === 0) return undefined;
  const found = value.map((part) => boxOf(part, rules));
  return found.every((box) => box !== undefined) ? found : undefined;
}

function boxOf(value: Json, { isBox, labelOf }: BoxRules): Box | undefined {
  if (isList(value)) return isBox ? sized(value, '') : undefined;
  if (!isObject(value)) return undefined;
  const entries = Object.entries(value);
  const without = (names: readonly string[]) => {
    const rest = entries.filter(([name]) => !names.includes(name));
    return rest.length === 0 ? '' : labelOf(Object.fromEntries(rest));
  };
  for (const names of FORMS) {
    if (!names.every((name) => Object.hasOwn(value, name))) continue;
    const numbers = names.map((name) => value[name]!);
    return names[2] === 'x2' ? cornered(numbers, without(names)) : sized(numbers, without(names));
  }
  const name = ['box', 'bbox'].find((one) => Object.hasOwn(value, one));
  const inner = name !== undefined && boxOf(value[name]!, { isBox: true, labelOf });
  // A box with a label of its own is no part of another.
  return inner && inner.label === '' ? { ...inner, label: without([name!]) } : undefined;
}

function sized(values: readonly Json[], label: string): Box | undefined {
  const numbers = fourOf(values);
  if (!numbers) return undefined;
  const [x, y, width, height] = numbers;
  return cornersOf([x, y, x + width, y + height], label);
}

function cornered(values: readonly Json[], label: string): Box | undefined {
  const numbers = fourOf(values);
  return numbers && cornersOf(numbers, label);
}

type Four = readonly [number, number, number, number];

function fourOf(values: readonly Json[]): Four | undefined {
  const numbers = values.map((value) => (value instanceof Decimal ? Number(value.text) : NaN));
  return numbers.length === 4 && numbers.every(Number.isFinite)
    ? (numbers as unknown as Four)
    : undefined;
}

/** A rectangle without an area is no box. */
const cornersOf = ([left, top, right, bottom]: Four, label: string): Box | undefined =>
  right > left && bottom > top ? { left, top, right, bottom, label } : undefined;

export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

export const isObject = (value: Json): value is { [name: string]: Json } =>
  typeof value === 'object' && value !== null && !isList(value) && !(value instanceof Decimal);
