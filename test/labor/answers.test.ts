import { expect } from 'chai';
import fc from 'fast-check';

import { valuesOf } from '../../shared/domains/labor/verification/agreement.ts';
import { agrees, pluralityOf } from '../../shared/domains/labor/verification/answers.ts';
import { readingOf, type Rules } from '../../shared/domains/labor/verification/readings.ts';
import { AGREE, DIFFER, RULES, TEN } from './answer_pairs.ts';
import { REPORTED_ALIKE, REPORTED_DIFFERENT } from './reported_pairs.ts';

describe('answers of labor', () => {
  for (const [name, rules] of Object.entries(RULES) as [keyof typeof RULES, Rules][]) {
    it(`are compared from both sides: ${name}`, () => {
      for (const [table, expected] of [
        [AGREE, true],
        [DIFFER, false],
        [REPORTED_ALIKE, true],
        [REPORTED_DIFFERENT, false],
      ] as const) {
        for (const [one, other] of table[name]) {
          expect(agrees(rules, one, other), `${one} | ${other}`).to.equal(expected);
          expect(agrees(rules, other, one), `${other} | ${one}`).to.equal(expected);
        }
      }
    });
  }

  const answer = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.json({ maxDepth: 3 }),
    fc.constantFrom(...[AGREE, DIFFER].flatMap((table) => Object.values(table).flat(2))),
    fc
      .array(fc.constantFrom('no', 'cat', '5', 'mg', '$', '<', '猫', ',', ';', '-', "n't", '٣'), {
        maxLength: 12,
      })
      .map((parts) => parts.join(' ')),
  );
  const anyRules = fc.constantFrom<Rules>(...Object.values(RULES));

  it('agree with themselves, and with another from both sides alike', () => {
    fc.assert(
      fc.property(anyRules, answer, answer, (rules, one, other) => {
        expect(agrees(rules, one, one)).to.equal(true);
        expect(agrees(rules, one, other)).to.equal(agrees(rules, other, one));
      }),
      { numRuns: 2_000 },
    );
  });

  it('decide a unit alike in whatever order they come', () => {
    const several = fc
      .array(answer, { minLength: 1, maxLength: 5 })
      .chain((some) =>
        fc
          .array(fc.constantFrom(...some), { minLength: 2, maxLength: 6 })
          .chain((all) =>
            fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
          ),
      );
    fc.assert(
      fc.property(anyRules, several, (rules, [all, shuffled]) => {
        const [one, other] = [all, shuffled].map((answers) => outcome(rules, answers));
        expect(one).to.deep.equal(other);
      }),
      { numRuns: 1_000 },
    );
  });

  /** The winner, and the answers that agree with it, and those that have an equal value. */
  function outcome(rules: Rules, answers: readonly string[]) {
    const plurality = pluralityOf(rules, answers);
    const values = valuesOf(rules, answers, new Map());
    const groups = answers.map((one, n) => [
      one,
      answers.filter((_, m) => values[m] === values[n]),
    ]);
    return {
      answer: plurality?.answer,
      agree: answers.filter((_, n) => plurality?.agree[n]).toSorted(),
      groups: groups
        .map(([one, all]) => JSON.stringify([one, (all as string[]).toSorted()]))
        .toSorted(),
    };
  }

  it('that agree with other answers each are a draw, not for the one that came first', () => {
    const words = TEN.split(' ');
    // Each differs from the next by one word of ten, and from the others by more.
    const chain = [0, 1, 2, 3].map((count) =>
      [...words.map((word, n) => (n < count ? 'other' : word)), 'fast'].join(' '),
    );
    expect(pluralityOf(RULES.text, chain)).to.equal(undefined);
    const three = pluralityOf(RULES.text, chain.slice(0, 3));
    expect(three).to.deep.equal({ answer: chain[1], agree: [true, true, true] });
    expect(valuesOf(RULES.text, chain.slice(0, 3), new Map())).to.deep.equal([0, 0, 0]);
    expect(pluralityOf(RULES.label, ['a', 'b', 'a', 'b'])).to.equal(undefined);
    expect(pluralityOf(RULES.label, ['a', 'b', 'c'])).to.equal(undefined);
    expect(pluralityOf(RULES.label, ['b', 'a', 'c', 'A'])).to.deep.equal({
      answer: 'a',
      agree: [false, true, false, true],
    });
  });

  it('choose the answer that was given most often of those that agree', () => {
    const [usual, last] = [`${TEN} fast`, `${TEN} wildly`];
    const won = pluralityOf(RULES.text, [last, usual, usual]);
    expect(won).to.deep.equal({ answer: usual, agree: [true, true, true] });
  });

  it('that are too long, many or deep to be compared must be equal', () => {
    // One character that stands for four words.
    const words = (end: string) => `${'ﷺ '.repeat(1_500)}${end}`;
    const boxes = (count: number, x: number) =>
      JSON.stringify(Array.from({ length: count }, (_, n) => [n * 100 + x, 0, 50, 50]));
    const deep = (depth: number, space: string) =>
      `${'['.repeat(depth)}${space}1${']'.repeat(depth)}`;
    const pairs: [Rules, string, string, boolean][] = [
      [RULES.half, words('one'), words('one'), true],
      [RULES.half, words('cat'), words('dog'), false],
      [RULES.half, words('cat').slice(1_500), words('dog').slice(1_500), true],
      [RULES.label, `{"boxes":${boxes(100, 0)}}`, `{"boxes":${boxes(100, 1)}}`, true],
      [RULES.label, `{"boxes":${boxes(101, 0)}}`, `{"boxes":${boxes(101, 1)}}`, false],
      [RULES.label, `{"boxes":${boxes(101, 0)}}`, `{"boxes":${boxes(101, 0)}}`, true],
      [RULES.schema, deep(100, ''), deep(100, ' '), true],
      [RULES.schema, deep(101, ''), deep(101, ' '), false],
      [RULES.schema, deep(2_000, ''), deep(2_000, ''), true],
    ];
    for (const [rules, one, other, expected] of pairs) {
      expect(agrees(rules, one, other), `${one.slice(0, 20)} ${one.length}`).to.equal(expected);
      expect(agrees(rules, other, one)).to.equal(expected);
    }
  });

  it('have equal values in results if 250 words are equal', () => {
    const text = (end: string) => `${'word '.repeat(245)}${'other '.repeat(5)}${end.repeat(300)}`;
    const answers = [text('cat '), text('dog ')];
    expect(agrees(RULES.text, ...(answers as [string, string]))).to.equal(false);
    expect(valuesOf(RULES.text, answers, new Map())).to.deep.equal([0, 0]);
  });

  it('have a form without case, width and spaces, and texts without punctuation', () => {
    const formOf = (kind: Rules['kind'], answer: string) => readingOf({ kind }, answer).key;
    expect(formOf('labeling', ' ＣAT \t DOG ')).to.equal('cat dog');
    expect(formOf('labeling', 'cat!')).to.equal('cat!');
    expect(formOf('translation', 'Yes — it is, "so"!')).to.equal('yes it is so');
    expect(formOf('transcription', '?!')).to.equal('?!');
  });
});
