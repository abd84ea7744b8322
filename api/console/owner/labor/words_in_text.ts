import { clean } from '../../../../shared/kernel/text.ts';

/** A part of a text: characters (code points) from `start` to before `end`. */
interface Part {
  readonly start: number;
  readonly end: number;
}

/** A place that a script has written after the words that were marked. */
const PLACE = /\s@(\d+)-(\d+)$/;

/**
 * A text in which words are found as a person reads them: hidden characters do not count, and any
 * white space is one space. Their places are those of the text as it is.
 */
export class WordsInText {
  readonly #characters: readonly string[];
  readonly #letters: readonly Letter[];
  /** The ends of the words that were found: the same words are found one after the other. */
  readonly #ends = new Map<string, number>();

  constructor(text: string) {
    this.#characters = Array.from(text);
    this.#letters = lettersOf(this.#characters);
  }

  /** Finds words, with their place or without. Undefined: they do not stand there. */
  find(line: string): Part | undefined {
    const [tail, start, end] = PLACE.exec(line) ?? [];
    const words = spelled(line.slice(0, line.length - (tail ?? '').length));
    const marked = { start: Number(start), end: Number(end) };
    // Without a script, an `@` and numbers may be words like others.
    const isMarked = tail !== undefined && words !== '' && this.#isAt(marked, words);
    const found = isMarked ? marked : this.#next(spelled(line));
    if (found) this.#ends.set(isMarked ? words : spelled(line), found.end);
    return found;
  }

  #isAt({ start, end }: Part, words: string): boolean {
    return spelled(this.#characters.slice(start, end).join('')) === words;
  }

  #next(words: string): Part | undefined {
    const wanted = Array.from(words);
    const from = this.#ends.get(words) ?? 0;
    const n = this.#letters.findIndex(
      ({ at }, first) =>
        at >= from && wanted.every((letter, m) => this.#letters[first + m]?.letter === letter),
    );
    if (wanted.length === 0 || n < 0) return undefined;
    return { start: this.#letters[n]!.at, end: this.#letters[n + wanted.length - 1]!.at + 1 };
  }
}

/** A character that is looked for, and its place in the text. */
interface Letter {
  readonly letter: string;
  readonly at: number;
}

function lettersOf(characters: readonly string[]): readonly Letter[] {
  const letters = characters
    .map((char, at) => ({ letter: letterOf(char), at }))
    .filter(({ letter }) => letter !== '');
  return letters.filter(({ letter }, n) => !(letter === ' ' && letters[n - 1]?.letter === ' '));
}

/** A character as it is read: white space is a space, and nothing is read of a hidden one. */
function letterOf(char: string): string {
  if (clean(`x${char}x`) === 'xx') return '';
  return /\s/u.test(char) ? ' ' : char;
}

const spelled = (text: string): string =>
  lettersOf(Array.from(text))
    .map(({ letter }) => letter)
    .join('')
    .trim();
