import { measureSlowness } from '../../local/test_run/pace.ts';

let slowness = Math.max(Number(process.env.TEST_SLOWNESS ?? 1), measureSlowness());

export const currentSlowness = (): number => slowness;

/**
 * Before each file is loaded, because what else the machine does changes. What was measured before
 * counts less each time, or one interruption would make each wait in vain very long.
 */
export function measureAgain(): void {
  slowness = Math.max(measureSlowness(), slowness * KEPT);
}

const KEPT = 0.8;

/**
 * Maximum wait of a test, or a peer of it: a multiple of its limit on a machine of full speed.
 * Mocha's limits of time are made longer in this way by themselves (test/hooks.ts).
 */
export const patience = (ms: number): number => Math.ceil(ms * slowness);
