import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const LINES = 15;
const LINE_CHARS_MAX = 400;

/** The end of each log of the hosts: why a drill failed. */
export const lastLines = (folder: string): string =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.split('/').length === 2 && file.endsWith('.log'))
    .map((file) => `      ${file}\n${endOf(join(folder, file))}`)
    .join('\n');

function endOf(file: string): string {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n').slice(-LINES);
  return lines.map((line) => `        ${line.slice(0, LINE_CHARS_MAX)}`).join('\n');
}
