import type { Report } from './drill.ts';
import type { Recovery } from './recovery.ts';

const SHOWN_MAX = 30;

/** The report as text for the operator of the drill. */
export function formatReport(report: Report): string {
  const {
    seed,
    faults,
    calls,
    performed,
    jobs,
    attempts,
    settledMs,
    recovery,
    logged,
    violations,
  } = report;
  const sum = (counts: Readonly<Record<string, number>>) =>
    Object.values(counts).reduce((a, b) => a + b, 0);
  return [
    `seed ${seed}: ${sum(faults)} faults, ${calls} calls, ${sum(performed)} of which moved money, ` +
      `${jobs} jobs, all finished ${settledMs} ms after the last fault`,
    '',
    ...table(['fault', 'times'], Object.entries(faults)),
    '',
    ...table(['operation', 'times'], Object.entries(performed)),
    '',
    ...table(
      ['attempts after the first', 'jobs', 'slowest ms'],
      attempts.map(({ retries, jobs: n, ms }) => [retries, n, ms]),
    ),
    '',
    'How long calls waited after a fault, in ms:',
    ...table(COLUMNS, recovery.combined.map(rowOf('combined'))),
    ...(recovery.isolated.length > 0
      ? ['', ...table(COLUMNS, recovery.isolated.map(rowOf('isolated')))]
      : []),
    '',
    ...table(['logged faults', 'times'], logged),
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
