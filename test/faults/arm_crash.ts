import { crashes } from '../../shared/platform/crash_point.ts';

/**
 * Has this process killed at the point that its test named: at its first visit, or at the first
 * that concerns the job CRASH_AT_JOB; or, with FREEZE, only stopped until it is told to go on.
 * Answers where in Redis the process is to work.
 */
export function armCrash(): string {
  const { CRASH_AT, CRASH_AT_JOB, FREEZE, REDIS_PREFIX } = process.env;
  process.on('disconnect', () => process.exit(0));
  crashes.at = (point, jobIds) => {
    if (point !== CRASH_AT) return;
    if (CRASH_AT_JOB && !jobIds.includes(CRASH_AT_JOB)) return;
    delete crashes.at;
    process.kill(process.pid, FREEZE ? 'SIGSTOP' : 'SIGKILL');
    // The signal is on its way; nothing more may happen until it arrives.
    while (!FREEZE);
  };
  return REDIS_PREFIX!;
}
