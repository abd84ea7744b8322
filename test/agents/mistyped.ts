/** The text with one character replaced by another of its own: the last one, or that at `place`. */
export function mistyped(text: string, place = text.length - 1): string {
  const other = text.split('').findLast((one) => one !== text[place]);
  return text.slice(0, place) + other! + text.slice(place + 1);
}
