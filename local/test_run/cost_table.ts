import type { FileResult } from './lane_process.ts';

const DEAREST = 20;

/** CPU time by file, the dearest first, with that of what is no file. */
export function costTable(
  results: readonly FileResult[],
  others: Readonly<Record<string, number>>,
  dearest = DEAREST,
): string {
  const sum = results.reduce((total, { cpuMs }) => total + cpuMs, 0);
  const rows = results.toSorted((a, b) => b.cpuMs - a.cpuMs).slice(0, dearest);
  return [
    '  CPU seconds',
    ...rows.map(({ file, cpuMs }) => `${seconds(cpuMs)} ${file}`),
    ...Object.entries(others).map(([name, ms]) => `${seconds(ms)} ${name}`),
    `${seconds(sum)} ${results.length} files`,
    `${seconds(Object.values(others).reduce((total, ms) => total + ms, sum))} in all`,
  ].join('\n');
}

const seconds = (ms: number) => (ms / 1_000).toFixed(1).padStart(8);
