import { setTimeout as sleep } from 'node:timers/promises';

import type { Runnable, Suite } from 'mocha';
import Mocha from 'mocha';

import { noteRunning } from './platform/eventually.ts';
import { patience } from './platform/pace.ts';

// Around every test file, whether a lane of `npm test` runs it or mocha alone.

let openBefore: readonly string[] = [];

export const mochaHooks = {
  async beforeAll(this: Mocha.Context) {
    this.timeout(0);
    scaleLimits(this.test!.parent!);
    process.on('unhandledRejection', fail);
    await untilTimed();
    openBefore = process.getActiveResourcesInfo();
  },
  beforeEach(this: Mocha.Context) {
    noteRunning(this.currentTest);
  },
  afterEach() {
    noteRunning(undefined);
  },
  async afterAll(this: Mocha.Context) {
    this.timeout(0);
    await untilTimed();
    try {
      await nothingElseOpen();
    } finally {
      prototype.timeout = setLimit;
      process.off('unhandledRejection', fail);
    }
  },
};

/** Mocha sets the timer of a hook when the hook has returned its promise. */
const untilTimed = () => Promise.resolve();

/** Mocha 12 notices what is thrown, and ignores rejections that nobody handles, except its own. */
function fail(reason: unknown): void {
  const isOfMocha = String((reason as { code?: unknown } | null)?.code).startsWith('ERR_MOCHA_');
  if (!isOfMocha) throw reason;
}

type SetLimit = (this: Runnable, ms?: string | number) => unknown;
const { prototype } = Mocha.Runnable as unknown as { prototype: { timeout: SetLimit } };
// Called with a runnable below.
// oxlint-disable-next-line typescript/unbound-method
const setLimit = prototype.timeout;

/**
 * Limits of time are there to end what hangs, on a slow machine too: those given so far are made
 * longer, and those that a test gives while it runs.
 */
function scaleLimits(root: Suite): void {
  const hooks = ['_beforeAll', '_beforeEach', '_afterAll', '_afterEach'] as const;
  const all = (suite: Suite): Runnable[] => [
    ...suite.tests,
    ...hooks.flatMap((name) => (suite as unknown as Record<string, Runnable[]>)[name]!),
    ...suite.suites.flatMap(all),
  ];
  for (const runnable of all(root)) runnable.timeout(patience(runnable.timeout()));
  prototype.timeout = function (...given) {
    if (given.length === 0) return setLimit.call(this);
    const [ms] = given;
    return setLimit.call(this, typeof ms === 'number' ? patience(ms) : ms);
  };
}

/** `Timeout, 3 × TCPSocketWrap` */
function countsOf(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, n]) => (n > 1 ? `${n} × ${name}` : name)).join(', ');
}

const CLOSE_MS_MAX = 10_000;

/**
 * A connection, server or timer that a test leaves open would disturb those after it. Open all the
 * time are the time limit of the hook, the channel to the parent, and what mocha uses.
 */
async function nothingElseOpen(): Promise<void> {
  const deadline = performance.now() + patience(CLOSE_MS_MAX);
  for (;;) {
    const open = process.getActiveResourcesInfo();
    for (const name of openBefore) {
      const n = open.indexOf(name);
      if (n >= 0) open.splice(n, 1);
    }
    if (open.length === 0) return;
    if (performance.now() > deadline) throw new Error(`These were left open: ${countsOf(open)}`);
    await sleep(20);
  }
}
