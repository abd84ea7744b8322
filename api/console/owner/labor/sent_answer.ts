import { Refusal } from '../../../../shared/kernel/refusal.ts';
import type { FormFields } from '../../page_state.ts';
import { oneOf } from '../../session/form.ts';

/** The form of an answer with the fields of a person as the text that is delivered. */
export function withSentAnswer(given: FormFields): FormFields {
  const form = oneOf(given, '_form');
  if (form === 'several') return { ...given, submission: [JSON.stringify(given._label ?? [])] };
  const lines = oneOf(given, '_lines')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => labelledLine(line, given._choice ?? []));
  if (form === 'spans') {
    const spans = spansIn(lines, oneOf(given, '_payload').replaceAll('\r\n', '\n'));
    return { ...given, submission: [JSON.stringify(spans)] };
  }
  if (form === 'boxes') return { ...given, submission: [JSON.stringify(lines.map(boxOf))] };
  return given;
}

interface Line {
  readonly label: string;
  readonly rest: string;
}

/** A line of a label, a colon and the rest. The longest label counts: one may begin another. */
function labelledLine(line: string, labels: readonly string[]): Line {
  const text = line.trim();
  const label = labels
    .filter((one) => text.toLowerCase().startsWith(`${one.toLowerCase()}:`))
    .toSorted((one, other) => other.length - one.length)[0];
  if (label === undefined) throw wrong(`"${text}" does not begin with a label and a colon`);
  return { label, rest: text.slice(label.length + 1).trim() };
}

/** The place of words that a script has marked: `@` and the number of characters before. */
const PLACE = /\s@(\d+)$/;

/** Finds the words of each line in the text: the same words are found one after the other. */
function spansIn(lines: readonly Line[], payload: string) {
  const characters = Array.from(payload);
  const ends = new Map<string, number>();
  const spans = lines.map(({ label, rest }) => {
    const place = PLACE.exec(rest);
    const words = Array.from(place ? rest.slice(0, place.index) : rest);
    const text = words.join('');
    const from = place ? Number(place[1]) : (ends.get(text) ?? 0);
    const at = (n: number) => words.every((char, m) => characters[n + m] === char);
    let start = from;
    while (!place && start < characters.length && !at(start)) start += 1;
    if (words.length === 0 || !at(start)) throw wrong(`"${text}" does not stand in the text there`);
    ends.set(text, start + words.length);
    return { start, end: start + words.length, label };
  });
  return spans.toSorted((one, other) => one.start - other.start || one.end - other.end);
}

function boxOf({ label, rest }: Line) {
  const numbers = rest.split(/[\s;]+/).map((text) => Number(text.replace(',', '.') || NaN));
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
