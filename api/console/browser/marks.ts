/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/**
 * The words that are selected in the text of the unit, with their place in it: `Ada @10-13`, in
 * characters of the payload as it is. Undefined: none are.
 */
export function markedWords(): string | undefined {
  const text = document.querySelector('#payload');
  const field = document.querySelector<HTMLInputElement>('input[name="_payload"]');
  const selection = getSelection();
  if (!text || !field || !selection || selection.rangeCount === 0) return undefined;
  const characters = Array.from(JSON.parse(field.value) as string);
  const range = rangeWithin(text, selection.getRangeAt(0));
  const places = placesOf(text, characters);
  if (!range || !places) return undefined;
  const before = document.createRange();
  before.selectNodeContents(text);
  before.setEnd(range.startContainer, range.startOffset);
  const from = before.toString().length;
  const to = from + range.toString().length;
  if (to === from) return undefined;
  let start = places[from]!;
  // A character that is shown by its number is whole, however much of the number is selected.
  let end = places.slice(to).find((place) => place > places[to - 1]!)!;
  while (start < end && isSpace(characters[start]!)) start += 1;
  while (start < end && isSpace(characters[end - 1]!)) end -= 1;
  const words = wordsIn(range);
  if (words === '') return undefined;
  selection.removeAllRanges();
  return `${words} @${start}-${end}`;
}

const isSpace = (char: string) => /\s/u.test(char);

/** The part of a selection that is within a text. */
function rangeWithin(text: Element, selected: Range): Range | undefined {
  if (!selected.intersectsNode(text)) return undefined;
  const range = selected.cloneRange();
  const whole = document.createRange();
  whole.selectNodeContents(text);
  if (range.compareBoundaryPoints(Range.START_TO_START, whole) < 0) {
    range.setStart(whole.startContainer, whole.startOffset);
  }
  if (range.compareBoundaryPoints(Range.END_TO_END, whole) > 0) {
    range.setEnd(whole.endContainer, whole.endOffset);
  }
  return range;
}

/**
 * The place in the payload of each unit of a text as it is shown: hidden characters by their
 * numbers, and each line break as one. Undefined: it is not this text.
 */
function placesOf(text: Element, characters: readonly string[]): readonly number[] | undefined {
  const places: number[] = [];
  let n = 0;
  for (const node of text.childNodes) {
    const shown = node.textContent ?? '';
    if (node instanceof Element) {
      for (let unit = 0; unit < shown.length; unit += 1) places.push(n);
      n += 1;
      continue;
    }
    for (const char of shown) {
      for (let unit = 0; unit < char.length; unit += 1) places.push(n);
      const isBreak = char === '\n' && characters[n] === '\r';
      if (!isBreak && characters[n] !== char) return undefined;
      n += isBreak && characters[n + 1] === '\n' ? 2 : 1;
    }
  }
  places.push(n);
  return n === characters.length ? places : undefined;
}

/** The words of a selection as a line, without the numbers of hidden characters. */
function wordsIn(range: Range): string {
  const part = range.cloneContents();
  for (const number of part.querySelectorAll('.code-point')) number.remove();
  return (part.textContent ?? '').replaceAll(/\s+/gu, ' ').trim();
}

/** Adds a line to the answer. */
export function writeLine(form: HTMLFormElement, line: string): void {
  const lines = form.querySelector<HTMLTextAreaElement>('textarea[name="_lines"]');
  if (!lines) return;
  const before = lines.value.trimEnd();
  lines.value = `${before}${before && '\n'}${line}\n`;
  lines.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Says below the labels why nothing was marked. */
export function say(form: HTMLFormElement, words: string): void {
  const note = form.querySelector('[data-mark-note]');
  if (note) note.textContent = words;
}
