import { cpuMeter, type Pids } from './cpu_meter.ts';
import { quantile, type Slice } from './statistics.ts';

/** Time that each side works before it is measured. */
export const WARM_MS = 400;

interface Loops {
  readonly loops: number;
  readonly ms: number;
  /** Processes whose CPU is counted. */
  readonly pids: Pids;
}

/**
 * Loops that repeat `work` until the time is up. Each loop finishes its last work, and time and CPU
 * count until the last loop has ended. `work` resolves with its number of calls.
 */
export async function measureLoops(
  { loops, ms, pids }: Loops,
  work: (loop: number) => Promise<number>,
): Promise<Slice> {
  async function run(forMs: number) {
    const times: number[] = [];
    let calls = 0;
    const from = performance.now();
    await Promise.all(
      Array.from({ length: loops }, async (_, loop) => {
        for (let sentAt = from; sentAt - from < forMs; sentAt = performance.now()) {
          const done = await work(loop);
          calls += done; // Not `calls += await`: other loops add to it meanwhile.
          times.push(performance.now() - sentAt);
        }
      }),
    );
    return { times, calls, seconds: (performance.now() - from) / 1_000 };
  }

  await run(WARM_MS);
  const { snapshot, perCall } = cpuMeter(pids);
  snapshot();
  const { times, calls, seconds } = await run(ms);
  snapshot();
  const [p50, p99] = [0.5, 0.99].map((q) => quantile(times, q)) as [number, number];
  return { perSecond: calls / seconds, p50, p99, cpu: perCall(calls) };
}

/** Serves measurements in a process of its own: its CPU counts as `node`. */
export function serveLoops(work: (loop: number) => Promise<number>, prepare?: () => Promise<void>) {
  process.on('message', ({ loops, ms, pids }: Loops) => {
    const measured = async () => {
      await prepare?.();
      return measureLoops({ loops, ms, pids: { node: process.pid, ...pids } }, work);
    };
    void measured().then((slice) => process.send!(slice));
  });
  process.send!({ port: 0 });
}
