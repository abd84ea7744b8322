import { measureSlowness } from '../../local/test_run/pace.ts';

let slowness = Number(process.env.TEST_SLOWNESS ?? 1);

export const currentSlowness = (): number => slowness;

/** Before each file, because what else the machine does changes. The slowest is remembered. */
export function measureAgain(): void {
  slowness = Math.max(slowness, measureSlowness());
}

/**
 * What a test, or a peer of it, waits at most: a multiple of its limit on a machine of full speed.
 * Mocha's limits of time are made longer in this way by themselves (test/hooks.ts).
 */
export const patience = (ms: number): number => Math.ceil(ms * slowness);
