import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { run } from '../processes/command.ts';
import { isAlive } from '../processes/running_processes.ts';

/** One `npm start` per DATA_DIR. Returns how to unlock it; throws when another one has it. */
export async function lockDataDir(dataDir: string): Promise<() => void> {
  const file = join(dataDir, 'launcher.pid');
  const own = `${process.pid} ${await startOf(process.pid)}\n`;
  for (;;) {
    try {
      writeFileSync(file, own, { flag: 'wx', mode: 0o600 });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const pid = await holderOf(file);
    if (pid !== undefined) {
      throw new Error(
        `npm start already runs on ${dataDir}, as process ${pid}. ` +
          `Stop it (kill ${pid}), or set DATA_DIR and PORT to run a second one beside it.`,
      );
    }
    // Moved, not deleted: of two launchers that find the same dead one, one fails here and retries.
    const dead = `${file}.${process.pid}`;
    renameSync(file, dead);
    rmSync(dead);
  }
}

/** The process in the file if it still runs: another process may have its number by now. */
async function holderOf(file: string): Promise<number | undefined> {
  const [pid, start] = readFileSync(file, 'utf8').trim().split(' ');
  const holds = isAlive(Number(pid)) && (await startOf(Number(pid))) === start;
  return holds ? Number(pid) : undefined;
}

/** When the process began, as the system writes it, without spaces. */
async function startOf(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').pop()?.split(' ');
    return fields?.[19] ?? '';
  }
  const { out } = await run('ps', ['-o', 'lstart=', '-p', String(pid)]);
  return out.trim().replaceAll(/\s+/g, '_');
}
