/** English numbers in words as digits: thirty-six, two hundred and five, nineteen ninety. */
export const withDigits = (text: string): string =>
  text
    .replaceAll(YEAR, (_, century: string, rest: string) => `${valueOf(century)}${valueOf(rest)}`)
    .replaceAll(SMALL, (words) => String(valueOf(words)))
    .replaceAll(HUNDREDS, (_, count: string, rest = '0') => String(+count * 100 + +rest))
    .replaceAll(THOUSANDS, (_, count: string, rest = '0') => String(+count * 1_000 + +rest))
    .replaceAll(
      DECIMAL,
      (_, whole: string, part: string) => `${whole}.${part.replaceAll(' ', '')}`,
    );

const ONES = 'zero one two three four five six seven eight nine ten eleven twelve thirteen '
  .concat('fourteen fifteen sixteen seventeen eighteen nineteen')
  .split(' ');
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const VALUES = new Map([
  ...ONES.map((word, n) => [word, n] as const),
  ...TENS.map((word, n) => [word, 20 + 10 * n] as const),
]);

const valueOf = (words: string) =>
  words.split(/[ -]/).reduce((sum, word) => sum + VALUES.get(word)!, 0);

const BEGIN = String.raw`(?<![\p{L}\p{M}\p{N}'])`;
const END = String.raw`(?![\p{L}\p{M}\p{N}'])`;
const TWO_DIGITS = `(?:${TENS.join('|')})(?:[ -](?:${ONES.slice(1, 10).join('|')})${END})?`;
const SMALL = new RegExp(`${BEGIN}(?:${TWO_DIGITS}|${ONES.join('|')})${END}`, 'gu');
/** From 1600 to 2099. Other pairs of numbers are two numbers. */
const YEAR = new RegExp(
  `${BEGIN}(${ONES.slice(16).join('|')}|twenty)[ -](${TWO_DIGITS}|${ONES.slice(10).join('|')})${END}`,
  'gu',
);

/** The rest of a number after hundred or thousand, which does not begin another number. */
const rest = (digits: string) =>
  String.raw`(?:(?: and)? (\d{${digits}})(?![\d.,:/%]|\p{L}| (?:hundred|thousand)\b))?`;
const COUNT = String.raw`(?<![\p{L}\d.,])(\d{1,3})`;
const HUNDREDS = new RegExp(String.raw`${COUNT} hundred\b${rest('1,2')}`, 'gu');
const THOUSANDS = new RegExp(String.raw`${COUNT} thousand\b${rest('1,3')}`, 'gu');
const DECIMAL = /(?<![\d.,])(\d+) point (\d(?: \d)*)(?!\d)/gu;
