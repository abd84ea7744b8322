import type { Mutation } from '../mutation.ts';
import type { Verdict, Word } from './verdict.ts';

export interface Judged {
  readonly area: string;
  readonly mutation: Mutation;
  readonly verdict: Verdict;
  readonly seconds: number;
}

const REASON_CHARS_MAX = 200;

export function formatVerdict({ area, mutation, verdict, seconds }: Judged): string {
  const reason = verdict.reason.slice(0, REASON_CHARS_MAX);
  const name = `${area}/${mutation.name}`;
  return `${verdict.word.padEnd(10)} ${seconds.toFixed(1).padStart(5)} s  ${name}: ${reason}`;
}

const WORDS: readonly Word[] = ['killed', 'survived', 'equivalent', 'broken'];

/** A line an area: how many of each verdict, how many seconds one took, and what was killed. */
export function formatTable(judged: readonly Judged[]): string {
  const areas = [...new Set(judged.map(({ area }) => area))].toSorted();
  const line = (name: string, cells: readonly string[]) =>
    [name.padEnd(14), ...cells.map((cell) => cell.padStart(10))].join(' ');
  const lineOf = (name: string, some: readonly Judged[]) => {
    const count = (word: Word) => some.filter(({ verdict }) => verdict.word === word).length;
    const seconds = some.reduce((sum, one) => sum + one.seconds, 0) / some.length;
    const noticeable = some.length - count('equivalent');
    const score = noticeable ? `${((100 * count('killed')) / noticeable).toFixed(1)} %` : '–';
    const counts = WORDS.map((word) => String(count(word)));
    return line(name, [...counts, seconds.toFixed(1), score]);
  };
  return [
    '',
    line('area', [...WORDS, 's each', 'score']),
    ...areas.map((area) =>
      lineOf(
        area,
        judged.filter((one) => one.area === area),
      ),
    ),
    lineOf('all', judged),
  ].join('\n');
}
