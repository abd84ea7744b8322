import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** Every process below one, however deep. Dead ones that nobody has buried are not counted. */
export function descendantsOf(pid: number): Process[] {
  const all = processes();
  const below = (parent: number): Process[] =>
    all
      .filter((process) => process.parent === parent)
      .flatMap((process) => [process, ...below(process.pid)]);
  return below(pid);
}

export function runs(pid: number): boolean {
  return processes().some((process) => process.pid === pid);
}

/** From /proc, because a small Debian has no `ps`; macOS has only that. */
function processes(): Process[] {
  if (existsSync('/proc/self/stat')) {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap(fromProc);
  }
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,args=']).toString().split('\n');
  return lines.flatMap((line) => {
    const [, pid, parent, state, command = ''] = line.match(/(\d+)\s+(\d+)\s+(\S+)\s+(.*)/) ?? [];
    return state && !state.startsWith('Z')
      ? [{ pid: Number(pid), parent: Number(parent), command }]
      : [];
  });
}

function fromProc(pid: string): Process[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z') return [];
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return [{ pid: Number(pid), parent: Number(parent), command }];
  } catch {
    return []; // It ended while we looked.
  }
}
