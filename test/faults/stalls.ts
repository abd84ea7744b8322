import { availableParallelism, loadavg } from 'node:os';
import { Worker } from 'node:worker_threads';

import { patience } from '../platform/pace.ts';
import { logMeasurement, percentile } from './market.ts';

const TICK_MS = 20;

/** The delays of the timers of a thread that does nothing else: their sum in ms. */
const delayMs = new Int32Array(new SharedArrayBuffer(4));

const CLOCK = `
  const delayMs = new Int32Array(require('node:worker_threads').workerData);
  let last = performance.now();
  setInterval(() => {
    const now = performance.now();
    Atomics.add(delayMs, 0, Math.round(Math.max(0, now - last - 2 * ${TICK_MS})));
    last = now;
  }, ${TICK_MS});`;

new Worker(CLOCK, { eval: true, workerData: delayMs.buffer }).unref();

/**
 * For time limits on a machine that is shared. Answers a function that gives the milliseconds, from
 * now until it is called, in which a thread of this process got no CPU. A thread of its own: the
 * platform may run in this one, and what it blocks must not widen its limits.
 */
export function measureStalls(): () => number {
  const before = Atomics.load(delayMs, 0);
  return () => Atomics.load(delayMs, 0) - before;
}

export class MissedGoal extends Error {}

/** How often a test of goals is run at most. */
const RUNS = 3;

/**
 * Like `it`, for a goal of p99 or of the longest stall beside a load. Where one is missed the test
 * runs again, with its hooks, and it fails if each of three runs missed one: a shared machine stops
 * by chance, now and then, but what is too slow by itself is so each time. Any other failure counts
 * at once. Not for how soon something is repaired or refused: there one slow time of three matters.
 */
function itReaches(title: string, run: () => Promise<void>): void {
  it(title, reaching(run));
}

export function reaching(run: () => Promise<void>): Mocha.AsyncFunc {
  return async function () {
    this.test!.retries(0); // A second run may end otherwise, as by its time limit.
    try {
      await run();
    } catch (error) {
      if (error instanceof MissedGoal) {
        this.test!.retries(RUNS - 1);
        console.log(`      missed: ${error.message}`);
      }
      throw error;
    }
  };
}

/**
 * Prints how long something took beside its goal and the speed of the machine, and expects that it
 * took no longer than that and the stalls meanwhile. Of a machine that does much else it only
 * prints it. In a test of `itReaches` it stands at the end: what was begun has ended, and the next
 * run can begin.
 *
 * @throws {MissedGoal}
 */
export function expectGoal(what: string, ms: number, goalMs: number): void {
  const isQuiet = loadavg()[0]! <= 2 * availableParallelism();
  const slowness = (patience(100) / 100).toFixed(1);
  const machine = `machine ${slowness} times as slow${isQuiet ? '' : ' and busy'}`;
  logMeasurement(`${what} (goal ${Math.round(goalMs)} ms, ${machine})`, ms);
  if (!isQuiet || ms < goalMs) return;
  throw new MissedGoal(`${what}: ${ms.toFixed(1)} ms, the goal is ${goalMs.toFixed(1)}`);
}

/** Who waits for less does not notice it, and another program on a core may take as long. */
const UNNOTICED_MS = 50;

/** Twice what calls of an honest caller take without an attack, or 50 ms where that is less. */
export const twice = (percent: number, quiet: readonly number[]): number =>
  Math.max(2 * percentile(quiet, percent), UNNOTICED_MS);

/**
 * Expects that calls of an honest caller took no longer during an attack than twice their time
 * without it; so many times that where few calls were measured. In ms.
 */
function expectTwice(
  percent: number,
  quiet: readonly number[],
  attacked: readonly number[],
  noise = 1,
): void {
  const [before, during] = [percentile(quiet, percent), percentile(attacked, percent)];
  logMeasurement(`p${percent} of an honest caller, quiet`, before);
  const goalMs = noise * twice(percent, quiet);
  expectGoal(`p${percent} of an honest caller, attacked`, during, goalMs);
}

/**
 * How a suite that has goals treats them. Its file of `npm run test:goals` measures and expects
 * them; its other file runs the same with `NO_GOALS` and expects what holds at any speed.
 */
export interface Goals {
  /** Whether enough calls are made for figures. */
  readonly areMeasured: boolean;
  readonly it: typeof itReaches;
  readonly expectGoal: typeof expectGoal;
  readonly expectTwice: typeof expectTwice;
  readonly logMeasurement: typeof logMeasurement;
}

export const GOALS: Goals = {
  areMeasured: true,
  it: itReaches,
  expectGoal,
  expectTwice,
  logMeasurement,
};

export const NO_GOALS: Goals = {
  areMeasured: false,
  it: (title, run) => void it(title, run),
  expectGoal: () => undefined,
  expectTwice: () => undefined,
  logMeasurement: () => undefined,
};
