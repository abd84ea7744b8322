import { expect } from 'chai';

import { child } from '../faults/children.ts';
import { eventually, type TestPlatform } from '../harness.ts';
import { startTimer } from '../orders/trade.ts';
import { tokenOf } from './issuer.ts';

const WORKER = 'test/faults/worker.ts';

/** The victim: a worker that carries this timer, with these settings. */
interface Killing {
  readonly timer: 'deploy_tokens' | 'deploy_collections';
  readonly env: Record<string, string>;
  /** Before each round. */
  readonly between?: () => void;
}

/** At each of these points, while it issues a token that was asked for and is not signed yet. */
export async function killAt(
  platform: TestPlatform,
  id: number,
  points: readonly string[],
  { timer, env, between = () => undefined }: Killing,
): Promise<void> {
  const isPending = `select from job where request_id = $1 and status = 'pending'`;
  for (const point of points) {
    const crash = { CRASH_AT: point, CRASH_AT_JOB: String(id), WITHOUT_DISPATCHER: 'yes' };
    const { process } = await child(platform, WORKER, { ...env, ...crash });
    // One round after the other, until the process is killed.
    let round = await startTimer(platform, timer);
    await eventually(
      async () => {
        const pending = await platform.query(isPending, [round]);
        if (pending.length > 0) return;
        between();
        round = await startTimer(platform, timer);
      },
      () => process.signalCode === 'SIGKILL',
    );
    const status = point === 'T0' ? 'pending' : 'submitted';
    expect((await tokenOf(platform, id)).status, point).to.equal(status);
  }
}
