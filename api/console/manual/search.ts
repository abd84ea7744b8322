import { CHAPTERS, type Chapter } from './chapters.ts';
import { documentOf, type Section } from './document.ts';

/** Sections that one search finds at most. */
const FOUND_MAX = 20;
/** Characters of a section that are shown around the first word that was found. */
const EXCERPT = 220;
/** A word in a heading counts as much as so many in the text. */
const HEADING_WEIGHT = 8;
/** The words as they were asked, beside each other, in the text. */
const PHRASE_WEIGHT = 8;
/** Occurrences of a word that count: a long section is not better for naming it often. */
const COUNTED_MAX = 4;

/** Words that say nothing of what is looked for. */
const EMPTY_WORDS = new Set(
  'a an the i my me to of in on for with and or is are do does can how what'.split(' '),
);

/** A section of a document that holds most of the words. */
interface FoundSection {
  readonly chapter: Chapter;
  readonly section: Section;
  readonly excerpt: string;
}

/**
 * Sections of all documents by the words in them: first those with most of the words, and those for
 * users before those for operators. A section with less than half of the words is not found.
 */
export function searchManual(query: string, publicUrl: string): FoundSection[] {
  const all = query
    .toLowerCase()
    .split(/[\s?!,]+/)
    .filter(Boolean);
  const words = all.filter((word) => !EMPTY_WORDS.has(word));
  if (words.length === 0) return [];
  const found = CHAPTERS.flatMap(({ chapters, isForOperators }) =>
    chapters.flatMap((chapter) =>
      documentOf(chapter.name, publicUrl).sections.map((section) => {
        const scores = scoresOf(section, chapter, words);
        const whole = section.text.toLowerCase().includes(words.join(' ')) ? PHRASE_WEIGHT : 0;
        const sum = scores.reduce((before, one) => before + one, whole);
        const score = isForOperators ? sum / 4 : sum;
        return { chapter, section, score, matched: scores.filter(Boolean).length };
      }),
    ),
  );
  return found
    .filter(({ matched }) => matched >= words.length / 2)
    .toSorted((a, b) => b.matched - a.matched || b.score - a.score)
    .slice(0, FOUND_MAX)
    .map(({ chapter, section }) => ({ chapter, section, excerpt: excerptOf(section, words) }));
}

/** The score of each word: 0 where it is neither in the section nor in its title. */
function scoresOf(
  { heading, text }: Section,
  { title }: Chapter,
  words: readonly string[],
): number[] {
  const [head, body] = [`${title} ${heading}`.toLowerCase(), text.toLowerCase()];
  return words.map(
    (word) =>
      (head.includes(word) ? HEADING_WEIGHT : 0) +
      Math.min(body.split(word).length - 1, COUNTED_MAX),
  );
}

function excerptOf({ text }: Section, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const parts = [words.join(' '), ...words];
  const place = parts.map((part) => lower.indexOf(part)).find((found) => found >= 0) ?? 0;
  const from = Math.max(place - EXCERPT / 4, 0);
  const start = from === 0 ? 0 : text.indexOf(' ', from) + 1;
  const cut = text.slice(start, start + EXCERPT).trimEnd();
  return `${start > 0 ? '… ' : ''}${cut}${start + EXCERPT < text.length ? ' …' : ''}`;
}
