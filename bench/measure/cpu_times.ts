import { readdirSync, readFileSync } from 'node:fs';

/** The tick of /proc (USER_HZ), whatever the kernel's own is. */
const US_PER_TICK = 10_000;

/**
 * CPU time so far of these processes and their descendants in µs, PostgreSQL's backends included.
 */
export function cpuOf(pids: readonly number[]): number {
  const below = new Map<number, number[]>();
  const ticks = new Map<number, { own: number; ended: number }>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const fields = statOf(name);
    if (!fields) continue;
    const parent = Number(fields[1]);
    below.set(parent, [...(below.get(parent) ?? []), Number(name)]);
    const [user, system, usersEnded, systemsEnded] = fields.slice(11, 15).map(Number) as number[];
    ticks.set(Number(name), { own: user! + system!, ended: usersEnded! + systemsEnded! });
  }
  const sum = (pid: number): number => {
    const { own, ended } = ticks.get(pid) ?? { own: 0, ended: 0 };
    return (below.get(pid) ?? []).reduce((total, child) => total + sum(child), own + ended);
  };
  return pids.reduce((total, pid) => total + sum(pid), 0) * US_PER_TICK;
}

/** The fields after the command's name, which may hold spaces. */
function statOf(pid: string): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').pop()!.split(' ');
  } catch {
    return undefined; // The process ended meanwhile.
  }
}
