import { LIMIT_PASSED } from '../../platform/eventually.ts';
import type { Mutation } from '../mutation.ts';
import type { TestRun } from './test_run.ts';

/** `broken`: nothing was learned, because the mutation or its tests are wrong. */
export type Word = 'killed' | 'survived' | 'equivalent' | 'broken';

export interface Verdict {
  readonly word: Word;
  readonly reason: string;
  /** False: the list, the tests or the code has to change. */
  readonly good: boolean;
}

interface Unmutated {
  /** The names of the tests that fail without any mutation. */
  readonly red: ReadonlySet<string>;
  /** The same tests without the mutation, at once after a run that took too long. */
  readonly again?: TestRun | undefined;
}

/** The verdict on a mutation by a run with it. */
export function verdictOf(mutation: Mutation, run: TestRun, { red, again }: Unmutated): Verdict {
  const noticed = run.failed.find(({ name }) => !red.has(name));
  if (again && !isPassed(again)) {
    return broken(`took ${run.seconds} s, and ${again.seconds} s without it`);
  }
  if (run.timedOut) return killed(mutation, 'timed out');
  if (noticed) {
    if (CANNOT_RUN.test(noticed.stack)) return broken(noticed.message);
    return killed(mutation, `${noticed.name}: ${noticed.message}`);
  }
  const [first] = run.failed;
  if (first) return broken(`fails without it too: ${first.name}`);
  if (!run.complete) return broken(`the tests did not run: ${run.output.slice(-500)}`);
  if (run.passed === 0) return broken(`no test has a name like ${mutation.grep}`);
  if (mutation.equivalent !== undefined) {
    return { word: 'equivalent', reason: mutation.equivalent, good: true };
  }
  const where = mutation.tests.join(', ');
  return { word: 'survived', reason: `${run.passed} tests of ${where}`, good: false };
}

/** Whether all that a run says is that something took long, as it does on a slow machine too. */
export const tookTooLong = ({ timedOut, failed: [first] }: TestRun): boolean =>
  timedOut || TOO_LONG.some((beginning) => first?.message.startsWith(beginning));

const TOO_LONG = ['Timeout of ', LIMIT_PASSED];

const isPassed = ({ complete, failed }: TestRun): boolean => complete && failed.length === 0;

export const broken = (reason: string): Verdict => ({ word: 'broken', reason, good: false });

/** Such a change is noticed by everything, and says nothing of the tests. */
const CANNOT_RUN = /^ReferenceError\b|\bsyntax error at\b/;

function killed({ equivalent }: Mutation, reason: string): Verdict {
  if (equivalent === undefined) return { word: 'killed', reason, good: true };
  return { word: 'killed', reason: `though declared equivalent: ${reason}`, good: false };
}
