import type { Report } from './drill.ts';
import type { Recovery } from './recovery.ts';

const SHOWN_MAX = 30;

/** A drill as its operator reads it. */
export function told(report: Report): string {
  const { seed, faults, calls, moved, jobs, tries, settledMs, recovery, logged, violations } =
    report;
  const sum = (counts: Readonly<Record<string, number>>) =>
    Object.values(counts).reduce((a, b) => a + b, 0);
  return [
    `seed ${seed}: ${sum(faults)} faults, ${calls} calls, ${sum(moved)} of which moved money, ` +
      `${jobs} jobs, all finished ${settledMs} ms after the storm`,
    '',
    ...table(['fault', 'times'], Object.entries(faults)),
    '',
    ...table(['what was done', 'times'], Object.entries(moved)),
    '',
    ...table(
      ['tries after the first', 'jobs', 'slowest ms'],
      tries.map(({ again, jobs: n, ms }) => [again, n, ms]),
    ),
    '',
    'How long callers then waited, in ms:',
    ...table(COLUMNS, recovery.storm.map(rowOf('in the storm'))),
    ...(recovery.alone.length > 0
      ? ['', ...table(COLUMNS, recovery.alone.map(rowOf('alone')))]
      : []),
    '',
    ...table(['faults that were logged', 'times'], logged),
    '',
    `violations: ${violations.length}`,
    ...violations.slice(0, SHOWN_MAX).map((violation) => `  ${violation}`),
  ].join('\n');
}

const COLUMNS = ['fault', '', 'times', 'calls', 'p50', 'p99', 'max', 'down'];
const rowOf =
  (when: string) =>
  ({ kind, faults, calls, p50, p99, max, downMs }: Recovery) => [
    kind,
    when,
    faults,
    calls,
    p50,
    p99,
    max,
    Math.round(downMs),
  ];

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]) {
  const all = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, n) => Math.max(...all.map((row) => row[n]!.length)));
  return all.map((row) =>
    row
      .map((cell, n) => (n === 0 ? cell.padEnd(widths[n]!) : cell.padStart(widths[n]!)))
      .join('  '),
  );
}
