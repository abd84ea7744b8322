import type { Counts } from './calls/history.ts';
import { GOALS_MS, type Recovery } from './recovery.ts';

export interface Report {
  readonly seed: number;
  /** How long its parts took, in ms. */
  readonly phases: Readonly<Record<string, number>>;
  readonly faults: Readonly<Record<string, number>>;
  /** Outcomes of the calls, by operation; of timers, by what they did. */
  readonly counts: Readonly<Record<string, Counts>>;
  /** Answered calls by interface. */
  readonly interfaces: Readonly<Record<string, number>>;
  /** How many objects were compared with the database, by kind. */
  readonly compared: Readonly<Record<string, number>>;
  readonly jobs: number;
  /** Jobs by the number of their attempts after the first, and how long the slowest took. */
  readonly attempts: readonly {
    readonly retries: number;
    readonly jobs: number;
    readonly ms: number;
    /** The operation of the one that took so long. */
    readonly slowest: string;
  }[];
  readonly settledMs: number;
  readonly recovery: {
    readonly combined: readonly Recovery[];
    readonly isolated: readonly Recovery[];
  };
  /** Faults that the processes logged, and how often. */
  readonly logged: readonly (readonly [what: string, times: number])[];
  readonly violations: readonly string[];
}

/** Measures how long each part of a drill takes. */
export function openPhases() {
  const ms: Record<string, number> = {};
  let begunAt = Date.now();
  return {
    ms,
    end(phase: string): void {
      ms[phase] = Date.now() - begunAt;
      begunAt = Date.now();
    },
  };
}

const SHOWN_MAX = 30;

/** The report as text for the operator of the drill. */
export function formatReport(report: Report): string {
  const { faults, counts, interfaces, compared, attempts, recovery, logged, violations } = report;
  return [
    summaryOf(report),
    '',
    ...table(
      ['calls', 'made', 'answered', 'performed', 'in doubt', 'settled'],
      Object.entries(counts).map(([operation, of]) => [
        operation,
        of.calls,
        of.answered,
        of.performed,
        of.doubtful,
        of.settled,
      ]),
    ),
    '',
    ...table(['answered by', 'calls'], Object.entries(interfaces)),
    '',
    ...table(['compared with the database', 'times'], Object.entries(compared)),
    '',
    ...table(['fault', 'times'], Object.entries(faults)),
    '',
    ...table(
      ['attempts after the first', 'jobs', 'slowest ms', 'of'],
      attempts.map(({ retries, jobs: n, ms, slowest }) => [retries, n, ms, slowest]),
    ),
    '',
    'How long calls waited after a fault, and until any call was answered again, in ms:',
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

/** One line. */
export function summaryOf({ seed, phases, faults, counts, compared, jobs, settledMs }: Report) {
  const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
  const total = (of: 'calls' | 'performed' | 'doubtful' | 'settled') =>
    sum(Object.values(counts).map((each) => each[of]));
  const seconds = Object.entries(phases)
    .map(([phase, ms]) => `${phase} ${(ms / 1_000).toFixed(1)}`)
    .join(', ');
  return (
    `seed ${seed}: ${sum(Object.values(faults))} faults, ${total('calls')} calls, ` +
    `${total('performed')} performed, ${total('doubtful')} in doubt, ` +
    `${total('settled')} settled, ${jobs} jobs, all finished ${settledMs} ms after the last ` +
    `fault, ${sum(Object.values(compared))} comparisons; seconds: ${seconds}`
  );
}

const COLUMNS = 'fault,,times,calls,p50,p99,max,goal,outside,down,again'.split(',');
const rowOf =
  (when: string) =>
  ({ kind, faults, calls, p50, p99, max, outsideMs, downMs, againMs }: Recovery) => [
    kind,
    when,
    faults,
    calls,
    p50,
    p99,
    max,
    (when === 'isolated' && GOALS_MS[kind]) || '',
    outsideMs,
    Math.round(downMs),
    againMs,
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
