import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Unless it is gone: of one that is ending nobody knows when. */
export function signal(pid: number, signalled: NodeJS.Signals): void {
  try {
    process.kill(pid, signalled);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/**
 * The processes that work in a folder. PostgreSQL and Redis both change into their data folder,
 * which tells more than their pid files: those outlive a killed server, and by then the number
 * may be somebody else's. Without /proc (macOS) the pid file has to do.
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
    return undefined; // Disconnect by now, or another user's.
  }
}

function numberIn(file: string): number[] {
  if (!existsSync(file)) return [];
  return [Number.parseInt(readFileSync(file, 'utf8'), 10)].filter((pid) => pid > 0);
}
