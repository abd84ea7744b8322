import { buildPrograms } from '../../build.mjs';
import { cacheFolder } from '../../paths.ts';
import { join } from 'node:path';

/** Programs that `npm test` starts. They are bundled at once, because they share most code. */
const DECIDING = [
  'api/main.ts',
  'test/api/fixture_api.ts',
  'test/faults/api.ts',
  'test/faults/worker.ts',
] as const;

/** Bundles a program that a test starts, unless this was done before. Returns the file. */
export function buildTestPrograms(program: string = DECIDING[0]): string {
  const index = DECIDING.findIndex((one) => one === program);
  const programs = index < 0 ? [program] : DECIDING;
  return buildPrograms(programs, join(cacheFolder, 'test'))[Math.max(index, 0)]!;
}
