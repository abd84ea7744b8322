import type { FileResult } from './lanes/lane_process.ts';

/** More are no accident: they are not tried again. */
const FILES_MAX = 3;

/**
 * Runs the files that failed once more, alone. Those that pass then are told as unstable: the run
 * is right, and says which tests to mend next. Answers the results of all files.
 */
export async function runAgain(
  results: readonly FileResult[],
  run: (files: readonly string[]) => Promise<readonly FileResult[]>,
): Promise<readonly FileResult[]> {
  const failed = results.filter((result) => result.failed.length > 0);
  if (failed.length === 0 || failed.length > FILES_MAX) return results;
  const names = failed.map(({ file }) => file);
  console.log(`\nOnce more, alone: ${names.join(', ')}`);
  const again = new Map((await run(names)).map((result) => [result.file, result]));
  return results.map((result) => {
    const second = again.get(result.file);
    const passes = second !== undefined && second.failed.length === 0 && second.passed > 0;
    return passes ? { ...second, unstable: result.failed } : result;
  });
}
