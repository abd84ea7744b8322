import { cpuOf } from './cpu_times.ts';

/** The processes of one side, with their descendants, by the name that the table shows. */
export type Pids = Readonly<Record<string, number>>;

export interface CpuMeter {
  /** Reads the CPU times: when the measured time begins, and when it ends. */
  readonly snapshot: () => void;
  /** What each process used in between, in µs a call. */
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
