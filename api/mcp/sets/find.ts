import { domainOf } from '../../../shared/composition/catalog.ts';
import type { AnyOperation } from '../../../shared/kernel/operation.ts';
import { tools } from '../tool_names.ts';
import { SYNONYMS } from './synonyms.ts';

/** A text of an operation as features, with its weight. */
interface Text {
  /** Its position among all texts. */
  readonly at: number;
  readonly op: AnyOperation;
  readonly features: ReadonlySet<string>;
  readonly weight: number;
}

/** A word or another part of texts: its weight, and what it adds to the scores of operations. */
interface Feature {
  readonly weight: number;
  readonly having: readonly Text[];
  readonly scores: readonly (readonly [AnyOperation, score: number])[];
}

/** Weights of the texts: a name or phrasing that fits says more than a word of the summary. */
const WEIGHTS = { name: 1.6, phrasing: 1, summary: 0.6, domain: 0.3 };
/** Weights of the features: trigrams find words of other forms and with typing errors. */
const STEM = 1;
const PAIR = 0.4;
/** The first word tells what to do: "list my payouts" is not "stop listing my payouts". */
const FIRST_WORD = 0.8;
const EMPTY_WORD = 0.6;
const TRIGRAM = 0.2;
/**
 * The more texts of an operation have a feature, the more it says, up to three times as much; half
 * in proportion to all its texts, so that no operation is first for having many phrasings.
 */
const REPEATS = 2;
/** Weight of the one text that fits best, beside all texts of the operation together. */
const CLOSEST = 0.2;

/** The operations that fit a goal said in a few words, the best first. */
export function findOperations(query: string, limit: number): readonly AnyOperation[] {
  const scores = scoresOf([...featuresOf(query)].flatMap((feature) => index.get(feature) ?? []));
  return [...scores]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, limit)
    .map(([op]) => op);
}

/**
 * The features that one text has together, because a phrasing means something as a whole and fits
 * better with few other words; and each feature by the texts of the operation that have it.
 */
function scoresOf(wanted: readonly Feature[]): ReadonlyMap<AnyOperation, number> {
  // By position: with a map by texts a search took half as long again.
  const found = new Float64Array(texts.length);
  const scores = new Map<AnyOperation, number>();
  for (const { weight, having, scores: added } of wanted) {
    for (const { at } of having) found[at]! += weight;
    for (const [op, score] of added) scores.set(op, (scores.get(op) ?? 0) + score);
  }
  const closest = new Map<AnyOperation, number>();
  for (const text of texts) {
    const sum = found[text.at]!;
    if (sum === 0) continue;
    const closeness = text.weight * sum * (0.5 + (0.5 * sum) / Math.max(sum, whole[text.at]!));
    closest.set(text.op, Math.max(closest.get(text.op) ?? 0, closeness));
  }
  for (const [op, closeness] of closest) scores.set(op, scores.get(op)! + CLOSEST * closeness);
  return scores;
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0);

/** Words that every wish may have, which say less about it. */
const EMPTY = new Set(
  (
    'a an the my me i we our you your it its is are was be been do does did to of in on at by for ' +
    'with and or that this these those what which who how have has had can could want would will ' +
    'like please need get give am so as if there here from into out up some any one'
  ).split(' '),
);

const wordsOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .replaceAll('-', '')
    .match(/[a-z0-9]+/g)
    ?.filter((word) => !/^[0-9]+$/.test(word)) ?? [];

/**
 * The stems of a text, that of its first word also as such, its pairs of neighbouring words, words
 * that two of them make together ("data set"), and the trigrams of its words.
 */
function featuresOf(text: string): ReadonlySet<string> {
  const words = wordsOf(text);
  const full = words.filter((word) => !EMPTY.has(word));
  const neighbours = words.slice(1).map((word, n) => [words[n]!, word] as const);
  const pairs = neighbours.map((pair) => pair.join(' '));
  const joined = neighbours.map((pair) => pair.join('')).filter((word) => KNOWN.has(word));
  const stems = words.map((word) => (EMPTY.has(word) ? word : wordOf(word)));
  const first = stems.slice(0, 1).map((stem) => `^${stem}`);
  return new Set([
    ...stems,
    ...first,
    ...pairs,
    ...joined.map(wordOf),
    ...full.flatMap(trigramsOf),
  ]);
}

const trigramsOf = (word: string): readonly string[] =>
  Array.from({ length: word.length }, (_, n) => `#${`<${word}>`.slice(n, n + 3)}`);

/** The stem of a word, or of the one that stands for it. */
function wordOf(word: string): string {
  const known = IRREGULAR[word] ?? word;
  const stem = stemOf(known);
  return stemOf(SYNONYMS.get(known) ?? synonymsByStem.get(stem) ?? known);
}

