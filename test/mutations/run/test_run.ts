import { relative } from 'node:path';

/** The report of a run of mocha, by its reporter json-stream. */
export interface TestRun {
  readonly passed: number;
  readonly failed: readonly FailedTest[];
  /** False when mocha ended before its tests did, as when a file does not load. */
  readonly complete: boolean;
  readonly timedOut: boolean;
  readonly seconds: number;
  /** The other output: why it did not load. */
  readonly output: string;
}

export interface FailedTest {
  /** A path in the repository; undefined of a hook that is around all files. */
  readonly file: string | undefined;
  readonly name: string;
  /** The first line of the error. */
  readonly message: string;
  readonly stack: string;
}

type Event = readonly [name: string, test: Reported];

interface Reported {
  readonly fullTitle: string;
  /** Absent: of a hook that is around all files. */
  readonly file?: string;
  readonly err?: string;
  readonly stack?: string;
}

export function readTestRun(
  output: string,
  { checkout, seconds, timedOut }: Pick<TestRun, 'seconds' | 'timedOut'> & { checkout: string },
): TestRun {
  const lines = output.split('\n');
  const isEvent = (line: string) => /^\["(start|pass|fail|end)",\{/.test(line);
  const events = lines.filter(isEvent).map((line) => JSON.parse(line) as Event);
  const failed = events
    .filter(([name]) => name === 'fail')
    .map(([, { fullTitle, file, err = '', stack }]) => ({
      file: file === undefined ? undefined : relative(checkout, file),
      name: fullTitle,
      message: err.split('\n', 1)[0]!,
      stack: stack ?? '',
    }));
  return {
    passed: events.filter(([name]) => name === 'pass').length,
    failed,
    complete: events.some(([name]) => name === 'end'),
    timedOut,
    seconds,
    output: lines.filter((line) => line && !isEvent(line)).join('\n'),
  };
}
