import { amountOf } from './texts.ts';
import { emptyOf, shortOf, wrongOf } from './field_words.ts';

/** A problem of a field, as an operation tells it to programs. */
export interface Problem {
  /** JSON pointer. */
  readonly pointer: string;
  readonly message: string;
}

type Sentence = (found: string) => string;

const say = (sentence: string) => () => sentence;
/** A field without a value. */
const EMPTY =
  /^(is missing$|must not be empty$|must have a visible character$|must be given\b|is required\b)/;
/** A value that does not have the form of its field. */
const MALFORMED =
  /^(is invalid\b|must match |must be object$|is no pattern of RE2\b|cannot be used: )/;

const TOO_SHORT = /^must have at least /;

/** A whole number with a space between thousands, as amounts have it. */
const grouped = (number: string) => number.replace(/(?<=^-?\d+)\B(?=(\d{3})+$)/g, '\u202f');

/** Messages for programs, and the sentences that people read in their place. */
const SENTENCES: readonly (readonly [pattern: RegExp, sentence: Sentence])[] = [
  [/^must be number( or null)?$/, say('Enter a number, with a point for decimals, such as 2.50.')],
  [/^must be integer( or null)?$/, say('Enter a whole number.')],
  [/^must be >= (\S+)$/, (least) => `Enter ${grouped(least)} or more.`],
  [/^must be <= (\S+)$/, (most) => `Enter ${grouped(most)} or less.`],
  [/^must have at most six decimals$/, say('Use at most six decimals.')],
  [/^must be in whole cents$/, say('Use at most two decimals.')],
  [/^must have at most (\d+) characters?$/, (most) => `Use at most ${most} characters.`],
  [/^must have at least (\d+) characters?$/, (least) => `Use ${least} characters or more.`],
  [/^must have at most (\d+) items?$/, (most) => `Enter at most ${most} lines.`],
  [/^must name nothing twice/, say('Enter nothing twice.')],
  [/^must be one of /, say('Choose one of the list.')],
  [/^must name, separated by commas, /, say('Choose from the list.')],
  [
    /^(has no rows|has no column of addresses|is no text: .*|is a JSON list: .*|.* in line \d+)/s,
    (found) => `The file ${found}.`,
  ],
  [/^(has more than \d+ columns)$/, (found) => `The file ${found}.`],
  [/^is none of its columns: (.*)$/s, (columns) => `The columns of the file are ${columns}.`],
  [
    /^(must be|is not) a next_cursor/,
    say('There is no such page of the list. Begin at the first.'),
  ],
  [/^must be boolean( or null)?$/, say('Choose yes or no.')],
  [/^must be a (valid )?time\b/, say('Choose a day.')],
  [/^must be in the future$/, say('Choose a day that is not over.')],
  [/^must differ from \/\w+\/(\d+)$/, (nth) => `The same as line ${Number(nth) + 1}.`],
  [/^was listed before$/, say('You have listed this before. Each unit is sold once.')],
  [/^was sent twice, with different values$/, say('Two values were sent. Enter one.')],
  [
    /^must not hold characters that/,
    say('Remove the characters shown as \ufffd: they are no text.'),
  ],
  [/^must have a field to change$/, say('Nothing is changed yet. Change a field first.')],
  [/^goes with the decision /, say('Leave this empty, or choose another decision.')],
  [/^must be absent\b/, say('Leave this empty, or choose something else above.')],
  [/^must be (an? .+)$/s, (wanted) => `Enter ${wanted}.`],
];

/** States that programs know by a code. */
const STATES: Readonly<Record<string, string>> = {
  given_up: 'given up',
  partially_refunded: 'refunded in part',
  pending_approval: 'waiting for an approval',
  pending_review: 'in review',
  revision_requested: 'waiting for a revision',
};

/** A message with the states that it names in words, and its amounts as pages show them. */
export const statesInWords = (message: string): string =>
  message
    .replaceAll(/\b[a-z]+_[a-z]+\b/g, (code) => STATES[code] ?? code)
    .replaceAll(/\$(\d+(?:\.\d+)?)/g, (_, amount: string) => `$${amountOf(Number(amount))}`);

/** The sentence for a person about a problem of one field; `isEmpty` if nothing was filled in. */
export function sentenceOf(op: string, { pointer, message }: Problem, isEmpty = false): string {
  const [, field = '', index = ''] = pointer.split('/');
  const line = /^\d+$/.test(index) ? `Line ${Number(index) + 1}: ` : '';
  const isNothing = isEmpty || EMPTY.test(message);
  if (isNothing) return line ? `${line}It is empty.` : emptyOf(op, field);
  if (MALFORMED.test(message)) return line + wrongOf(op, field);
  if (TOO_SHORT.test(message)) {
    const short = shortOf(op, field);
    if (short !== undefined) return line + short;
  }
  for (const [pattern, sentence] of SENTENCES) {
    const found = pattern.exec(message);
    if (found) return line + sentence(found[1] ?? '');
  }
  return `${line}It ${message.replaceAll(/\/(\w+)/g, '$1')}.`;
}
