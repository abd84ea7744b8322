import { parseArgs } from 'node:util';

import { commandOf, longFirst, testFilesIn, type TestCommand } from './test_files.ts';

export interface TestArguments {
  readonly command: TestCommand;
  /** Files and folders: their tests run, whatever their command is, and no check. */
  readonly named: readonly string[];
  readonly grep: string | undefined;
  /** True: leaves out the tests of `npm test`, which has just run. */
  readonly beyond: boolean;
  /** No file begins after so many minutes. */
  readonly minutes: number | undefined;
  /** True: a file that failed runs once more, alone, at the end. */
  readonly again: boolean;
  /** Prints for each file where it runs and why, and runs nothing. */
  readonly list: boolean;
  /** How many rows the table of CPU time has. */
  readonly dearest: number | undefined;
}

export function parseTestArguments(command: TestCommand, args: readonly string[]): TestArguments {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      grep: { type: 'string', short: 'g' },
      beyond: { type: 'boolean', default: false },
      again: { type: 'boolean', default: false },
      minutes: { type: 'string' },
      dearest: { type: 'string' },
      list: { type: 'boolean', default: false },
    },
  });
  const { grep, beyond, again, minutes, dearest, list } = values;
  const named = positionals;
  return {
    command,
    named,
    grep,
    beyond,
    again,
    list,
    minutes: minutes === undefined ? undefined : Number(minutes),
    dearest: dearest === undefined ? undefined : Number(dearest),
  };
}

/** The files of a command, in the order in which they begin. */
export function filesOf({ command, named, beyond }: TestArguments): string[] {
  if (named.length > 0) return longFirst(testFilesIn(named));
  const all = testFilesIn(['test']);
  return longFirst(
    all.filter((file) => {
      const own = commandOf(file);
      return own === command || (command === 'test:all' && own === 'test' && !beyond);
    }),
  );
}
