import { existsSync, readFileSync } from 'node:fs';

import { COMPANIES, companyOf } from './test_files.ts';

/** How long a test file took, with its hooks, and without its wait for other files. */
export interface FileTime {
  readonly file: string;
  readonly lane: number;
  readonly ms: number;
}

const SLOWEST = 20;

/** For the end of the output, from the file into which lanes write a line for each time. */
export function timesTable(path: string): string {
  const text = existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
  const times = text.split('\n').flatMap((line) => (line ? (JSON.parse(line) as FileTime) : []));
  const slowest = times.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST);
  return [
    '  The slowest files, in seconds:',
    ...slowest.map(({ file, ms }) => `${seconds(ms)} ${file}${noteOf(file)}`),
    ...COMPANIES.flatMap((company) => {
      const those = times.filter(({ file }) => companyOf(file) === company);
      if (company === 'alone') return `${total(those)} alone`;
      const lanes = [...new Set(those.map(({ lane }) => lane))].toSorted((a, b) => a - b);
      const ofLane = (n: number) => those.filter(({ lane }) => lane === n);
      const note = company === 'waiting' ? ', waiting' : '';
      return lanes.map((n) => `${total(ofLane(n))} in lane ${n}${note}`);
    }),
    '',
  ].join('\n');
}

const seconds = (ms: number) => (ms / 1_000).toFixed(1).padStart(8);

function noteOf(file: string): string {
  const company = companyOf(file);
  return company === 'lanes' ? '' : `, ${company}`;
}

const total = (times: readonly FileTime[]) =>
  `${seconds(times.reduce((sum, { ms }) => sum + ms, 0))} ${times.length} files`;
