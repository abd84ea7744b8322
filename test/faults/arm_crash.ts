import { crashes } from '../../shared/platform/crash_point.ts';

/**
 * Kills this process when it first reaches the crash point CRASH_AT, or first reaches it with the
 * job CRASH_AT_JOB. With FREEZE the process is stopped (SIGSTOP) until it gets SIGCONT. Answers the
 * Redis prefix for the process.
 */
export function armCrash(): string {
  const { CRASH_AT, CRASH_AT_JOB, FREEZE, REDIS_PREFIX } = process.env;
  process.on('disconnect', () => process.exit(0));
  crashes.at = (point, jobIds) => {
    if (point !== CRASH_AT) return;
    if (CRASH_AT_JOB && !jobIds.includes(CRASH_AT_JOB)) return;
    delete crashes.at;
    process.kill(process.pid, FREEZE ? 'SIGSTOP' : 'SIGKILL');
    // The signal was sent; nothing more may happen until it arrives.
    while (!FREEZE);
  };
  return REDIS_PREFIX!;
}
