/** Texts that begin or end with what a filter would remove. */
const EDGES: readonly (readonly [begin: string, end: string])[] = [
  ['\tif (x)\n\t\treturn;', 'two line breaks at the end\n\n'],
  ['    four spaces first', 'a line of DOS\r\nand its end\r\n'],
  ['\ufeffafter a byte order mark', 'a soft hyphen at the end\u00ad'],
  ['\u00a0\u3000wide spaces', 'a separator of paragraphs\u2029'],
  ['\u200e\u200fmarks of direction', 'a joiner at the end\u200d'],
];

/** Texts whose middle a filter or a normal form would change. */
const MIDDLES: readonly (readonly string[])[] = [
  [
    'می‌خواهم خانه‌ها را ببینم', // Persian: each word holds a ZWNJ.
    'ශ්‍රී ලංකාව', // Sinhala, with a ZWJ.
    '👨‍👩‍👧‍👦 🏳️‍🌈 👩🏽‍💻', // Emoji of several characters.
    '🏴󠁧󠁢󠁥󠁮󠁧󠁿', // A flag of tag characters.
  ],
  [
    'cafe\u0301 and caf\u00e9', // NFD and NFC of one word.
    '한국어 \u1112\u1161\u11ab', // Hangul, composed and not.
    'Å and \u212b, Ω and \u2126', // Characters that NFC replaces.
    '\u{1d15e}\u{1d160} \u0958', // Musical symbols and a letter that NFC takes apart.
  ],
  [
    'שלום\u200f 123-456 \u200eabc', // Hebrew with digits and marks of direction.
    '\u061cالعربية \u0661\u0662', // Arabic letter mark.
    '\u202eright to left\u202c and \u2067isolated\u2069',
    'q\u0323\u0307 and q\u0307\u0323 a\u0300\u0301\u0302', // Marks in two orders.
  ],
  [
    'soft\u00adhyphen, zero\u200bwidth, word\u2060joiner',
    'line\u2028separator, next\u0085line, vertical\u000btab, form\u000cfeed',
    'bell\u0007 escape\u001b[31m delete\u007f',
    'ﬁ ﬀ ½ ² ① ｆｕｌｌ', // Characters of compatibility.
  ],
  [
    'क्‍ष क्‌ष \u0d28\u0d4d\u200d', // Devanagari and Malayalam with joiners.
    '邊󠄀 葛󠄁', // Ideographs with variation selectors.
    '\u180e\u2061\u2062\u2063\u2064 \u206a\u206f',
    '"quoted" \\u202e \\n <b>&amp;</b> {"a": 1e400} \ud83d\ude00',
  ],
];

/**
 * Each hard text is in one of these, and those that need it begin or end one. The name of its field
 * is in each, so that two fields of one object do not have one text.
 */
export const HARD_TEXTS: readonly ((field: string) => string)[] = EDGES.map(
  ([begin, end], n) =>
    (field) =>
      [begin, ...MIDDLES[n]!, field, end].join('\n'),
);
