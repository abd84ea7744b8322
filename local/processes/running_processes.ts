import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Does nothing if the process is gone: it may end at any moment. */
export function signal(pid: number, signalled: NodeJS.Signals): void {
  try {
    process.kill(pid, signalled);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/**
 * The processes with this working folder. PostgreSQL and Redis both change into their data folder,
 * which says more than their pid files: those outlive a killed server, and another process may have
 * the number by then. Without /proc (macOS) the pid file has to do.
 */
export function processesIn(folder: string, pidFile: string): number[] {
  if (!existsSync('/proc/self/cwd')) return numberIn(pidFile).filter(isAlive);
  if (!existsSync(folder)) return [];
  const real = realpathSync(folder);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && workingFolder(name) === real)
    .map(Number);
}

function workingFolder(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined; // It has ended, or belongs to another user.
  }
}

function numberIn(file: string): number[] {
  if (!existsSync(file)) return [];
  return [Number.parseInt(readFileSync(file, 'utf8'), 10)].filter((pid) => pid > 0);
}
