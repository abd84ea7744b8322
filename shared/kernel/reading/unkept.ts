/*
 * Parts of a JSON text that its value does not keep: numbers that a double does not hold, and the
 * order of names that look like the indexes of a list. They are noted beside the value when it is
 * parsed, because only the text tells them, and refused in the fields whose JSON is handed on.
 */

/** A part that is not kept, at its names and indexes from the value in which it was found. */
export interface UnkeptPart {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Unkept parts by the object or list that holds them; their paths begin there. */
const unkept = new WeakMap<object, UnkeptPart[]>();

/** Texts without these are kept: a double holds any number of 15 digits. */
const MAY_BE_UNKEPT = /[\d.]{16}|\d[eE]|"\d+"\s*:/;

/** Notes the parts of a valid JSON text without repeated names that `value` does not keep. */
export function noteUnkept(text: string, value: unknown): void {
  if (MAY_BE_UNKEPT.test(text)) noteParts(value, partsOf(text));
}

/** Notes parts that were found in another copy of this value. */
export function noteParts(value: unknown, parts: readonly UnkeptPart[]): void {
  for (const { path, message } of parts) {
    const [holder, name] = [holderOf(value, path), path.at(-1)!];
    const noted = unkept.get(holder);
    if (noted) noted.push({ path: [name], message });
    else unkept.set(holder, [{ path: [name], message }]);
  }
}

/** The unkept parts anywhere in a value. */
export function unkeptIn(value: unknown, path: UnkeptPart['path'] = []): UnkeptPart[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = (unkept.get(value) ?? []).map((part) => ({ ...part, path: [...path, ...part.path] }));
  const inner = Array.isArray(value)
    ? value.flatMap((item, n) => unkeptIn(item, [...path, n]))
    : Object.entries(value).flatMap(([name, one]) => unkeptIn(one, [...path, name]));
  return [...own, ...inner];
}

function holderOf(value: unknown, path: UnkeptPart['path']): object {
  let holder = value as Readonly<Record<string | number, unknown>>;
  for (const name of path.slice(0, -1)) holder = holder[name] as typeof holder;
  return holder;
}

/** An object or a list that is being read, with the name or the index of its next part. */
interface Open {
  readonly isList: boolean;
  at: string | number;
  /** The highest name so far that is an index; Infinity: one that is no index was there. */
  index: number;
}

const TOKEN = /"(?:[^"\\]+|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g;
const NUMBER = /^-?\d/;

function partsOf(text: string): UnkeptPart[] {
  const parts: UnkeptPart[] = [];
  const open: Open[] = [];
  let isName = false;
  for (const [token] of text.matchAll(TOKEN)) {
    const part = open.at(-1);
    if (token === '{' || token === '[') {
      open.push({ isList: token === '[', at: 0, index: -1 });
      isName = token === '{';
    } else if (token === '}' || token === ']') {
      open.pop();
      isName = false;
    } else if (token === ',') {
      if (part!.isList) part!.at = Number(part!.at) + 1;
      isName = !part!.isList;
    } else if (isName) {
      part!.at = JSON.parse(token) as string;
      isName = false;
      if (!isNextName(part!)) parts.push({ path: pathOf(open), message: UNORDERED });
    } else if (part && NUMBER.test(token) && !isExact(token)) {
      parts.push({ path: pathOf(open), message: INEXACT });
    }
  }
  return parts;
}

const pathOf = (open: readonly Open[]) => open.map(({ at }) => at);

const INEXACT = 'is a number that a double does not hold exactly: send it as text';
const UNORDERED =
  'is a name of digits where readers do not keep it: names of digits come first, in rising order';

/** Maximum index of an object of JavaScript, which lists such names first and in order. */
const INDEX_MAX = 2 ** 32 - 2;

function isNextName(open: Open): boolean {
  const name = open.at as string;
  const isIndex = /^(0|[1-9]\d{0,9})$/.test(name) && Number(name) <= INDEX_MAX;
  const isNext = !isIndex || Number(name) > open.index;
  open.index = isIndex ? Math.max(open.index, Number(name)) : Infinity;
  return isNext;
}

/** Whether the double that is read for a number has its value: 1.0 and 1e2 do. */
function isExact(written: string): boolean {
  const read = Number(written);
  return Number.isFinite(read) && decimalOf(written) === decimalOf(String(read));
}

/** A number as its digits without zeros around them, and the exponent of the last one. */
export function decimalOf(number: string): string {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number)!;
  const digits = (whole + fraction).replace(/^0+/, '');
  const shown = digits.replace(/0+$/, '');
  if (shown === '') return '0';
  const zeros = digits.length - shown.length - fraction.length;
  return `${sign}${shown}e${BigInt(exponent) + BigInt(zeros)}`;
}
