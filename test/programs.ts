import { buildTestPrograms } from '../local/test_run/lanes/programs.ts';

const built = new Map<string, string>();

/**
 * Arguments of Node that run a program of the checkout: `programArguments('api/main.ts')`. It is
 * bundled, because it is then ready after a fifth of the CPU time that tsx takes.
 */
export function programArguments(program: string): readonly string[] {
  let file = built.get(program);
  if (!file) built.set(program, (file = buildTestPrograms(program)));
  return ['--enable-source-maps', file];
}