/** Forms that share no beginning with their verbs. */
const IRREGULAR: Readonly<Record<string, string>> = {
  bought: 'buy',
  sold: 'sell',
  paid: 'pay',
  sent: 'send',
  spent: 'spend',
  made: 'make',
  chose: 'choose',
  chosen: 'choose',
  wrote: 'write',
  written: 'write',
  took: 'take',
  taken: 'take',
  gave: 'give',
  given: 'give',
  lost: 'lose',
  found: 'find',
  kept: 'keep',
  held: 'hold',
  told: 'tell',
  said: 'say',
  saw: 'see',
  seen: 'see',
  came: 'come',
  went: 'go',
  gone: 'go',
  began: 'begin',
  begun: 'begin',
  built: 'build',
  caught: 'catch',
  ran: 'run',
  stole: 'steal',
  hid: 'hide',
  hidden: 'hide',
  thought: 'think',
  withdrew: 'withdraw',
  withdrawn: 'withdraw',
  knew: 'know',
  known: 'know',
  meant: 'mean',
  lent: 'lend',
};

function stemOf(word: string): string {
  if (word.length <= 3) return word;
  const rest = word
    .replace(/ies$/, 'y')
    .replace(/(sses|xes|ches|shes)$/, (end) => end.slice(0, -2))
    .replace(/([^su])s$/, '$1')
    .replace(/(?<=..[^aeiou]|..[aeiou][^aeiou])(ing|ed|ment)$/, '')
    .replace(/([^aeiouls])\1$/, '$1');
  return rest.length > 4 ? rest.replace(/(e|er|or|ly)$/, '') : rest.replace(/e$/, '');
}

const synonymsByStem = new Map([...SYNONYMS].map(([word, first]) => [stemOf(word), first]));

/** The wishes that an operation fulfils. */
export const phrasingsOf = ({ phrasings = '' }: AnyOperation): readonly string[] =>
  phrasings.split(';').filter((text) => text.trim() !== '');

const sources = [...tools.values()].flatMap((op) => [
  { op, text: `${op.name.replaceAll('_', ' ')} ${op.title}`, weight: WEIGHTS.name },
  ...phrasingsOf(op).map((text) => ({ op, text, weight: WEIGHTS.phrasing })),
  { op, text: op.summary, weight: WEIGHTS.summary },
  { op, text: domainOf(op), weight: WEIGHTS.domain },
]);

const KNOWN = new Set([...SYNONYMS.keys(), ...sources.flatMap(({ text }) => wordsOf(text))]);

const texts = sources.map(({ op, text, weight }, at): Text => ({
  at,
  op,
  features: featuresOf(text),
  weight,
}));

const textsBy = new Map<string, Text[]>();
for (const text of texts) {
  for (const feature of text.features) {
    const others = textsBy.get(feature);
    if (others) others.push(text);
    else textsBy.set(feature, [text]);
  }
}

/** For each operation, 1 if it has as many features as the mean, and half of what it has more. */
const relativeSize = relativeSizes();

function relativeSizes(): ReadonlyMap<AnyOperation, number> {
  const sizes = new Map<AnyOperation, number>();
  for (const { op, features, weight } of texts) {
    sizes.set(op, (sizes.get(op) ?? 0) + weight * features.size);
  }
  const mean = sumOf([...sizes.values()]) / sizes.size;
  return new Map([...sizes].map(([op, size]) => [op, 0.5 + (0.5 * size) / mean]));
}

const index: ReadonlyMap<string, Feature> = new Map(
  [...textsBy].map(([name, having]) => [name, featureOf(name, having)]),
);

/** A feature of few operations, by their names and phrasings, weighs more. */
function featureOf(name: string, having: readonly Text[]): Feature {
  const own = having.filter(({ weight }) => weight >= WEIGHTS.phrasing);
  const rarity = Math.log(1 + tools.size / (1 + new Set(own.map(({ op }) => op)).size));
  const weight = rarity * kindOf(name);
  const counts = new Map<AnyOperation, number>();
  for (const text of having) counts.set(text.op, (counts.get(text.op) ?? 0) + text.weight);
  const scores = [...counts].map(([op, count]) => {
    const share = (count * (1 + REPEATS)) / (count + REPEATS * relativeSize.get(op)!);
    return [op, weight * share] as const;
  });
  return { weight, having, scores };
}

function kindOf(feature: string): number {
  if (feature.startsWith('#')) return TRIGRAM;
  if (feature.startsWith('^')) return FIRST_WORD;
  if (feature.includes(' ')) return PAIR;
  return EMPTY.has(feature) ? EMPTY_WORD : STEM;
}

/** The sum of the weights of all features of a text. */
const whole = texts.map(({ features }) =>
  sumOf([...features].map((name) => index.get(name)!.weight)),
);
