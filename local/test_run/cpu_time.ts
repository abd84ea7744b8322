import { readdirSync, readFileSync } from 'node:fs';

/** The kernel counts in hundredths of a second, whatever its own clock does (`man 5 proc`). */
const TICK_MS = 10;

/**
 * CPU time, in milliseconds, of these processes and all their descendants, with those that ended
 * and were waited for. Where there is no /proc (macOS) only that of this process.
 */
export function cpuMsOf(roots: readonly number[]): number {
  const children = new Map<number, number[]>();
  const ticks = new Map<number, number>();
  for (const name of processes()) {
    const found = statOf(name);
    if (!found) continue;
    ticks.set(found.pid, found.ticks);
    children.set(found.parent, [...(children.get(found.parent) ?? []), found.pid]);
  }
  if (ticks.size === 0) return process.cpuUsage().user / 1_000 + process.cpuUsage().system / 1_000;
  const seen = new Set<number>();
  const left = [...roots];
  for (let pid = left.pop(); pid !== undefined; pid = left.pop()) {
    if (seen.has(pid)) continue;
    seen.add(pid);
    left.push(...(children.get(pid) ?? []));
  }
  return [...seen].reduce((sum, pid) => sum + (ticks.get(pid) ?? 0), 0) * TICK_MS;
}

function processes(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/** User and system time, its own and that of children that it waited for. */
function statOf(name: string): { pid: number; parent: number; ticks: number } | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${name}/stat`, 'latin1');
  } catch {
    return undefined; // It has ended meanwhile.
  }
  // The command's name is in parentheses and may hold spaces.
  const fields = text.slice(text.lastIndexOf(') ') + 2).split(' ');
  const ticks = [11, 12, 13, 14].reduce((sum, n) => sum + Number(fields[n]), 0);
  return { pid: Number(name), parent: Number(fields[1]), ticks };
}
