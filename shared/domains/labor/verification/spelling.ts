/** A text with straight quotation marks: programs make curly ones of them, also in JSON. */
export const withStraightQuotes = (text: string): string => text.replaceAll(/[“”„‟＂]/gu, '"');

/** A text in one case, and one form of characters that are written in several. */
export const folded = (text: string): string =>
  withStraightQuotes(text)
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(OPTIONAL_MARKS, '')
    .replaceAll(/[كيىأإٱß’‘ʼ‐–—]/gu, (char) => FORMS[char]!);

/** Vowels and stretching in Arabic and Hebrew, the dot of a Turkish İ, the style of an emoji. */
const OPTIONAL_MARKS =
  /[\u0640\u064b-\u0652\u0670\u0591-\u05bd\u05bf\u05c1\u05c2\u05c7]|[\ufe0e-\ufe0f]|(?<=i)\u0307/gu;
/** Keyboards for Arabic and Persian have letters that look alike; programs change quotes. */
const FORMS: Readonly<Record<string, string>> = {
  ك: 'ک',
  ي: 'ی',
  ى: 'ی',
  أ: 'ا',
  إ: 'ا',
  ٱ: 'ا',
  ß: 'ss',
  '’': "'",
  '‘': "'",
  ʼ: "'",
  '‐': '-',
  '–': '-',
  '—': '-',
};
