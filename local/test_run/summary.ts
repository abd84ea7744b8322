import type { FailedChecks } from './checks.ts';
import type { FileResult } from './lanes/lane_process.ts';
import { formatMs } from './progress.ts';

interface Summary {
  readonly text: string;
  /** Some test ran, and neither a test nor a check failed. */
  readonly isRight: boolean;
}

interface Run {
  readonly results: readonly FileResult[];
  readonly left: readonly string[];
  readonly checks: FailedChecks;
  /** CPU time of the checks, and of everything after them. */
  readonly checksMs: number;
  readonly othersMs: number;
  readonly ms: number;
  /** How many rows the table of CPU time has. */
  readonly dearest?: number | undefined;
}

const DEAREST = 10;
const LEFT_MAX = 10;
const FAILURES_CHARS_MAX = 3_000;

/** The end of the output: CPU time by file, what was left out, what failed and how, the figures. */
export function summaryOf(run: Run): Summary {
  const { results, left, checks } = run;
  const named = (list: (result: FileResult) => readonly string[]) =>
    results.flatMap((result) => list(result).map((name) => `${result.file}: ${name}`));
  const failures = named((result) => result.failed);
  const unstable = named((result) => result.unstable ?? []);
  const failed = [...Object.keys(checks).map((name) => `the ${name}`), ...failures];
  const passed = sum(results.map((result) => result.passed));
  const slowness = Math.max(1, ...results.map((result) => result.slowness));
  const parts = [
    costTable(run),
    ...(left.length > 0
      ? [`Left out, because the time was over:\n${indented(firstOf(left))}`]
      : []),
    ...(unstable.length > 0
      ? [`Failed beside others and passed alone, which is a fault too:\n${indented(unstable)}`]
      : []),
    ...(failed.length > 0 ? [`Failed:\n${indented(failed)}`] : []),
    // Where much was printed since, only the end of it may be kept.
    ...results.flatMap((result) => result.failures.slice(0, FAILURES_CHARS_MAX) || []),
    ...(passed + failed.length === 0 ? ['No test ran, which is a failure.'] : []),
    `${formatMs(run.ms)}. At worst the machine was ${slowness.toFixed(1)} times slower than usual.`,
    `${passed} passed, ${failed.length} failed`,
  ];
  const isRight = passed > 0 && failed.length === 0;
  return { text: `\n${parts.join('\n\n')}`, isRight };
}

function costTable({ results, checksMs, othersMs, dearest = DEAREST }: Run): string {
  const rows = results.toSorted((a, b) => b.cpuMs - a.cpuMs).slice(0, dearest);
  const filesMs = sum(results.map(({ cpuMs }) => cpuMs));
  return [
    'CPU seconds, and for files how long they took:',
    ...rows.map(({ file, cpuMs, ms }) => `${seconds(cpuMs)} ${seconds(ms)} ${file}`),
    `${seconds(filesMs)} ${results.length} files in all`,
    `${seconds(othersMs - filesMs)} starting and stopping servers, translating TypeScript`,
    `${seconds(checksMs)} checks`,
    `${seconds(checksMs + othersMs)} in all`,
  ].join('\n');
}

const firstOf = (left: readonly string[]) =>
  left.length > LEFT_MAX
    ? [...left.slice(0, LEFT_MAX), `and ${left.length - LEFT_MAX} more`]
    : left;
const indented = (lines: readonly string[]) => lines.map((line) => `  ${line}`).join('\n');
const sum = (numbers: readonly number[]) => numbers.reduce((total, n) => total + n, 0);
const seconds = (ms: number) => (ms / 1_000).toFixed(1).padStart(8);
