import { cpuOf } from './cpu_times.ts';

/** The processes of one side, with their descendants, by the names in the table. */
export type Pids = Readonly<Record<string, number>>;

interface CpuMeter {
  /** Reads the CPU times, at the beginning and the end of the measured time. */
  readonly snapshot: () => void;
  /** CPU of each process between the snapshots, in µs a call. */
  readonly perCall: (calls: number) => Readonly<Record<string, number>>;
}

export function cpuMeter(pids: Pids): CpuMeter {
  const snapshots: Record<string, number>[] = [];
  return {
    snapshot() {
      const now = Object.entries(pids).map(([name, pid]) => [name, cpuOf([pid])] as const);
      snapshots.push(Object.fromEntries(now));
    },
    perCall(calls) {
      const [before, after] = snapshots as [Record<string, number>, Record<string, number>];
      const used = Object.keys(pids).map(
        (name) => [name, (after[name]! - before[name]!) / calls] as const,
      );
      return Object.fromEntries(used);
    },
  };
}
