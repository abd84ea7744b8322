import type { Mutation } from '../mutation.ts';

export interface UnmutatedRun {
  readonly tests: readonly string[];
  readonly grep: string | undefined;
}

/** Few runs in which every test takes part that a mutation counts on. */
export function unmutatedRuns(
  mutations: readonly Mutation[],
  lanes: number,
): readonly UnmutatedRun[] {
  const greps = new Map<string, Set<string | undefined>>();
  for (const { tests, grep } of mutations) {
    for (const test of tests) greps.set(test, (greps.get(test) ?? new Set()).add(grep));
  }
  const whole = [...greps.keys()].filter((test) => greps.get(test)!.has(undefined));
  const wholeRuns = Array.from({ length: lanes }, (_, lane) => ({
    tests: whole.filter((_test, n) => n % lanes === lane),
    grep: undefined,
  }));
  const narrow = new Map<string, string[]>();
  for (const [test, names] of greps) {
    if (names.has(undefined)) continue;
    const grep = [...names].map((name) => `(${name})`).join('|');
    narrow.set(grep, [...(narrow.get(grep) ?? []), test]);
  }
  const narrowRuns = [...narrow].map(([grep, tests]) => ({ tests, grep }));
  return [...wholeRuns.filter(({ tests }) => tests.length > 0), ...narrowRuns];
}
