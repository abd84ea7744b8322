import { expect } from 'chai';

import { files, isIn, type Source } from './sources.ts';

/**
 * Each concept has one word, the field's own (docs/architecture.md). The words here had a special
 * meaning once; a reader of code, SQL, tests or docs must not meet them.
 */

interface Rule {
  /** Matched in lower case, with identifiers split into words: `openDoor` and `open_door` match. */
  readonly words: RegExp;
  readonly instead: string;
  /** The only folders or files where the word is checked; without it, everywhere. */
  readonly only?: readonly string[];
  /** Folders or files where the word means something else, and what. */
  readonly except?: Readonly<Record<string, string>>;
}

const RULES: readonly Rule[] = [
  { words: /\bpassengers?\b|\baboard\b|\bboarded\b/, instead: 'jobs of a batch' },
  { words: /\bcolou?rs?\b/, instead: 'funds: cash and credit' },
  { words: /\bpurses?\b/, instead: 'locked balance' },
  { words: /\bthresholds?\b/, instead: 'load shedder' },
  { words: /\bpassages?\b/, instead: 'tunnel' },
  { words: /\bpostings?\b/, instead: 'balance change' },
  { words: /\bfrom place\b|\bto place\b/, instead: 'from_account, to_account' },
  { words: /\bdispatch marks?\b/, instead: 'dispatch_watermark' },
  { words: /\breopen(s|ed|ing)?\b/, instead: 'rehydrate' },
  {
    words: /\bparts\b/,
    instead: 'child jobs',
    only: ['shared/jobs', 'shared/email', 'shared/proxies', 'workers'],
  },
];

/** Text as the rules see it: words of identifiers apart, in lower case. */
const wordsOf = (line: string) =>
  line
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();

function found({ words, only, except = {} }: Rule): string[] {
  const others = files.filter(
    ({ path }) =>
      path !== 'test/tidy_words.test.ts' &&
      (!only || isIn(path, ...only)) &&
      !isIn(path, ...Object.keys(except)),
  );
  return others.flatMap(({ path, lines }: Source) =>
    lines.flatMap((line, n) =>
      words.test(wordsOf(line)) ? `${path}:${n + 1}: ${line.trim()}` : [],
    ),
  );
}

describe('the words of the code base', () => {
  for (const rule of RULES) {
    it(`say ${rule.instead}, and not ${rule.words.source.replaceAll('\\b', '')}`, () => {
      expect(found(rule)).to.deep.equal([]);
    });
  }
});
