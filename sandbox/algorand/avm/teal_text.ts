/** An instruction or a label, as written. */
export interface Line {
  readonly number: number;
  readonly words: readonly string[];
}

/** Lines with content, without comments (`//` outside of a string). */
export function linesOf(source: string): Line[] {
  return source
    .split('\n')
    .map((text, at) => ({ number: at + 1, words: wordsOf(text) }))
    .filter(({ words }) => words.length > 0);
}

function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const [word] of text.matchAll(/"(?:[^"\\]|\\.)*"|\/\/.*$|[^\s"]+/g)) {
    if (word.startsWith('//')) break;
    words.push(word);
  }
  return words;
}

/** A constant: 0x and hex digits, or a string in quotes. */
export function bytesOf(word: string): Uint8Array {
  if (/^0x([\da-fA-F]{2})*$/.test(word)) return new Uint8Array(Buffer.from(word.slice(2), 'hex'));
  if (word.startsWith('"')) return new TextEncoder().encode(JSON.parse(word) as string);
  throw new Error(`${word} is neither 0x and pairs of hex digits nor a string in quotes`);
}
